/** A shard whose tables are locked stops only its own teams, and operators see which shard it is. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../dashboard/stage.ts'
import { clientConfig, poolTimeouts } from '../../src/platform/db/open.ts'
import { inShard } from '../../src/platform/db/shards.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { readShards } from '../../src/platform/shards/overview.ts'
import { metricTasks } from '../../src/worker/metrics.ts'
import { useWorld, type Team } from '../world/world.ts'
import { lastMove } from './stage.ts'

const boss = 'boss@example.com'
const world = useWorld({
  config: { shards: 3, operators: [boss] },
  // Production timeouts, except for locks and connections, which are five seconds there.
  overrides: { requestTimeouts: { ...poolTimeouts.requests, lockMs: 3_000, connectMs: 3_000 } },
})
const teams = new Map<string, Team>()
/** Teams of the silent shard; several, because one may not have as many concurrent calls as a pool has connections. */
const crowd: Team[] = []
let holder: pg.Client
beforeAll(async () => {
  while (teams.size < 3 || crowd.length < 4) {
    const team = await world.team({ credits: 100 })
    const shard = await world.shardOf(team)
    teams.set(shard, team)
    if (shard === 'les_1') crowd.push(team)
  }
  holder = new pg.Client(clientConfig(world.database.connection))
  await holder.connect()
})
afterAll(() => holder.end())

async function withSilent<T>(shard: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await holder.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1',
    [shard],
  )
  await holder.query('begin')
  await holder.query(`lock table ${rows.map(({ name }) => `${shard}.${name}`).join(', ')} in access exclusive mode`)
  try {
    return await work()
  } finally {
    await holder.query('rollback')
  }
}

/** Asks a hundred times; returns how long the slowest answer took. */
async function slowestOfMany(team: Team): Promise<number> {
  let slowest = 0
  for (let count = 0; count < 100; count += 1) {
    const beganMs = systemClock.nowMs()
    expect((await team.get('/leads')).status).toBe(200)
    slowest = Math.max(slowest, systemClock.nowMs() - beganMs)
  }
  return slowest
}

async function exportOf(team: Team): Promise<void> {
  const asked = await team.post('/exports', { format: 'csv' })
  expect(asked.status).toBe(200)
  await expect
    .poll(async () => (await team.get(`/exports/${asked.body.id}`)).body.url, { timeout: 15_000 })
    .toEqual(expect.any(String))
}

describe('a shard that does not answer', () => {
  it('stops its own teams: requests and work of all others go on, whatever waits for it', async () => {
    const [silent, one, other] = [teams.get('les_1')!, teams.get('les_0')!, teams.get('les_2')!]
    // The first answer prepares what the others use.
    await slowestOfMany(one)
    await withSilent('les_1', async () => {
      const waiting = crowd.flatMap((team) => Array.from({ length: 10 }, () => team.get('/leads')))
      const slowestMs = await slowestOfMany(one)
      await Promise.all([exportOf(one), exportOf(other)])
      const refused = await Promise.all(waiting)
      expect(refused.map(({ status }) => status)).toEqual(waiting.map(() => 503))
      // After a second: calls beyond the team's limit of concurrent calls.
      expect(refused.filter(({ headers }) => !['1', '5'].includes(headers.get('retry-after') ?? ''))).toEqual([])
      expect(refused.map(({ headers }) => headers.get('retry-after'))).toContain('5')
      // A call without a connection would wait three seconds, until the locks of the others time out.
      expect(slowestMs).toBeLessThan(2_000)
    })
    expect((await silent.get('/leads')).status).toBe(200)
    await exportOf(silent)
  })

  it('keeps nothing waiting that happens once for all, though it is the first of them', async () => {
    const { id } = teams.get('les_2')!
    const { pool } = world.database
    const numberOf = async (text: string): Promise<number> =>
      (await pool.query<{ number: number }>(text)).rows[0]!.number
    await withSilent('les_0', async () => {
      await world.move('1s')
      // The shard's clock waits for the locked tables while asking what is due.
      const asking = `select count(*)::integer as number from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%"renew credit periods"%'`
      await expect.poll(() => numberOf(asking), { timeout: 15_000 }).toBe(1)
      await pool.query(
        `insert into team_move (team_id, begun_at, from_shard, to_shard, state) values ($1, now(), 'les_2', 'les_1', 'undoing')`,
        [id],
      )
      await world.move('1s')
      await expect.poll(async () => (await lastMove(world, id))?.state, { timeout: 15_000 }).toBe('undone')
    })
  })

  it('is named to the operator, in the list of shards and in the figures, within seconds', async () => {
    const operator = await signUp(world, { email: boss })
    const told: (readonly [string, boolean])[] = []
    const sampleIn = (shard: string) => {
      const [sampling] = metricTasks({
        db: world.service.requests.bare,
        serviceNow: world.service.clock.now,
        system: systemClock,
        metrics: { sample: () => {}, ledger: () => {}, shard: (...said) => told.push(said) },
        log: openLog('silent'),
      })
      return inShard(shard, () => sampling!.run())
    }
    const overview = async () => (await operator.send('GET', '/app/api/operator/overview')).body
    const alertsOf = (body: { alerts: { text: string }[] }) =>
      body.alerts.map(({ text }) => text).filter((text) => text.includes('shard'))
    expect(alertsOf(await overview())).toEqual([])
    const beganMs = systemClock.nowMs()
    await withSilent('les_1', async () => {
      // Each waits for the silent shard as long as it may.
      const [seen, shards] = await Promise.all([
        overview(),
        readShards(world.database.root, world.service.shards.names),
        ...['les_0', 'les_1'].map(sampleIn),
      ])
      expect(alertsOf(seen)).toEqual([expect.stringContaining('The shard les_1 does not answer')])
      expect(seen.teams.map(({ id }: { id: string }) => id)).toContain(teams.get('les_0')!.id)
      expect(shards.map(({ shard, answers }) => [shard, answers])).toEqual([
        ['les_0', true],
        ['les_1', false],
        ['les_2', true],
      ])
      expect(systemClock.nowMs() - beganMs).toBeLessThan(30_000)
    })
    expect(told.toSorted()).toEqual([
      ['les_0', true],
      ['les_1', false],
    ])
  })
})
