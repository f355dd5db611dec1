import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { lockIdempotencyKey, purgeIdempotency, unlockIdempotencyKey } from '../../src/modules/accounts/index.ts'
import { refuse } from '../../src/platform/refusal.ts'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService, type TestTeam } from './local-service.ts'

const service = useLocalService()
let team: TestTeam
let runs = 0
const jobId = (run: number) => `0190a1b2-0000-7000-8000-${String(run).padStart(12, '0')}`
beforeEach(async () => {
  team = await service.team({ limits: { reads: 10_000, writes: 10_000 } })
  runs = 0
  service.stubs.enrichProfile = (input, { unitOfWork }) =>
    unitOfWork(async () => {
      if (input.mode === 'posts_only' && input.confirmSpend !== true) return refuse('spend_confirmation_required')
      return { jobId: jobId(++runs) }
    })
})

const write = (body: unknown, key: string, path = '/enrich/profile') =>
  service.api('POST', path, team.key, body, { 'idempotency-key': key })

test('a success is replayed with its status, whatever the order of the fields, and runs once', async () => {
  const first = await write({ username: 'jane', enrichLeads: true, saveTrackedProfile: true }, 'k')
  expect([first.status, first.body.jobId, first.headers['idempotency-replayed']]).toEqual([200, jobId(1), undefined])
  const before = await snapshot(service.database.pool)
  const again = await write({ saveTrackedProfile: true, enrichLeads: true, username: 'jane' }, 'k')
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true'])
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(again.headers['x-ratelimit-remaining']).toBe('9998')
  expect(runs).toBe(1)
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('a key belongs to one team, method and path; another body under it is 422', async () => {
  await write({ username: 'jane' }, 'k')
  const other = await service.team()
  expect(
    (await service.api('POST', '/enrich/profile', other.key, { username: 'jane' }, { 'idempotency-key': 'k' })).headers[
      'idempotency-replayed'
    ],
  ).toBeUndefined()
  const reused = await write({ username: 'john' }, 'k')
  expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await write({ name: 'x' }, 'k', '/keys')).status).toBe(201)
  expect(runs).toBe(2)
})

test('a refusal is not stored: the confirmed re-send may carry the same key, and is then the request that was answered', async () => {
  const plain = { username: 'jane', saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 5 }
  const before = await snapshot(service.database.pool)
  for (let times = 0; times < 2; times++)
    expect((await write(plain, 'k')).body.code).toBe('spend_confirmation_required')
  expect(await snapshot(service.database.pool)).toEqual(before)
  expect((await write({ ...plain, confirmSpend: true }, 'k')).body.jobId).toBe(jobId(1))
  expect((await write(plain, 'k')).headers['idempotency-replayed']).toBe('true')
})

test('of 30 simultaneous twins one works, the others wait or are given its answer', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  service.stubs.enrichProfile = async (_input, { unitOfWork }) => {
    await held
    return await unitOfWork(async () => ({ jobId: jobId(++runs) }))
  }
  const twins = Array.from({ length: 30 }, () =>
    write({ username: 'jane' }, 'k').then((answer) => (answer.status === 409 && ++refused === 29 && release(), answer)),
  )
  let refused = 0
  const answers = await Promise.all(twins)
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(
    answers.filter((answer) => answer.status === 409 && answer.body.code === 'idempotency_in_flight'),
  ).toHaveLength(29)
  expect((await write({ username: 'jane' }, 'k')).headers['idempotency-replayed']).toBe('true')
  expect(runs).toBe(1)
})

test('twins that both fly, since a lease ran out, still have one effect', async () => {
  let arrived = 0
  let release = () => {}
  const both = new Promise<void>((resolve) => (release = resolve))
  service.stubs.enrichProfile = async (_input, { unitOfWork, caller }) => {
    if (++arrived === 2) release()
    await both
    return await unitOfWork(async (tx) => {
      const { leadCap } = (await tx.db
        .selectFrom('team')
        .select('lead_cap as leadCap')
        .where('id', '=', caller.teamId)
        .executeTakeFirst())!
      await tx.db
        .updateTable('team')
        .set({ lead_cap: (leadCap ?? 0) + 1 })
        .where('id', '=', caller.teamId)
        .execute()
      return { jobId: jobId(1) }
    })
  }
  const first = write({ username: 'jane' }, 'k')
  await expect.poll(() => arrived).toBe(1)
  await service.database.pool.query('update idempotency_flight set until_ms = 0')
  const answers = await Promise.all([first, write({ username: 'jane' }, 'k')])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  expect((await service.operate('GET', `/teams/${team.id}`)).body.team.leadCap).toBe(1)
})

