/**
 * Shards on Citus nodes (docs/scaling.md), if `LES_TEST_CITUS_URL` names a cluster (`scripts/citus.sh start`).
 * `scripts/citus-compare.ts` compares the answers of its statements with plain PostgreSQL.
 */
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrations, type Migration } from '../../migrations/index.ts'
import { lockAccountRow, shareAccountRow } from '../../src/modules/credits/store.ts'
import { findCompaniesToFill, holdCompanyFacts } from '../../src/modules/network/companies.ts'
import { readShardsWords, runShards } from '../../src/commands/shards.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { nodesOfShards } from '../../src/platform/db/citus.ts'
import { openDatabase, type OpenDatabase } from '../../src/platform/db/open.ts'
import type { Database } from '../../src/platform/db/schema.ts'
import { inShard } from '../../src/platform/db/shards.ts'
import { stateOf } from '../../src/platform/db/trouble.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import { citusDatabase, citusUrl, type CitusDatabase } from '../world/citus.ts'
import { findDrift } from '../world/oracle.ts'
import { createWorld, type Team, type World } from '../world/world.ts'
import { signatureOf } from '../scenarios/webhook-stage.ts'

const patiently = 300_000

describe.skipIf(citusUrl === undefined)('shards on the nodes of a Citus', () => {
  let citus: CitusDatabase
  let database: OpenDatabase
  let world: World
  const teams: Team[] = []

  beforeAll(async () => {
    citus = await citusDatabase(`les_citus_${process.pid}`)
    const connection = { connectionString: citus.url }
    world = await createWorld({ config: { shards: 3 }, overrides: { connection, statementNames: undefined } })
    database = openDatabase(connection, { poolSize: 4, isSharded: true, onError: () => {} })
    for (let count = 0; count < 3; count++) teams.push(await world.team({ credits: 1_000 }))
  }, patiently)

  afterAll(async () => {
    await world.close()
    await database.close()
    await citus.drop()
  }, patiently)

  const say = async (...words: string[]): Promise<string> => {
    const said: string[] = []
    const parts = { db: database.bare, system: systemClock, processId: crypto.randomUUID(), say: () => {} }
    await runShards(parts, readShardsWords(words), (text) => said.push(text))
    return said.join('')
  }
  const shardOf = async ({ id }: Team): Promise<string> =>
    (await sql<{ shard: string }>`select shard from team where id = ${id}`.execute(database.root)).rows[0]!.shard
  const begin = () => database.bare.startTransaction().execute()
  const drift = async (): Promise<unknown[]> => {
    const found = []
    for (const shard of world.service.shards.names)
      found.push(...(await inShard(shard, () => findDrift(database.root))))
    return found
  }
  /** Tracks an author whose post has engagers, with an inbox as webhook. */
  const track = async (team: Team, people: number) => {
    const author = world.handle('author')
    const fans = Array.from({ length: people }, () => ({ person: world.handle('fan') }))
    world.network.seedPost({ author, reactions: fans })
    const inbox = await world.inbox()
    world.network.hold()
    expect((await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })).status).toBe(200)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })
    world.network.release()
    return { author, inbox }
  }

  it('do the main job for teams of three shards on two nodes: captured, charged, enriched and delivered [SYN-02, ENR-10, WHK-08]', async () => {
    const nodes = await nodesOfShards(database.bare)
    expect([...nodes.keys()].toSorted()).toEqual(['les_0', 'les_1', 'les_2'])
    expect(new Set([...nodes.values()].map(({ port }) => port)).size).toBe(2)
    expect(new Set(await Promise.all(teams.map(shardOf))).size).toBe(3)
    for (const team of teams) {
      const { author, inbox } = await track(team, 3)
      await world.drain()
      const { leads } = (await team.get(`/leads?username=${author}`)).body
      expect(leads.map((lead: { enrichmentStatus: string }) => lead.enrichmentStatus)).toEqual(
        Array(3).fill('completed'),
      )
      expect(await team.balance()).toBe(997)
      expect(inbox.received).toHaveLength(3)
      for (const received of inbox.received)
        expect(received.headers['x-service-signature']).toBe(signatureOf(team.signingSecret, received))
    }
    expect(await drift()).toEqual([])
  })

  it('exclude each other through the coordinator: who waits for a row or a name, waits for it on its node [CRD-13]', async () => {
    const [team] = teams as [Team]
    const account = { teamId: team.id, name: 'team' as const }
    const lock = (tx: Tx) => lockAccountRow(tx, team.id, 'team')
    const share = (tx: Tx) => shareAccountRow(tx, account, 1)
    const fill = (tx: Tx) => findCompaniesToFill(tx, team.id, ['urn:li:company:1'])
    const refresh = (tx: Tx) => holdCompanyFacts(tx, team.id, 'urn:li:company:1')
    const shard = await shardOf(team)
    /** Whether a second unit can lock what it needs while a first one holds its lock. */
    const goesOn = (first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
      inShard(shard, () =>
        database.bare.transaction().execute(async (one) => {
          await first({ db: one, now: new Date() } as Tx)
          return database.bare
            .transaction()
            .execute(async (other) => {
              await sql`set local statement_timeout = 1000`.execute(other)
              await second({ db: other, now: new Date() } as Tx)
              return true
            })
            .catch((error: { code?: string }) => {
              expect(error.code).toBe('57014')
              return false
            })
        }),
      )
    expect(await goesOn(lock, lock)).toBe(false)
    expect(await goesOn(lock, share)).toBe(false)
    expect(await goesOn(share, lock)).toBe(false)
    expect(await goesOn(share, share)).toBe(true)
    expect(await goesOn(fill, refresh)).toBe(false)
    expect(await goesOn(refresh, fill)).toBe(false)
    expect(await goesOn(fill, fill)).toBe(true)
  })

  it('says what fails on a node as plain PostgreSQL does, by SQLSTATE or, where Citus loses it, by the words of what passes [G110]', async () => {
    const shard = await shardOf(teams[0]!)
    const table = sql.table(`${shard}.tried`)
    await sql`create table ${table} (key text primary key, number integer not null check (number < 9))`.execute(
      database.bare,
    )
    await sql`create function public.fail(state text) returns integer language plpgsql as
      $$ begin raise exception 'on the node' using errcode = state; end $$`.execute(database.bare)
    const write = (key: string, number: number) => sql`insert into ${table} values (${key}, ${number})`
    const copy = (key: string, number = 1) =>
      sql`insert into ${table} select key, ${number}::integer from unnest(${[key]}::text[]) as key`
    const stateOfFailure = (statement: ReturnType<typeof sql>, db: Kysely<Database> = database.bare) =>
      statement.execute(db).then(() => 'none', stateOf)
    await write('a', 1).execute(database.bare)
    await write('b', 1).execute(database.bare)
    expect(await stateOfFailure(write('a', 1))).toBe('23505')
    expect(await stateOfFailure(write('c', 9))).toBe('23514')
    // Bugs on Citus too, and answered as such.
    expect(await stateOfFailure(copy('a'))).toBe('XX000')
    for (const state of ['25006', '40001', '40P01', '53100', '55P03', '57014', '57P01', '58030'])
      expect(await stateOfFailure(sql`select public.fail(${state}) from ${table} where key = 'a'`)).toBe(state)

    const [one, other] = await Promise.all([begin(), begin()])
    const change = (key: string) => sql`update ${table} set number = 2 where key = ${key}`
    await change('a').execute(one)
    expect(await stateOfFailure(sql`select 1 from ${table} where key = 'a' for update nowait`)).toBe('55P03')
    // `lock_timeout` does not reach the nodes; `statement_timeout` ends the wait.
    await sql`set local lock_timeout = 100; set local statement_timeout = 1000`.execute(other)
    expect(await stateOfFailure(change('a'), other)).toBe('57014')
    await Promise.all([one, other].map((tx) => tx.rollback().execute()))

    /** The result of two units that lock in opposite orders. */
    const crossed = async (work: (key: string) => ReturnType<typeof sql>): Promise<string[]> => {
      const units = await Promise.all([begin(), begin()])
      await work('x').execute(units[0])
      await work('y').execute(units[1])
      const states = await Promise.all(
        units.map(async (tx, place) => {
          const state = await stateOfFailure(work(place === 0 ? 'y' : 'x'), tx)
          await tx.rollback().execute()
          return state
        }),
      )
      return states.toSorted()
    }
    expect(await crossed((key) => copy(key))).toEqual(['40P01', 'none'])
    expect(await crossed((key) => change(key === 'x' ? 'a' : 'b'))).toEqual(['40P01', 'none'])
    await sql`drop table ${table}`.execute(database.bare)
  })

  it(
    'move to a node that was added, under load: nothing is lost, charged twice or sent twice [CRD-13, WHK-08]',
    async () => {
      const [team] = teams as [Team]
      const before = await nodesOfShards(database.bare)
      const shard = await shardOf(team)
      const [added] = citus.spare
      if (added) await say('add', '--node', `${added.host}:${added.port}`)
      const to = added ?? citus.workers.find(({ port }) => port !== before.get(shard)!.port)!
      const earlier = await team.balance()
      const { author, inbox } = await track(team, 40)
      const other = await track(teams[1]!, 40)
      const working = world.drain().catch(() => {})
      expect(await say('move', shard, `${to.host}:${to.port}`)).toContain('every ledger in it adds up')
      expect(await say('list')).toContain(`${shard}    ${to.host}:${to.port}`)
      await expect(say('move', team.id, 'les_2')).rejects.toThrow('on a Citus teams stay in their shard')
      await working
      await world.drain()
      expect((await nodesOfShards(database.bare)).get(shard)).toEqual({ host: to.host, port: to.port })
      for (const { author: of, inbox: box, team: its } of [
        { author, inbox, team },
        { ...other, team: teams[1]! },
      ]) {
        await expect.poll(async () => (await world.drain(), box.received.length)).toBe(40)
        const { leads } = (await its.get(`/leads?username=${of}&limit=100`)).body
        expect(
          leads.filter((lead: { enrichmentStatus: string }) => lead.enrichmentStatus === 'completed'),
        ).toHaveLength(40)
        const ids = box.received.map(({ headers }) => headers['x-service-delivery'] ?? headers['x-service-signature'])
        expect(new Set(ids).size).toBe(40)
      }
      expect(await team.balance()).toBe(earlier - 40)
      expect(await drift()).toEqual([])
    },
    patiently,
  )

  it('takes a later migration: columns, checks, indexes, tables and triggers, statement by statement', async () => {
    const later: Migration = {
      shared: ['alter table team add column tried integer not null default 0'],
      teams: [
        'alter table lead add column tried integer not null default 0',
        'alter table lead add constraint tried_check check (tried >= 0) not valid',
        'alter table lead validate constraint tried_check',
        'create index lead_tried on lead (team_id, tried)',
        'create table tried (team_id uuid not null references team, id uuid not null, primary key (team_id, id))',
        'create function keep_tried() returns trigger language plpgsql as $$ begin return new; end $$',
        'create trigger tried before insert on tried for each row execute function keep_tried()',
        'update lead set tried = 1',
      ],
    }
    vi.resetModules()
    vi.doMock('../../migrations/index.ts', () => ({ migrations: { ...migrations, '0002-tried': later } }))
    const { migrate } = await import('../../src/platform/db/migrate.ts')
    const open = await import('../../src/platform/db/open.ts')
    const migrating = open.openDatabase(
      { connectionString: citus.url },
      { poolSize: 2, isSharded: true, onError: () => {} },
    )
    const names = await migrate(migrating.bare, 3).finally(() => migrating.close())
    for (const name of names) {
      const { rows } = await sql`select 1 from ${sql.table(`${name}.lead`)} where tried <> 1`.execute(database.bare)
      expect([name, rows]).toEqual([name, []])
    }
    const { rows: distributed } = await sql`
      select 1 from citus_tables where table_name::text like 'les_%.tried'`.execute(database.bare)
    expect(distributed).toHaveLength(3)
  })

  // Last, because a coordinator keeps connections, and the first statement on a cut one fails.
  it('on a server that is down stop their own teams: reads, writes and work of others go on', async () => {
    const nodes = await nodesOfShards(database.bare)
    const placed = await Promise.all(teams.map(async (team) => ({ team, node: nodes.get(await shardOf(team))! })))
    // The first worker, because it is where rows of reference tables are locked.
    const [node] = citus.workers as [(typeof citus.workers)[0]]
    const { team: stopped } = placed.find((one) => one.node.port === node.port)!
    const { team: other } = placed.find((one) => one.node.port !== node.port)!
    await citus.setDown(node, true)
    try {
      expect((await stopped.post('/exports', { format: 'csv' })).status).toBe(503)
      const asked = await other.post('/exports', { format: 'csv' })
      expect(asked.status).toBe(200)
      const written = async () => (await other.get(`/exports/${asked.body.id}`)).body.url
      await expect.poll(written, { timeout: 60_000 }).toEqual(expect.any(String))
    } finally {
      await citus.setDown(node, false)
    }
    expect((await stopped.post('/exports', { format: 'csv' })).status).toBe(200)
  }, 120_000)
})
