import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { claimDue } from '../../src/modules/delivery/sending/claim.ts'
import { jobRows, claimJob, insertJob, lockJob } from '../../src/modules/jobs/index.ts'
import type { Database } from '../../src/platform/db/schema.ts'
import { makeUnitOfWork, type Tx } from '../../src/platform/db/unit-of-work.ts'
import { machineIds } from '../../src/platform/random.ts'
import { endLease, hasTurn, healTurns, leaseOf, renewLeases } from '../../src/platform/work/index.ts'
import { holds } from '../../src/platform/db/conditions.ts'
import { allRows, works } from '../../src/worker/works.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'

let database: TestDatabase
const statements: { sql: string; parameters: readonly unknown[] }[] = []
let watched: Kysely<Database>
const ids = machineIds()
const state = { now: new Date('2026-11-02T08:00:00.000Z'), nowMs: 1_000_000 }
const unitOn = (db: Kysely<Database>) =>
  makeUnitOfWork({
    db,
    ids,
    serviceNow: async () => state.now,
    wake: () => {},
    onEffectError: (error) => {
      throw error
    },
  })
let unit: ReturnType<typeof unitOn>
const rows = jobRows.enrich_job

beforeAll(async () => {
  database = await freshDatabase()
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => {
      statements.push(query)
    },
  })
  unit = unitOn(database.bare)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`truncate job, work_turn, enrichment_task, delivery, webhook, sync, source cascade`.execute(database.bare)
  state.nowMs += 10_000_000
})

const makeTeams = async (count: number, status = 'active'): Promise<string[]> => {
  const made = Array.from({ length: count }, () => ids.uuid(state.now)).sort()
  const trial_ends_at = status === 'trial' ? new Date(state.now.getTime() + 60_000) : null
  await insertTeams(database.bare, made, state.now, { status, trial_ends_at })
  return made
}
const ask = (teamId: string) => unit((tx) => insertJob(tx, { teamId, type: 'enrich_profile', payload: {} }))
const claimIn = (tx: Tx) => claimJob(tx, 'enrich_job', leaseOf(ids.uuid(state.now), state.nowMs))
const claim = () => unit(claimIn)
const turnOf = async (teamId: string) =>
  (
    await sql<{ ready: boolean; due_at: Date | null; look_ms: number | null }>`
      select ready, due_at, look_ms from work_turn where team_id = ${teamId} and kind = 'enrich_job'`.execute(
      database.bare,
    )
  ).rows[0]
/** The database's pool; `something` runs before statements that match `text`. */
function before(text: RegExp, something: (statement: string) => Promise<void>): TestDatabase['pool'] {
  // Outside the unit of work whose statement it precedes.
  const elsewhere = AsyncLocalStorage.snapshot()
  const connect = async () => {
    const client = await database.pool.connect()
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof value !== 'function') return value
        if (name !== 'query') return value.bind(target)
        return async (...asked: unknown[]) => {
          const statement = (typeof asked[0] === 'string' ? asked[0] : (asked[0] as { text: string }).text).replaceAll(
            /\s+/g,
            ' ',
          )
          if (text.test(statement)) await elsewhere(() => something(statement))
          return value.apply(target, asked)
        }
      },
    })
  }
  return new Proxy(database.pool, {
    get: (pool, name) => (name === 'connect' ? connect : Reflect.get(pool, name, pool)),
  })
}
/** Holds a unit of work open until released, at the latest when the test ends: the next test empties locked tables. */
function gate() {
  let go = (): void => {}
  let reached = (): void => {}
  const passed = new Promise<void>((resolve) => (go = resolve))
  const there = new Promise<void>((resolve) => (reached = resolve))
  onTestFinished(() => go())
  return { hold: async () => (reached(), passed), there, go: () => go() }
}

