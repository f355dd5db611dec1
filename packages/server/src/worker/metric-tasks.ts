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
import { makeDriftRound } from './drift-round.ts'
import { readLateness } from './retention/turns.ts'
import { allRows } from './works.ts'

/** Rows of a queue that are looked at; a longer queue is long all the same. */
const mostWaiting = 1_000
const mostHolds = 10_000

/** What figures are read with. */
export type MetricTaskParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly metrics: Pick<WorkMetrics, 'sample' | 'ledger'>
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
type Compared = {
  readonly balanceOff: number
  readonly spentOff: number
  readonly heldOff: number
  /** Of the whole team: what the days come to against what its lines do. */
  readonly daysOff: number
}

/** Accounts behind one, in the order of their keys. */
async function listAccounts(db: Reader, after: AccountKey | null, limit: number): Promise<AccountKey[]> {
  const behind = after ? sql`(team_id, account) > (${after.teamId}::uuid, ${after.account})` : sql`true`
  const { rows } = await sql<AccountKey>`select team_id as "teamId", account from credit_account where ${behind}
      order by team_id, account limit ${limit}`.execute(db)
  return rows
}

/** How an account differs from its lines and its holds; null when it does not. */
async function compareAccount(db: Reader, key: AccountKey): Promise<Compared | null> {
  const { rows } = await sql<Compared>`
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
    where a.team_id = ${key.teamId} and a.account = ${key.account}`.execute(db)
  const [found] = rows
  return found && Object.values(found).some((off) => off !== 0) ? found : null
}

/** Goes round all accounts, some at a time; remembers those that do not add up until they do. */
export const makeLedgerRound = ({ metrics, ...parts }: MetricTaskParts): (() => Promise<void>) =>
  makeDriftRound(parts, {
    list: listAccounts,
    nameOf: ({ teamId, account }) => `${teamId}/${account}`,
    compare: compareAccount,
    statementMs: 5_000,
    says: 'the ledger does not add up',
    tell: metrics.ledger,
  })

/** Tasks that look and change nothing; what fails is said and tried again, and keeps nothing else from running. */
export function metricTasks(parts: MetricTaskParts): PeriodicTask[] {
  const ledger = makeLedgerRound(parts)
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
  return [reading('sample queues and holds', 20_000, sample), reading('compare the ledger with itself', 30_000, ledger)]
}
