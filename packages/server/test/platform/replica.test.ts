/** Reads at a real streaming replica: what was committed before is seen, and a replica that is behind or gone costs nobody an answer. */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { openReplica, parsePosition } from '../../src/platform/db/replica.ts'
import { openLog } from '../../src/platform/log.ts'
import { urlOf } from '../world/database-url.ts'
import { temporaryFolder } from '../world/folder.ts'
import { followerOf } from '../world/follower.ts'
import { createWorld, type World } from '../world/world.ts'

const settings = { fsync: 'off', max_connections: '60', wal_level: 'replica' }

const open: { world?: World; primary?: EmbeddedPostgres; replica?: EmbeddedPostgres; admin?: pg.Client } = {}
const folders: string[] = []

beforeAll(async () => {
  const from = await temporaryFolder('les-primary-')
  const to = await temporaryFolder('les-replica-')
  folders.push(from, to)
  open.primary = await startEmbeddedPostgres({ dataDir: from, log: () => {}, settings })
  // What is asked of it is ended at once where it stands in the way of what is replayed.
  open.replica = await followerOf(open.primary, from, to, { ...settings, max_standby_streaming_delay: '0' })
  open.admin = new pg.Client(open.replica.connection)
  await open.admin.connect()
  open.world = await createWorld({
    config: { databaseReplicaUrl: urlOf(open.replica.connection) },
    overrides: { connection: open.primary.connection },
  })
})

afterAll(async () => {
  await open.world?.close()
  await open.admin?.end().catch(() => {})
  await open.replica?.stop()
  await open.primary?.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** How many reads the replica and the primary have answered so far. */
async function answered(): Promise<{ replica: number; primary: number }> {
  const text = await open.world!.service.metrics.text()
  const of = (place: string) =>
    Number(new RegExp(`les_reads_with_replica_total\\{place="${place}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { replica: of('replica'), primary: of('primary') }
}

it('a place in the log is compared as a number, not as text', () => {
  expect(parsePosition('0/FFFFFFFF') < parsePosition('1/0')).toBe(true)
  expect(parsePosition('9/10') < parsePosition('A/9')).toBe(true)
})

// Nobody is behind a handle of these: what is tracked is there at once, and no work goes on beside it.
it('every read sees what was answered before it, and the replica answers it', async () => {
  const team = await open.world!.team()
  for (let round = 0; round < 10; round++) {
    const username = open.world!.handle('nobody')
    const tracked = await team.call('POST', '/enrich/profile', { username, saveTrackedProfile: true })
    expect(tracked.status).toBe(200)
    const { body } = await team.call('GET', `/profile/${username}/sync`)
    expect(body.syncId, `round ${round}`).toBe(tracked.body.syncId)
    const rules = [{ column: 'jobTitle', operator: 'contains', value: `round ${round}` }]
    await team.call('PUT', `/profile/${username}/icp`, { rules })
    expect((await team.call('GET', `/profile/${username}/icp`)).body.rules).toEqual(rules)
  }
  const { replica, primary } = await answered()
  expect(replica).toBeGreaterThan(0)
  expect(replica + primary).toBe(20)
})

/** Asks something of the replica itself; a statement that stands in the way of what is replayed is ended there, and asked again. */
async function tellReplica(statement: string): Promise<void> {
  for (;;) {
    const ended = await open.admin!.query(statement).then(
      () => null,
      (error: { code?: string }) => error,
    )
    if (ended === null) return
    if (ended.code !== '40001') throw ended
  }
}

it('a replica that stands still is passed over, and asked again once it has caught up', async () => {
  const team = await open.world!.team()
  await tellReplica('select pg_wal_replay_pause()')
  const before = await answered()
  const username = open.world!.handle('nobody')
  await team.call('POST', '/enrich/profile', { username, saveTrackedProfile: true })
  expect((await team.call('GET', `/profile/${username}/sync`)).status).toBe(200)
  expect(await answered()).toEqual({ replica: before.replica, primary: before.primary + 1 })
  await tellReplica('select pg_wal_replay_resume()')
  await expect
    .poll(async () => {
      await team.call('GET', `/profile/${username}/sync`)
      return (await answered()).replica
    })
    .toBeGreaterThan(before.replica)
})

/** Reads at the real servers, by a clock that the test moves; and where each was answered. */
async function readsByHand() {
  const pool = { poolSize: 2, onError: () => {} }
  const primary = openDatabase(open.primary!.connection, pool)
  const replica = openDatabase(open.replica!.connection, pool)
  const clock = { aheadMs: 0 }
  const counted: string[] = []
  const reads = openReplica({
    primary,
    replica,
    system: { ...systemClock, nowMs: () => clock.aheadMs },
    log: openLog('silent'),
    count: (_counter, place) => void counted.push(place),
  })
  /** Reads, and answers where the statement was tried; at the replica it fails with this code. */
  const read = async (code: string | null): Promise<string[]> => {
    const asked: string[] = []
    const answer = await reads.read(primary.root, async (db) => {
      const place = db === replica.root ? 'replica' : 'primary'
      asked.push(place)
      if (place === 'replica' && code !== null)
        throw Object.assign(new Error('canceling statement due to conflict with recovery'), { code })
      return 'answered'
    })
    expect(answer).toBe('answered')
    return asked
  }
  return { read, clock, counted, close: () => Promise.all([primary.close(), replica.close()]) }
}

it('a read that the replica ended is asked of the primary, and the next one of the replica', async () => {
  const { read, counted, close } = await readsByHand()
  for (const code of ['40001', '40P01', '40001', '40001']) expect(await read(code)).toEqual(['replica', 'primary'])
  expect(await read(null)).toEqual(['replica'])
  expect(counted).toEqual(['primary', 'primary', 'primary', 'primary', 'replica'])
  await close()
})

it('a replica whose connection is lost is left alone at once', async () => {
  const { read, clock, close } = await readsByHand()
  expect(await read('57P01')).toEqual(['replica', 'primary'])
  expect(await read(null)).toEqual(['primary'])
  clock.aheadMs += 5_000
  expect(await read(null)).toEqual(['replica'])
  await close()
})

it('a server that is no replica any more is not read from: it goes a way of its own', async () => {
  const team = await open.world!.team()
  await tellReplica('select pg_promote(true)')
  const before = await answered()
  const username = open.world!.handle('nobody')
  await team.call('POST', '/enrich/profile', { username, saveTrackedProfile: true })
  expect((await team.call('GET', `/profile/${username}/sync`)).status).toBe(200)
  expect((await answered()).replica).toBe(before.replica)
})

it('a replica that is gone costs nobody an answer', async () => {
  const team = await open.world!.team()
  await open.admin!.end()
  await open.replica!.stop()
  const answers = await Promise.all(Array.from({ length: 20 }, () => team.call('GET', '/sources')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})