// Which work a claim takes, and when what was given back or put off is found: work-model.test.ts.
describe('a claim', () => {
  it('leaves out what another is claiming just now, of the same team too, and waits for nobody', async () => {
    const [team] = (await makeTeams(1)) as [string]
    const asked = [await ask(team), await ask(team)]
    const held = gate()
    const first = unit(async (tx) => {
      const job = await claimIn(tx)
      await held.hold()
      return job
    })
    await held.there
    const second = await claim()
    held.go()
    expect([(await first)!.id, second!.id].sort()).toEqual(asked.sort())
  })

  it('is left to its holder until the lease ends; who is overtaken finds the fence moved; a renewed lease goes on', async () => {
    const [team] = (await makeTeams(1)) as [string]
    await ask(team)
    const mine = (await claim())!
    expect(await claim()).toBeUndefined()
    state.nowMs += 59_000
    await unit((tx) => renewLeases(tx, rows, [mine], state.nowMs + 60_000))
    state.nowMs += 59_000
    expect(await claim()).toBeUndefined()
    state.nowMs += 1_000
    const theirs = (await claim())!
    expect(theirs.fence).toBeGreaterThan(mine.fence)
    expect(await unit((tx) => lockJob(tx, mine))).toBe(false)
    await unit((tx) => renewLeases(tx, rows, [mine], state.nowMs + 600_000))
    expect(await unit((tx) => lockJob(tx, theirs))).toBe(true)
    state.nowMs += 60_000
    expect(await claim()).toMatchObject({ id: mine.id })
  })

  it('leaves the work of a team that is not served until it is again [KEY-14]', async () => {
    const [team] = (await makeTeams(1, 'expired')) as [string]
    await ask(team)
    expect(await claim()).toBeUndefined()
    expect(await holds(database.bare, hasTurn('enrich_job', state.now, state.nowMs))).toBe(false)
    await sql`update team set status = 'active' where id = ${team}`.execute(database.bare)
    expect(await claim(), 'nobody has marked it').toBeUndefined()
    await healTurns(database.bare, [rows], { now: state.now, nowMs: state.nowMs, after: null })
    expect(await claim()).toMatchObject({ teamId: team })
  })
})

