/**
 * The work engine against a model (a list of rows and a number per team): after any history of calls, stopped processes and
 * passing time the rows match the model.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  claimJob,
  completeJob,
  insertJob,
  jobRows,
  lockJob,
  postponeJob,
  recordUnexpectedOfJob,
  type ClaimedJob,
} from '../../src/modules/jobs/index.ts'
import { makeUnitOfWork, type Tx, type UnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { machineIds } from '../../src/platform/random.ts'
import { unexpectedRetryAt } from '../../src/platform/task-context.ts'
import { endLease, leaseOf, endAllLeases, renewLeases, retryFailingWork } from '../../src/platform/work/index.ts'
import { amount } from '../world/amount.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'

const rows = jobRows.enrich_job
const ids = machineIds()
const start = Date.parse('2026-11-02T08:00:00.000Z')
const minute = 60_000
const lease = minute
/** Service time and system time, which are equal here. */
let nowMs = start
const now = () => new Date(nowMs)

let database: TestDatabase
let unit: UnitOfWork
let teams: readonly string[]

beforeAll(async () => {
  database = await freshDatabase()
  unit = makeUnitOfWork({
    db: database.bare,
    ids,
    serviceNow: async () => now(),
    wake: () => {},
    onEffectError: (error) => {
      throw error
    },
  })
  teams = [0, 1, 2].map(() => ids.uuid(now()))
  await insertTeams(database.bare, teams, now())
})
afterAll(() => database.drop())

async function begin(): Promise<void> {
  nowMs = start
  await sql`with jobs as (delete from job), turns as (delete from work_turn) update team set status = 'active'
    where status <> 'active'`.execute(database.bare)
}
beforeEach(begin)

type Row = {
  readonly id: string
  readonly team: string
  dueMs: number
  untilMs: number | null
  fence: number
  attempts: number
  failures: number
  over: boolean
}
type Held = { readonly job: ClaimedJob; readonly row: Row; readonly failures: number }

class Model {
  readonly rows: Row[] = []
  readonly held: Held[] = []
  readonly paused = new Set<string>()
  /** When each team was served last, as an increasing number. */
  readonly served = new Map(teams.map((team) => [team, 0]))
  /** Teams whose rows became claimable only by passing time: the next claim marks them and may itself skip them. */
  waking = new Set<string>()
  turns = 0

  claimable(): Row[] {
    return this.rows.filter(
      (row) =>
        !row.over && row.dueMs <= nowMs && (row.untilMs === null || row.untilMs <= nowMs) && !this.paused.has(row.team),
    )
  }
  /** Whether nobody has claimed the row since and it is not over. */
  isOurs = ({ job, row }: Held): boolean => !row.over && row.fence === job.fence
  pick = <T>(from: readonly T[], n: number): T | undefined => from[n % Math.max(1, from.length)]
  drop(held: Held): void {
    this.held.splice(this.held.indexOf(held), 1)
  }
}

const newLease = () => leaseOf(ids.uuid(now()), nowMs)
const claimIn = (tx: Tx) => claimJob(tx, 'enrich_job', newLease())

async function ask(model: Model, team: string): Promise<void> {
  const id = await unit((tx) => insertJob(tx, { teamId: team, type: 'enrich_profile', payload: {} }))
  model.rows.push({ id, team, dueMs: nowMs, untilMs: null, fence: 0, attempts: 0, failures: 0, over: false })
}

async function claim(model: Model): Promise<boolean> {
  const candidates = model.claimable()
  const job = await unit(claimIn)
  if (candidates.length === 0) {
    expect(job, 'what is leased, not due or of a team that is not served is not claimed').toBeUndefined()
    return false
  }
  expect(job, 'what is due and free is found').toBeDefined()
  const row = candidates.find(({ id }) => id === job!.id)
  expect(row, 'what is leased, not due or of a team that is not served is not claimed').toBeDefined()
  const { team } = row!
  const mine = candidates.filter((one) => one.team === team)
  const oldest = mine.toSorted((a, b) => a.dueMs - b.dueMs || (a.id < b.id ? -1 : 1))[0]
  expect(row!.id, 'the row of the team that is due longest comes first').toBe(oldest!.id)
  for (const other of candidates.filter((one) => !model.waking.has(one.team)))
    expect(model.served.get(team), 'the team served longest ago comes next').toBeLessThanOrEqual(
      model.served.get(other.team)!,
    )
  expect(job!.fence, 'a claim moves the fence up').toBeGreaterThan(row!.fence)
  row!.fence = job!.fence
  row!.untilMs = nowMs + lease
  model.served.set(team, ++model.turns)
  model.waking.clear()
  model.held.push({ job: job!, row: row!, failures: row!.failures })
  return true
}

