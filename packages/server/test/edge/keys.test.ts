import { expect, test } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService } from './local-service.ts'
import { sendBytes, splitAnswers } from './raw-socket.ts'

const service = useLocalService()

const unknownId = '00000000-0000-4000-8000-000000000000'

test('a key is shown once, listed masked, and works at once like the first one [KYS-01, KYS-03, AUT-04, AUT-05]', async () => {
  const team = await service.team()
  const made = await service.api('POST', '/keys', team.key, { name: '  CI  ' })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.any(String),
    name: 'CI',
    key: expect.stringMatching(/^cs_[0-9A-Za-z]{49}$/),
    createdAt: '2026-06-01T12:00:00.000Z',
  })
  const listed = await service.api('GET', '/keys', made.body.key)
  expect(listed.status).toBe(200)
  expect(listed.body.quota).toEqual({ used: 2, max: 10, remaining: 8 })
  expect(listed.body.keys).toHaveLength(2)
  expect(listed.body.keys[1]).toEqual({
    id: made.body.id,
    name: 'CI',
    maskedKey: `${made.body.key.slice(0, 6)}…${made.body.key.slice(-4)}`,
    createdAt: made.body.createdAt,
    lastUsedAt: '2026-06-01T12:00:00.000Z',
  })
  expect(listed.text).not.toContain(made.body.key)
  const stored = await service.database.pool.query('select to_jsonb(k)::text as row from api_key k')
  expect(stored.rows.map((row) => row.row).join()).not.toContain(made.body.key.slice(3, 40))
})

test('a name has 1 to 60 characters; anything else is refused and writes nothing [KYS-02, ERR-02, ERR-03]', async () => {
  const team = await service.team()
  const before = await snapshot(service.database.pool)
  for (const name of ['', '   ', 'x'.repeat(61), null, 7, ['x']]) {
    const refused = await service.api('POST', '/keys', team.key, { name })
    expect(refused.status).toBe(400)
    expect(refused.body.error).toBe('`name` must be text of 1 to 60 characters')
    expect(refused.body).not.toHaveProperty('code')
  }
  const missing = await service.api('POST', '/keys', team.key, {})
  expect(missing.body.error).toBe('`name` is required: must be text of 1 to 60 characters')
  expect(await snapshot(service.database.pool)).toEqual(before)
  for (const name of ['x', '😀'.repeat(60)])
    expect((await service.api('POST', '/keys', team.key, { name })).status).toBe(201)
})

test('a revoked key stops at once, frees its place, and is unknown from then on [KYS-04, KYS-05, KYS-06, AUT-16]', async () => {
  const team = await service.team()
  const { body: made } = await service.api('POST', '/keys', team.key, { name: 'short-lived' })
  const revoked = await service.api('DELETE', `/keys/${made.id}`, team.key)
  expect([revoked.status, revoked.body]).toEqual([200, { ok: true, id: made.id, revoked: true }])
  expect((await service.api('GET', '/keys', made.key)).status).toBe(401)
  const left = (await service.api('GET', '/keys', team.key)).body
  expect([left.keys.length, left.quota]).toEqual([1, { used: 1, max: 10, remaining: 9 }])
  const before = await snapshot(service.database.pool)
  for (const id of [made.id, unknownId, 'no-uuid']) {
    const again = await service.api('DELETE', `/keys/${id}`, team.key)
    expect([again.status, again.body.code]).toEqual([404, undefined])
  }
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('what is sent after a change, before its answer has come, finds the change made [KYS-04, AUT-16]', async () => {
  const team = await service.team()
  const { body: made } = await service.api('POST', '/keys', team.key, { name: 'short-lived' })
  const ask = (method: string, path: string, body = '') =>
    `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${made.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { text } = await sendBytes(service.url, [
    [
      ask('GET', '/keys'),
      ask('POST', '/keys', '{"name":"other"}'),
      ask('GET', '/keys'),
      ask('GET', '/keys'),
      ask('DELETE', `/keys/${made.id}`),
      ask('GET', '/keys'),
      ask('POST', '/keys', '{"name":"never"}'),
    ].join(''),
  ])
  const answers = splitAnswers(text)
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 401, 401])
  const listed = ({ body }: { readonly body: string }) => (JSON.parse(body) as { keys: unknown[] }).keys.length
  expect([0, 2, 3].map((place) => listed(answers[place]!))).toEqual([2, 3, 3])
  expect((await service.api('GET', '/keys', team.key)).body.quota.used).toBe(2)
})

test('a key may revoke itself [KYS-04]', async () => {
  const team = await service.team()
  const { body } = await service.api('GET', '/keys', team.key)
  expect((await service.api('DELETE', `/keys/${body.keys[0].id}`, team.key)).status).toBe(200)
  expect((await service.api('GET', '/keys', team.key)).status).toBe(401)
})

test('a team has at most ten active keys, however many are asked for at once [KYS-07]', async () => {
  const team = await service.team()
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) => service.api('POST', '/keys', team.key, { name: `key ${index}` })),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(9)
  const refused = answers.filter((answer) => answer.status !== 201)
  expect(refused.every((answer) => answer.status === 403 && answer.body.code === 'key_limit_reached')).toBe(true)
  expect((await service.api('GET', '/keys', team.key)).body.quota).toEqual({ used: 10, max: 10, remaining: 0 })
})

test("another team's key ids are as unknown as ids that never were, and keys of one team see the same [AUT-10, AUT-11]", async () => {
  const [one, other] = [await service.team(), await service.team()]
  const mine = await service.api('GET', '/keys', one.key)
  const theirs = await service.api('DELETE', `/keys/${mine.body.keys[0].id}`, other.key, undefined, {
    'x-request-id': 'same',
  })
  const never = await service.api('DELETE', `/keys/${unknownId}`, other.key, undefined, { 'x-request-id': 'same' })
  expect(theirs.status).toBe(404)
  expect(theirs.text).toBe(never.text)
  const { body: second } = await service.api('POST', '/keys', one.key, { name: 'second' })
  expect((await service.api('GET', '/keys', second.key)).body.keys.map((key: { id: string }) => key.id)).toContain(
    mine.body.keys[0].id,
  )
  expect((await service.api('GET', '/keys', other.key)).body.keys).toHaveLength(1)
})

test('the last use of a key is noted at most once a minute', async () => {
  const team = await service.team()
  const lastUsed = async () => (await service.api('GET', '/keys', team.key)).body.keys[0].lastUsedAt
  const first = await service.clock.now(service.database.root)
  await lastUsed()
  await service.advance(59)
  await lastUsed()
  expect(await lastUsed()).toBe(first.toISOString())
  await service.advance(1)
  await lastUsed()
  expect(await lastUsed()).toBe(new Date(first.getTime() + 60_000).toISOString())
})