test('who was overtaken, since a lease ran out, gives back nothing of who overtook it', async () => {
  const { pool } = service.database
  const [one, other, third] = Array.from({ length: 3 }, () => {
    const lock = { teamId: team.id, scope: Buffer.alloc(32, 7), owner: randomUUID() }
    return {
      take: (nowMs: number) => lockIdempotencyKey(pool, lock, nowMs),
      unlock: () => unlockIdempotencyKey(pool, lock),
    }
  })
  expect([await one!.take(0), await other!.take(119_999), await other!.take(120_000)]).toEqual([true, false, true])
  await one!.unlock()
  expect(await third!.take(120_001)).toBe(false)
  await other!.unlock()
  expect(await third!.take(120_001)).toBe(true)
  await third!.unlock()
})

test('an answer is forgotten after 24 hours of service time, and swept away', async () => {
  await write({ username: 'jane' }, 'k')
  await service.advance(86_399)
  expect((await write({ username: 'jane' }, 'k')).headers['idempotency-replayed']).toBe('true')
  await service.advance(1)
  const fresh = await write({ username: 'john' }, 'k')
  expect([fresh.status, fresh.body.jobId, fresh.headers['idempotency-replayed']]).toEqual([200, jobId(2), undefined])
  await service.advance(86_400)
  const now = await service.clock.now(service.database.root)
  const purge = (limit: number) => service.database.bare.transaction().execute((db) => purgeIdempotency(db, now, limit))
  expect(await purge(1)).toBe(1)
  await purge(1_000)
  expect(await purge(1_000)).toBe(0)
  expect(
    (await service.database.pool.query('select 1 from idempotency_answer where expires_at <= $1', [now])).rowCount,
  ).toBe(0)
})

test('a replayed POST /keys makes no second key and has key: null; no key is kept in the clear or sealed [KYS-03]', async () => {
  const first = await write({ name: 'CI' }, 'k', '/keys')
  expect(first.body.key).toMatch(/^cs_/)
  const again = await write({ name: 'CI' }, 'k', '/keys')
  expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
    201,
    { ...first.body, key: null },
    'true',
  ])
  expect((await service.api('GET', '/keys', team.key)).body.quota.used).toBe(2)
})

test('what is stored of an answer cannot be read without the key of the team', async () => {
  await write({ username: 'jane' }, 'k')
  const { rows } = await service.database.pool.query<{ sealed: Buffer }>(
    'select sealed from idempotency_answer where team_id = $1',
    [team.id],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.sealed.toString('latin1')).not.toContain(jobId(1))
})

test('a key is 1 to 255 printable characters, and means nothing on a read', async () => {
  for (const key of ['', 'x'.repeat(256), 'a\tb', 'ä']) {
    const answer = await write({ username: 'jane' }, key)
    expect([key, answer.status, answer.body.code]).toEqual([key, 400, undefined])
    expect(answer.body.error).toContain('Idempotency-Key')
  }
  expect((await write({ username: 'jane' }, 'x'.repeat(255))).status).toBe(200)
  const read = await service.api('GET', '/keys', team.key, undefined, { 'idempotency-key': 'k' })
  expect([read.status, read.headers['idempotency-replayed']]).toEqual([200, undefined])
})

test('no flight is left in the air, whatever the outcome', async () => {
  await write({ username: 'jane' }, 'a')
  await write({ username: 'jane', saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 5 }, 'b')
  service.stubs.enrichProfile = async () => {
    throw new Error('broken')
  }
  expect((await write({ username: 'jane' }, 'c')).status).toBe(500)
  expect(
    (await service.database.pool.query('select 1 from idempotency_flight where team_id = $1', [team.id])).rowCount,
  ).toBe(0)
})
