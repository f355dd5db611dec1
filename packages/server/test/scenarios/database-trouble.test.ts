/** The whole service when its database is slow for one team, loses its connections, or has no room left. */
import { expect, it } from 'vitest'
import { poolTimeouts } from '../../src/platform/db/open.ts'
import { countWaiting } from '../world/locks.ts'
import { snapshot } from '../world/snapshot.ts'
import { ownSchemas } from '../world/shards.ts'
import { useWorld, type Answer } from '../world/world.ts'

// Without workers, so that only requests wait in the database.
const world = useWorld({ config: { roles: ['http'] }, overrides: { requestTimeouts: poolTimeouts.requests } })

const readiness = async () => {
  const response = await fetch(`${world.url}/readyz`)
  return [response.status, ((await response.json()) as { database: string }).database]
}
const settings = async (pool: { query(text: string): Promise<{ rows: { value: string }[] }> }) =>
  (
    await Promise.all(
      ['statement_timeout', 'lock_timeout'].map((name) => pool.query(`select current_setting('${name}') as value`)),
    )
  ).map(({ rows }) => rows[0]!.value)

const expectOkOrRetryAfter = ({ status, headers }: Answer) => {
  expect([200, 503]).toContain(status)
  if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

it(
  'requests and work have pools of their own, each with an end for its statements and its locks; tools and ' +
    'migrations have none for statements',
  async () => {
    expect(await settings(world.service.requests.pool)).toEqual(['8s', '5s'])
    expect(await settings(world.service.database.pool)).toEqual(['30s', '20s'])
    expect(await settings(world.database.pool)).toEqual(['0', '20s'])
    // Compiling a statement that lists leads to machine code takes seconds.
    for (const { pool } of [world.service.requests, world.service.database])
      expect((await pool.query(`select current_setting('jit') as value`)).rows).toEqual([{ value: 'off' }])
  },
)

it('thirty reads of one team that wait for a lock keep neither another team nor readiness waiting [AUT-11, G124]', async () => {
  const [slow, other] = [await world.team(), await world.team()]
  const { pool } = world.database
  const holder = await pool.connect()
  await holder.query('begin')
  const lead = `${await world.shardOf(slow)}.lead`
  await holder.query(`lock table ${lead} in access exclusive mode`)
  const reads = Array.from({ length: 30 }, () => slow.get('/leads'))
  const waiting = async () =>
    (
      await pool.query<{ count: number }>(
        'select count(*)::int as count from pg_locks where not granted and relation = $1::regclass',
        [lead],
      )
    ).rows[0]!.count
  // The limit of concurrent requests of a team.
  await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBe(6)
  expect((await other.get('/credits')).status).toBe(200)
  expect((await other.post('/keys', { name: 'made meanwhile' })).status).toBe(201)
  expect(await readiness()).toEqual([200, 'ok'])
  expect(await waiting()).toBeLessThanOrEqual(6)
  await holder.query('rollback')
  holder.release()
  for (const answer of await Promise.all(reads)) expectOkOrRetryAfter(answer)
  expect((await slow.get('/leads')).status).toBe(200)
})

it('a write for what never existed is refused at once, whoever has the turn of the team [ERR-21, CON-20]', async () => {
  const team = await world.team()
  const holder = await world.database.pool.connect()
  await holder.query('begin')
  await holder.query(`select 1 from ${await world.shardOf(team)}.credit_account where team_id = $1 for update`, [
    team.id,
  ])
  const nothing = '01a19b45-b800-7008-b7e0-bfe5130950f9'
  const writes = [
    team.call('PATCH', `/keyword/${nothing}`, { creditCap: 1 }),
    team.del(`/keyword/${nothing}`),
    team.post(`/sources/${nothing}/sync`),
    team.del('/profile/nobody-here'),
    team.post('/agent/stop', { agentId: nothing }),
  ]
  for (const { status } of await Promise.all(writes)) expect(status).toBe(404)
  await holder.query('rollback')
  holder.release()
})

it(
  'a database without room: reads go on and stay limited, writes are 503 and undone, readiness says so, and all ' +
    'is well once there is room [RAT-12, G5, G124]',
  async () => {
    const team = await world.team({ limits: { reads: 4, writes: 60, untrackedPosts: 10 } })
    const before = await snapshot(world.database.pool)
    const tables = (
      await world.database.pool.query<{ name: string }>(
        `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
       from information_schema.tables
       where table_schema = any($1) and table_type = 'BASE TABLE'`,
        [['sign_in', ...ownSchemas]],
      )
    ).rows.map(({ name }) => name)
    const run = (statements: string[]) => world.database.pool.query(statements.join(';\n'))
    await run([
      `create function no_room() returns trigger language plpgsql
       as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
      ...tables.map(
        (name) =>
          `create trigger no_room before insert or update or delete on ${name} for each statement execute function no_room()`,
      ),
    ])
    try {
      const answers = [
        await team.get('/credits'),
        await team.get('/sources'),
        await team.get('/leads'),
        await team.get('/keys'),
        await team.get('/credits'),
      ]
      expect(
        answers.map(({ status, headers }) => [
          status,
          headers.get('x-ratelimit-limit'),
          headers.get('x-ratelimit-remaining'),
        ]),
      ).toEqual([
        [200, '4', '3'],
        [200, '4', '2'],
        [200, '4', '1'],
        [200, '4', '0'],
        [429, '4', '0'],
      ])
      expect([answers[4]!.body.code, Number(answers[4]!.headers.get('retry-after'))]).toEqual(['rate_limited', 60])
      expect((await team.get('/credits', { key: `${team.apiKey}x` })).status).toBe(401)
      const write = await team.post('/keys', { name: 'no room' })
      expect([write.status, write.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await readiness()).toEqual([503, 'not writable'])
    } finally {
      await run([...tables.map((name) => `drop trigger no_room on ${name}`), 'drop function no_room()'])
    }
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect(await readiness()).toEqual([200, 'ok'])
    expect((await team.post('/keys', { name: 'room again' })).status).toBe(201)
  },
)

it('a change of standing that waits for the account of its team keeps no work of the team waiting', async () => {
  const team = await world.team()
  const { pool } = world.database
  const shard = await world.shardOf(team)
  const turns = `from ${shard}.work_turn where team_id = $1`
  await pool.query(`insert into ${shard}.work_turn (team_id, kind, served, ready) values ($1, 'agent', 0, false)`, [
    team.id,
  ])
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(`select 1 from ${shard}.credit_account where team_id = $1 for update`, [team.id])
  const pid = (holder as unknown as { processID: number }).processID
  const changed = team.change({ status: 'expired' })
  await expect.poll(() => countWaiting(pool, pid), { timeout: 20_000, interval: 20 }).toBe(1)
  // A start of an agent holds the account and marks its work; with the opposite lock order both would deadlock.
  expect((await pool.query(`select kind ${turns} for update nowait`, [team.id])).rows).toEqual([{ kind: 'agent' }])
  await holder.query('rollback')
  holder.release()
  await changed
  expect((await pool.query(`select ready ${turns}`, [team.id])).rows).toEqual([{ ready: true }])
})