describe('a team put to rest', () => {
  it('while somebody is about to mark it keeps being ready: what is marked is found', async () => {
    const [team] = (await makeTeams(1)) as [string]
    await ask(team)
    await claim()
    // A second piece of work, in a unit that has marked the team but not committed.
    await sql`update work_turn set ready = true`.execute(database.bare)
    const held = gate()
    const asking = database.bare.transaction().execute(async (tx) => {
      await sql`insert into job (team_id, id, type, status, payload, due_at, created_at)
        values (${team}, ${ids.uuid(state.now)}, 'enrich_profile', 'pending', '{}', ${state.now},
            ${state.now})`.execute(tx)
      await sql`select 1 from work_turn where team_id = ${team} for key share`.execute(tx)
      await held.hold()
    })
    await held.there
    expect(await claim(), 'not committed yet').toBeUndefined()
    expect((await turnOf(team))!.ready).toBe(true)
    held.go()
    await asking
    expect(await claim()).toMatchObject({ teamId: team })
  })

  it('keeps being ready for whoever marks it while the unit that gave it a turn looks once more', async () => {
    const [team] = (await makeTeams(1)) as [string]
    await unit(async (tx) => tx.mark(rows.kind, team))
    // Another unit is marking the team during the first look and ends before the second.
    const marking = await database.pool.connect()
    await marking.query('begin')
    await marking.query('select 1 from work_turn where team_id = $1 for key share', [team])
    let looks = 0
    let asked: Promise<unknown> | undefined
    const isWaiting = async () =>
      (
        await database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount !== 0
    const beside = before(/ order by served |^commit$/, async (statement) => {
      if (statement !== 'commit') {
        if (++looks === 2) await marking.query('commit')
        return
      }
      let isOver = false
      asked = ask(team).finally(() => {
        isOver = true
      })
      await expect.poll(async () => isOver || (await isWaiting())).toBe(true)
    })
    const look = unitOn(new Kysely<Database>({ dialect: new PostgresDialect({ pool: beside }) }))
    expect(await look(claimIn)).toBeUndefined()
    marking.release()
    await asked
    expect([looks, (await turnOf(team))!.ready]).toEqual([2, true])
    expect(await claim()).toMatchObject({ teamId: team })
  })

  it('keeps being ready when a delivery comes between the look that found nothing and the rest', async () => {
    const [team] = (await makeTeams(1)) as [string]
    const [source, delivery] = [ids.uuid(state.now), ids.uuid(state.now)]
    await sql`
      with tracked as (
        insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
            created_at)
        values (${team}, ${source}, 'person', 'u', sha256('u'::bytea), 'active', 'engagers', false, true, ${state.now}))
      insert into webhook (team_id, owner_id, owner_kind, url)
      values (${team}, ${source}, 'source', 'https://receiver.example/in')`.execute(database.bare)
    const deliver = () =>
      unit(async (tx) => {
        await sql`
          insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
          values (${team}, ${delivery}, ${source}, 'post.detected', 'p', 'pending', '{}', ${state.now},
              ${state.now})`.execute(tx.db)
        tx.mark('delivery', team)
      })
    await unit(async (tx) => tx.mark('delivery', team))
    let delivered = false
    const beside = new Kysely<Database>({
      dialect: new PostgresDialect({
        pool: before(/from work_turn .* for update skip locked/, async () => {
          if (!delivered) await deliver()
          delivered = true
        }),
      }),
    })
    const claimDelivery = (on: typeof unit) =>
      on((tx) => claimDue(tx, { lease: leaseOf(ids.uuid(state.now), state.nowMs), most: 1, limits: [] }))
    const found = await claimDelivery(unitOn(beside))
    expect(delivered).toBe(true)
    const isReady = await holds(database.bare, hasTurn('delivery', state.now, state.nowMs))
    expect(isReady || found.length > 0, 'it does not wait until the next look').toBe(true)
    const next = found.length > 0 ? found : await claimDelivery(unit)
    expect(next.map(({ id }) => id)).toEqual([delivery])
  })

  it('is ready again when it is marked, however many mark it at once', async () => {
    const [team] = (await makeTeams(1)) as [string]
    await ask(team)
    const job = (await claim())!
    expect(await claim()).toBeUndefined()
    await Promise.all([ask(team), ask(team), unit((tx) => endLease(tx, rows, job))])
    expect([await claim(), await claim(), await claim(), await claim()].map((one) => one?.teamId)).toEqual([
      team,
      team,
      team,
      undefined,
    ])
  })
})

describe('a team with more endpoints than a claim looks at', () => {
  it('keeps no other from its turn, though each of them has little [WHK-17]', async () => {
    const [many, few] = (await makeTeams(2)) as [string, string]
    const sources = async (team: string, count: number) => {
      await sql`
        with tracked as (
          insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
              created_at)
          select ${team}, gen_random_uuid(), 'person', 'u' || i, sha256(('u' || i)::bytea), 'active', 'engagers', false,
            true, ${state.now} from generate_series(1, ${count}::int) i returning id),
        hooked as (
          insert into webhook (team_id, owner_id, owner_kind, url)
          select ${team}, id, 'source', 'https://receiver.example/in' from tracked)
        insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
        select ${team}, gen_random_uuid(), id, 'post.detected', 'p', 'pending', '{}', ${state.now}, ${state.now}
        from tracked`.execute(database.bare)
      await unit(async (tx) => tx.mark('delivery', team))
    }
    await sources(many, 100)
    await sources(few, 1)
    const processId = ids.uuid(state.now)
    const served: string[][] = []
    for (let turn = 0; turn < 2; turn++) {
      const claimed = await unit((tx) =>
        claimDue(tx, { lease: leaseOf(processId, state.nowMs), most: 144, limits: [] }),
      )
      served.push([...new Set(claimed.map(({ teamId }) => teamId))])
    }
    expect(served.flat()).toContain(few)
  })
})

async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<{ text: string; plan: string }[]> {
  statements.length = 0
  await unitOn(watched)(work)
  const asked = [...statements].filter((one) => /work_turn/.test(one.sql) && !/^(?:begin|commit)/.test(one.sql))
  const plans: { text: string; plan: string }[] = []
  for (const { sql: text, parameters } of asked) {
    const { rows: lines } = await database.pool.query(`explain (costs off) ${text}`, parameters as unknown[])
    plans.push({ text, plan: lines.map((line) => Object.values(line as object)[0]).join('\n') })
  }
  return plans
}

describe('the plan of a claim, with 20,000 due rows of one team and 2,000 teams beside it', () => {
  it.each(['enrich_job', 'enrichment', 'capture'] as const)(
    'of %s reads the ready teams and the oldest work of one of them by indexes: no sort of all that is due, no sequential scan [SYN-02]',
    async (kind) => {
      const [big, ...others] = (await makeTeams(2_001)) as [string, ...string[]]
      const fill: Record<typeof kind, (team: ReturnType<typeof sql>, count: number) => ReturnType<typeof sql>> = {
        enrich_job: (team, count) => sql`
          insert into job (team_id, id, type, status, payload, due_at, created_at)
          select ${team}, gen_random_uuid(), 'enrich_profile', 'pending', '{}', ${state.now}, ${state.now}
          from generate_series(1, ${count}::int) i`,
        enrichment: (team, count) => sql`
          insert into enrichment_task (team_id, person_urn, due_at, created_at)
          select ${team}, 'p' || i, ${state.now}, ${state.now} from generate_series(1, ${count}::int) i`,
        capture: (team, count) => sql`
          with made as (insert into source (team_id, id, type, username, identity, status, mode, capture_replies,
                enrich_leads, created_at)
            select ${team}, gen_random_uuid(), 'person', 'u' || i, sha256(('u' || i)::bytea), 'active', 'engagers',
              false, true, ${state.now} from generate_series(1, ${count}::int) i returning team_id, id)
          insert into sync (team_id, id, source_id, trigger, state, settings, cursor, lane, due_at, created_at)
          select team_id, gen_random_uuid(), id, 'track', 'queued', '{}', '{"phase":"posts"}', 'capture', ${state.now},
            ${state.now} from made`,
      }
      await fill[kind](sql`${big}::uuid`, 20_000).execute(database.bare)
      await fill[kind](sql`t.id`, 1)
        .execute(database.bare)
        .catch(() => {})
      for (const part of [others]) {
        await sql`insert into work_turn (team_id, kind, served) select id, ${kind}, n
          from unnest(${part}::uuid[]) with ordinality as t (id, n)`.execute(database.bare)
      }
      await sql`insert into work_turn (team_id, kind, served) values (${big}, ${kind}, 0)`.execute(database.bare)
      await sql`vacuum analyze job, enrichment_task, sync, work_turn, team`.execute(database.bare)
      const rowsOfKind = works[kind].rows[0]
      const plans = await plansOf(async (tx) => {
        const { claimOne } = await import('../../src/platform/work/index.ts')
        expect(await claimOne(tx, rowsOfKind, leaseOf(ids.uuid(state.now), state.nowMs))).toMatchObject({
          team_id: big,
        })
      })
      expect(plans.length).toBeGreaterThanOrEqual(2)
      for (const { plan } of plans) {
        expect(plan).not.toMatch(/Seq Scan on (?:work_turn|job|enrichment_task|sync|team)/)
        expect(plan).not.toMatch(/Sort Key: .*(?:due_at|served)/)
      }
    },
  )

  it('every kind of work is in the registry, and its rows name it', () => {
    expect(allRows.map(({ kind }) => kind).filter((kind) => !(kind in works))).toEqual([])
    for (const [kind, work] of Object.entries(works))
      expect(work.rows.map((one) => one.kind)).toEqual(work.rows.map(() => kind))
  })
})
