/**
 * Figures that only the database knows: how long work has waited, which holds are open, whether the ledger adds up. The one process
 * whose clock acts samples them; a scrape of the metrics never asks the database. Every query is bounded, whatever the tables hold.
 */
import { sql, type Kysely } from 'kysely'
import { eachKind } from '../job-catalog.ts'
import { passedMs, type SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import type { Sample, WorkMetrics } from './metrics.ts'
import { readWaiting } from '../platform/work/index.ts'
import type { PeriodicTask } from './clock.ts'
import { makePushRound } from './push-round.ts'
import { readLateness } from './retention/turns.ts'
import { allRows } from './works.ts'

/** Rows of a queue that are looked at; a longer queue is long all the same. */
const mostWaiting = 1_000
const mostHolds = 10_000
/** Accounts compared in one round, and the longest one of them may take. */
const accountsARound = 40
const roundMs = 1_000
const statementMs = 5_000

/** What figures are read with. */
export type MetricTaskParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly metrics: Pick<WorkMetrics, 'sample' | 'ledger' | 'pushes'>
  readonly log: Log
}

/** Looks at the queues and the holds. */
export async function readSample(db: Reader, now: Date, nowMs: number): Promise<Sample> {
  const due = await readWaiting(db, allRows, { now, nowMs, most: mostWaiting })
  const { rows: holds } = await sql<{ open: number; overdue: number }>`
    select count(*)::integer as open, (count(*) filter (where expires_at <= ${now}))::integer as overdue
    from (select expires_at from credit_hold limit ${mostHolds}) h`.execute(db)
  const waits = new Map(due.map((row) => [row.kind, row]))
  const queues = eachKind((kind) => {
    const row = waits.get(kind)
    return {
      oldestSeconds: row ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0,
      waiting: row?.waiting ?? 0,
    }
  })
  return {
    queues,
    holds: { open: holds[0]!.open, overdue: holds[0]!.overdue },
    retentionLateSeconds: await readLateness(db, now),
  }
}

type AccountKey = { readonly teamId: string; readonly account: string }
type Compared = AccountKey & {
  readonly balanceOff: number
  readonly spentOff: number
  readonly heldOff: number
  /** Of the whole team: what the days come to against what its lines do. */
  readonly daysOff: number
}

/** Compares one account with its lines and its holds, all at one instant: each difference must be 0. */
async function compareAccount(db: Kysely<Database>, key: AccountKey): Promise<Compared | undefined> {
  return db.transaction().execute(async (instant) => {
    await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(instant)
    const { rows } = await sql<Omit<Compared, keyof AccountKey>>`
      select (a.granted - a.spent - coalesce(e.all_lines, 0))::float8 as "balanceOff",
        (a.spent - coalesce(e.charges, 0))::float8 as "spentOff", (a.held - coalesce(h.held, 0))::float8 as "heldOff",
        (select coalesce(sum(d.credits), 0) from credit_day d
          where d.team_id = a.team_id)::float8 - (select coalesce(sum(b.spent), 0) from credit_account b
          where b.team_id = a.team_id)::float8 as "daysOff"
      from credit_account a
      left join lateral (select sum(amount) as all_lines, -sum(amount) filter (where kind = 'charge') as charges
        from credit_entry where team_id = a.team_id and account = a.account) e on true
      left join lateral (select sum(amount) as held from credit_hold
        where team_id = a.team_id and account = a.account) h on true
      where a.team_id = ${key.teamId} and a.account = ${key.account}`.execute(instant)
    return rows[0] && { ...key, ...rows[0] }
  })
}

/** Goes round all accounts, some at a time; remembers those that do not add up until they do. */
export function makeLedgerRound(parts: MetricTaskParts): () => Promise<void> {
  const { db, system, metrics, log } = parts
  const drifting = new Set<string>()
  let last: AccountKey | undefined
  return async () => {
    const after = last ? sql`(team_id, account) > (${last.teamId}::uuid, ${last.account})` : sql`true`
    const { rows } = await sql<AccountKey>`select team_id as "teamId", account from credit_account where ${after}
        order by team_id, account limit ${accountsARound}`.execute(db)
    const endMs = system.nowMs() + roundMs
    let compared = 0
    for (const key of rows) {
      last = key
      const found = await compareAccount(db, key)
      compared += 1
      const name = `${key.teamId}/${key.account}`
      const wrong =
        found !== undefined &&
        (found.balanceOff !== 0 || found.spentOff !== 0 || found.heldOff !== 0 || found.daysOff !== 0)
      if (wrong && !drifting.has(name)) log.error('the ledger does not add up', { ...found })
      if (wrong) drifting.add(name)
      else drifting.delete(name)
      if (system.nowMs() >= endMs) break
    }
    // The end of the round: the next begins at the first account again.
    if (rows.length === 0 || (rows.length < accountsARound && last === rows.at(-1))) last = undefined
    metrics.ledger({ compared, drifting: drifting.size })
  }
}

/** Tasks that look and change nothing; what fails is said and tried again, and keeps nothing else from running. */
export function metricTasks(parts: MetricTaskParts): PeriodicTask[] {
  const ledger = makeLedgerRound(parts)
  const pushes = makePushRound(parts)
  const sample = async () =>
    parts.metrics.sample(
      await readSample(parts.db, await parts.serviceNow(parts.db), parts.system.nowMs()),
      parts.system.nowMs(),
    )
  const reading = (name: string, everyMs: number, read: () => Promise<void>): PeriodicTask => {
    let lastMs = 0
    const run = async () => {
      // A moved service clock makes every task look; these follow the machine's time alone.
      const nowMs = parts.system.nowMs()
      if (passedMs(lastMs, nowMs) < everyMs) return 0
      lastMs = nowMs
      await read().catch((error: unknown) => parts.log.warn('a figure could not be read', { figure: name, error }))
      return 0
    }
    return { name, everyMs, run }
  }
  return [
    reading('sample queues and holds', 20_000, sample),
    reading('compare the ledger with itself', 30_000, ledger),
    // One of a million leads takes about a second to count.
    reading('compare pushes with their leads', 600_000, pushes),
  ]
}
