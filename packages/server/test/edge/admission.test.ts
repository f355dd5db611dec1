import { expect, test } from 'vitest'
import { formatKey } from '../../src/modules/accounts/api-key.ts'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService, type Answer } from './local-service.ts'

const service = useLocalService()

const errorOnly = (answer: Answer) => {
  const { requestId, ...rest } = answer.body
  expect(requestId).toBe(answer.headers['x-request-id'])
  return rest
}

test('unknown, malformed, mistyped and doubled keys are 401 and change nothing [AUT-01..AUT-03]', async () => {
  const { key } = await service.team()
  const before = await snapshot(service.database.pool)
  const unknown = formatKey(new Uint8Array(32).fill(9))
  for (const wrong of [
    'cs_wrong',
    unknown,
    `${key}x`,
    key.slice(0, -1),
    key.toLowerCase(),
    `Bearer ${key}`,
    'x'.repeat(5_000),
  ]) {
    const answer = await service.api('GET', '/keys', wrong)
    expect([answer.status, Object.keys(errorOnly(answer))]).toEqual([401, ['error']])
  }
  const doubled = await service.call('GET', '/api/v1/keys', { headers: { 'x-api-key': [key, key] } })
  expect(doubled.status).toBe(401)
  expect(await snapshot(service.database.pool)).toEqual(before)
  expect((await service.api('GET', '/keys', key)).status).toBe(200)
})

test('a trial is served until its end by service time, and again once the team subscribes [AUT-08, AUT-09]', async () => {
  const now = await service.clock.now(service.database.root)
  const team = await service.team({ status: 'trial', trialEndsAt: new Date(now.getTime() + 3_600_000).toISOString() })
  expect((await service.api('GET', '/keys', team.key)).status).toBe(200)
  await service.advance(3_599)
  expect((await service.api('GET', '/keys', team.key)).status).toBe(200)
  await service.advance(1)
  expect((await service.api('GET', '/keys', team.key)).status).toBe(403)
  expect((await service.operate('PATCH', `/teams/${team.id}`, { status: 'active' })).status).toBe(200)
  expect((await service.api('GET', '/keys', team.key)).status).toBe(200)
})

test('60 writes and 120 reads have windows of their own, shown on every answer [RAT-02, RAT-03, RAT-09, RAT-11]', async () => {
  const { key } = await service.team()
  const now = await service.clock.now(service.database.root)
  for (let left = 59; left >= 0; left--) {
    const answer = await service.api('POST', '/keys', key, {})
    expect([answer.status, answer.headers['x-ratelimit-limit'], answer.headers['x-ratelimit-remaining']]).toEqual([
      400,
      '60',
      String(left),
    ])
    expect(answer.headers['x-ratelimit-reset']).toBe(String(now.getTime() / 1000 + 60))
  }
  expect((await service.api('POST', '/keys', key, { name: 'late' })).status).toBe(429)
  const read = await service.api('GET', '/keys', key)
  expect([read.status, read.headers['x-ratelimit-limit'], read.headers['x-ratelimit-remaining']]).toEqual([
    200,
    '120',
    '119',
  ])
})

test('the keys of a team share its window, other teams have theirs [RAT-04, RAT-05]', async () => {
  const one = await service.team({ limits: { reads: 6 } })
  const other = await service.team({ limits: { reads: 6 } })
  const { body: second } = await service.api('POST', '/keys', one.key, { name: 'second' })
  const statuses: number[] = []
  for (let call = 0; call < 4; call++)
    for (const key of [one.key, second.key]) statuses.push((await service.api('GET', '/keys', key)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  expect((await service.api('GET', '/keys', other.key)).headers['x-ratelimit-remaining']).toBe('5')
})

test('a call is served again after Retry-After, and refused calls did not count [RAT-13]', async () => {
  const { key } = await service.team({ limits: { reads: 2 } })
  await service.api('GET', '/keys', key)
  await service.advance(40)
  await service.api('GET', '/keys', key)
  const refused = await Promise.all([1, 2, 3].map(() => service.api('GET', '/keys', key)))
  expect(refused.map((answer) => [answer.status, answer.headers['retry-after']])).toEqual([
    [429, '20'],
    [429, '20'],
    [429, '20'],
  ])
  await service.advance(20)
  const served = await service.api('GET', '/keys', key)
  expect([served.status, served.headers['x-ratelimit-remaining']]).toEqual([200, '1'])
})

test('a call refused for its rate does nothing at all [RAT-15]', async () => {
  const { key } = await service.team({ limits: { writes: 1 } })
  await service.api('POST', '/keys', key, {})
  const before = await snapshot(service.database.pool)
  for (const headers of [{}, { 'idempotency-key': 'a' }])
    expect((await service.api('POST', '/keys', key, { name: 'x' }, headers)).status).toBe(429)
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('limits can be raised and lowered for a team, in the running window too [RAT-17]', async () => {
  const team = await service.team({ limits: { reads: 1 } })
  await service.api('GET', '/keys', team.key)
  expect((await service.api('GET', '/keys', team.key)).status).toBe(429)
  await service.operate('PATCH', `/teams/${team.id}`, { limits: { reads: 500 } })
  const raised = await service.api('GET', '/keys', team.key)
  expect([raised.status, raised.headers['x-ratelimit-limit'], raised.headers['x-ratelimit-remaining']]).toEqual([
    200,
    '500',
    '498',
  ])
  await service.operate('PATCH', `/teams/${team.id}`, { limits: { reads: 1 } })
  expect((await service.api('GET', '/keys', team.key)).status).toBe(429)
})

test('every kind of answer carries the rate headers, a request id and the safety headers [RAT-08, CON-02]', async () => {
  const team = await service.team({ limits: { reads: 7 } })
  const { key } = team
  service.stubs.getCredits = async () => {
    throw new Error('broken')
  }
  const kinds: [number, Promise<Answer>][] = [
    [200, service.api('GET', '/keys', key)],
    [400, service.api('GET', '/leads?limit=0', key)],
    [401, service.api('GET', '/keys', undefined)],
    [404, service.api('GET', '/nope', key)],
    [404, service.api('GET', '/sources/x/sync', key)],
    [405, service.api('DELETE', '/credits', key)],
    [413, service.call('POST', '/api/v1/keys', { key, raw: Buffer.alloc(300_000, 0x20) })],
    [500, service.api('GET', '/credits', key)],
  ]
  for (const [status, pending] of kinds) {
    const answer = await pending
    expect([answer.status, answer.headers]).toEqual([
      status,
      expect.objectContaining({
        'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      }),
    ])
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  }
  for (let call = 0; call < 2; call++) await service.api('GET', '/keys', key)
  const late = await service.api('GET', '/keys', key)
  expect([late.status, late.headers['x-ratelimit-limit'], late.headers['x-ratelimit-remaining']]).toEqual([
    429,
    '7',
    '0',
  ])
})

test('a sane request id is kept and repeated in errors, any other is replaced', async () => {
  for (const [sent, kept] of [
    ['abc-1.2_3', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['é', false],
  ] as const) {
    const answer = await service.api('GET', '/keys', undefined, undefined, { 'x-request-id': sent })
    expect(answer.headers['x-request-id'] === sent).toBe(kept)
    expect(answer.body.requestId).toBe(answer.headers['x-request-id'])
  }
})