/** A worker ends its claim: under the fence, or, if it lost the lease, without writing anything. */
async function end(model: Model, held: Held, how: 'complete' | 'give back' | 'held' | number): Promise<void> {
  const { job, row } = held
  const locked = await unit(async (tx) => {
    if (!(await lockJob(tx, job))) return false
    if (how === 'complete') await completeJob(tx, job, {})
    else if (how === 'give back') await endLease(tx, rows, job)
    else if (how === 'held') await postponeJob(tx, { job, dueAt: new Date(nowMs + minute), cause: 'held' })
    else await postponeJob(tx, { job, dueAt: new Date(nowMs + how) })
    return true
  })
  expect(locked, 'only who claimed a row last may write').toBe(model.isOurs(held))
  model.drop(held)
  if (!locked) return
  row.untilMs = null
  if (how === 'complete') row.over = true
  else if (how === 'held') row.dueMs = nowMs + minute
  else if (how !== 'give back') [row.dueMs, row.attempts] = [nowMs + how, row.attempts + 1]
}

const waits = [minute, 5 * minute, 30 * minute, 120 * minute]

async function fail(model: Model, held: Held): Promise<void> {
  const { job, row, failures } = held
  const work = { rowKind: 'job', teamId: row.team, id: row.id, fence: job.fence, failures } as const
  const recorded = await unit((tx) => recordUnexpectedOfJob(tx, work, unexpectedRetryAt(failures, tx.now)))
  const wait = waits[failures]
  expect(recorded, 'the fifth failure in a row ends the work').toBe(
    !model.isOurs(held) ? 'lost' : wait === undefined ? 'ended' : 'put_off',
  )
  model.drop(held)
  if (recorded === 'lost') return
  row.untilMs = null
  if (wait === undefined) row.over = true
  else [row.dueMs, row.failures] = [nowMs + wait, row.failures + 1]
}

async function renew(model: Model, held: Held): Promise<void> {
  await unit((tx) => renewLeases(tx, rows, [held.job], nowMs + 2 * lease))
  if (held.row.untilMs !== null && held.row.fence === held.job.fence) held.row.untilMs = nowMs + 2 * lease
}

function pass(model: Model, ms: number): void {
  const before = new Set(model.claimable().map(({ team }) => team))
  nowMs += ms
  for (const { team } of model.claimable()) if (!before.has(team)) model.waking.add(team)
}

async function undoneClaim(): Promise<void> {
  const undone = new Error('undone')
  const claiming = unit(async (tx) => {
    await claimIn(tx)
    throw undone
  })
  await expect(claiming).rejects.toBe(undone)
}

async function restart(model: Model): Promise<void> {
  await unit((tx) => endAllLeases(tx, rows))
  for (const row of model.rows) if (!row.over) row.untilMs = null
}

async function serve(model: Model, team: string): Promise<void> {
  const paused = model.paused.has(team)
  await unit(async (tx) => {
    await sql`update team set status = ${paused ? 'active' : 'expired'} where id = ${team}`.execute(tx.db)
    tx.markAll(team)
  })
  if (paused) model.paused.delete(team)
  else model.paused.add(team)
}

async function retry(model: Model, row: Row): Promise<void> {
  const can = !row.over && row.failures > 0 && (row.untilMs === null || row.untilMs <= nowMs)
  const work = { kind: rows.kind, teamId: row.team, id: row.id, nowMs }
  expect(await unit((tx) => retryFailingWork(tx, [rows], work))).toBe(can)
  if (can) row.dueMs = nowMs
}

async function compare(model: Model): Promise<void> {
  const { rows: stored } = await sql<Row>`
    select id, team_id as team, extract(epoch from due_at)::float8 * 1000 as "dueMs",
      lease_until_ms::float8 as "untilMs", fence::int as fence, attempts,
      unexpected_failures as failures, finished_at is not null as over from job order by id`.execute(database.bare)
  // A finished row keeps its due time.
  expect(stored).toEqual(model.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
}

const steps = {
  ask: (model: Model, n: number) => ask(model, teams[n % teams.length]!),
  claim: (model: Model) => claim(model),
  undoneClaim: () => undoneClaim(),
  complete: (model: Model, n: number) => withHeld(model, n, (held) => end(model, held, 'complete')),
  endLease: (model: Model, n: number) => withHeld(model, n, (held) => end(model, held, 'give back')),
  postpone: (model: Model, n: number) => withHeld(model, n, (held) => end(model, held, (1 + (n % 3)) * 30_000)),
  postponeHeld: (model: Model, n: number) => withHeld(model, n, (held) => end(model, held, 'held')),
  fail: (model: Model, n: number) => withHeld(model, n, (held) => fail(model, held)),
  renew: (model: Model, n: number) => withHeld(model, n, (held) => renew(model, held)),
  pass: async (model: Model, n: number) => pass(model, [1_000, 30_000, lease, lease, 30 * minute][n % 5]!),
  restart: (model: Model) => restart(model),
  serve: (model: Model, n: number) => serve(model, teams[n % teams.length]!),
  retry: async (model: Model, n: number) => {
    const row = model.pick(model.rows, n)
    if (row) await retry(model, row)
  },
}
/** One of the claims, half of the time one whose lease was lost, if there is any. */
async function withHeld(model: Model, n: number, work: (held: Held) => Promise<void>): Promise<void> {
  const overtaken = model.held.filter((held) => !model.isOurs(held))
  const held = model.pick(n % 2 === 0 && overtaken.length > 0 ? overtaken : model.held, n)
  if (held) await work(held)
}

const weights: Readonly<Record<keyof typeof steps, number>> = {
  ask: 6,
  claim: 9,
  undoneClaim: 1,
  complete: 1,
  endLease: 2,
  postpone: 2,
  postponeHeld: 1,
  fail: 4,
  renew: 3,
  pass: 6,
  restart: 1,
  serve: 2,
  retry: 1,
}
const histories = fc.array(
  fc.tuple(
    fc.oneof(
      ...(Object.keys(steps) as (keyof typeof steps)[]).map((step) => ({
        weight: weights[step],
        arbitrary: fc.constant(step),
      })),
    ),
    fc.nat(30),
  ),
  { minLength: 25, maxLength: 40, size: 'max' },
)

describe('any history of work', () => {
  it('leaves rows, leases, fences, tries and the turns of teams as the model has them, and loses nothing [SYN-02]', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await begin()
        const model = new Model()
        for (const [step, n] of history) {
          await steps[step](model, n)
          await compare(model)
        }
        for (const team of [...model.paused]) await serve(model, team)
        pass(model, 24 * 60 * minute)
        let found = 0
        while (await claim(model)) found += 1
        expect(found, 'nothing is lost').toBe(model.rows.filter(({ over }) => !over).length)
      }),
      { numRuns: amount(6, 500), seed: 20261102 },
    )
  })

  it('of one piece that always fails ends after the fifth failure; a worker that was overtaken writes nothing of it', async () => {
    const model = new Model()
    await ask(model, teams[0]!)
    const tries: number[] = []
    for (let n = 0; n < 10 && !model.rows[0]!.over; n++) {
      const since = nowMs
      while (!(await claim(model))) pass(model, 30_000)
      tries.push((nowMs - since) / minute)
      // Its lease has expired and another has claimed.
      pass(model, lease)
      expect(await claim(model)).toBe(true)
      await renew(model, model.held[0]!)
      await compare(model)
      await fail(model, model.held[0]!)
      await fail(model, model.held[0]!)
      await compare(model)
    }
    expect(tries).toEqual([0, 1, 5, 30, 120])
  })
})

it('any number of claims side by side never take the same row, and together take all of them', async () => {
  const asked = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 2, max: 4 }), async (ofTeams, workers) => {
      await begin()
      const model = new Model()
      for (const n of ofTeams) await ask(model, teams[n]!)
      const taken: ClaimedJob[] = []
      for (;;) {
        const round = await Promise.all(Array.from({ length: workers }, () => unit(claimIn)))
        const found = round.filter((job) => job !== undefined)
        taken.push(...found)
        // Concurrent claims may find nothing; a single one must not.
        const last = found.length === 0 ? await unit(claimIn) : undefined
        if (last) taken.push(last)
        else if (found.length === 0) break
      }
      expect(taken.map(({ id }) => id).toSorted()).toEqual(model.rows.map(({ id }) => id).toSorted())
      expect(taken.map(({ fence }) => fence)).toEqual(taken.map(() => 1))
    }),
    { numRuns: amount(6, 300), seed: 20261102 },
  )
})
