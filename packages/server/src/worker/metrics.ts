import { secondsBuckets, type Metrics } from '../platform/metrics.ts'
import { sql, type Kysely, type Transaction } from 'kysely'
import { type SystemClock, passedMs } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { currentShard, isOfTeamHere, onlyShard } from '../platform/db/shards.ts'
import { queryAll, queryOne } from '../platform/db/query.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import { eachKind } from '../job-catalog.ts'
import { readWaiting } from '../platform/work/index.ts'
import type { PeriodicTask } from './clock.ts'
import { readLateness } from './retention/teams.ts'
import { allRows } from './works.ts'

type WorkOutcome = { readonly kind: string; readonly outcome: 'worked' | 'failed'; readonly seconds: number }

type Sample = {
  /** By kind: how long the oldest claimable piece has waited, and how many wait (counted to a bound). */
  readonly queues: Readonly<Record<string, { readonly oldestSeconds: number; readonly waiting: number }>>
  readonly holds: { readonly open: number; readonly overdue: number }
  /** Seconds since the most overdue team was due for retention; 0 when none is. */
  readonly retentionLateSeconds: number
}

export type WorkMetrics = Pick<Metrics, 'count'> & {
  readonly work: (unit: WorkOutcome) => void
  /** Replaces the last sample; old samples are not shown. */
  readonly sample: (sample: Sample, atMs: number) => void
  readonly shard: (shard: string, answers: boolean) => void
  /** A round over accounts: how many were compared, and how many seen so far do not add up. */
  readonly ledger: (round: { readonly compared: number; readonly drifting: number }) => void
}

const freshMs = 120_000

const byKind = (value: (queue: Sample['queues'][string]) => number) => (sample: Sample) =>
  Object.entries(sample.queues).map(([kind, queue]) => [{ kind }, value(queue)] as const)

const sampled = (metrics: Metrics): WorkMetrics['sample'] =>
  metrics.sampled<Sample>(freshMs, [
    {
      name: 'les_queue_oldest_seconds',
      help: 'How long the oldest piece of work that could be done has waited, in service time.',
      labels: ['kind'],
      read: byKind((queue) => queue.oldestSeconds),
    },
    {
      name: 'les_queue_waiting',
      help: 'Pieces of work that could be done now, counted to 1,000.',
      labels: ['kind'],
      read: byKind((queue) => queue.waiting),
    },
    {
      name: 'les_credit_holds',
      help: 'Credit holds that are open, and those past their time; counted to 10,000.',
      labels: ['state'],
      read: ({ holds }) => Object.entries(holds).map(([state, count]) => [{ state }, count] as const),
    },
    {
      name: 'les_retention_late_seconds',
      help: 'How long ago old rows of some team should have been searched for, in service time.',
      labels: [],
      read: ({ retentionLateSeconds }) => [[{}, retentionLateSeconds]],
    },
  ])

/** Declares the metrics of workers and the clock. */
export function workMetrics(metrics: Metrics): Omit<WorkMetrics, 'count'> {
  const work = metrics.counter({
    name: 'les_work_total',
    help: 'Units of background work ended.',
    labels: ['kind', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'les_work_seconds',
    help: 'Time of a unit of background work.',
    labels: ['kind'],
    buckets: secondsBuckets,
  })
  const compared = metrics.counter({
    name: 'les_ledger_accounts_compared_total',
    help: 'Credit accounts whose lines were added up.',
    labels: [],
  })
  const drifting = metrics.gauge({
    name: 'les_ledger_drift_accounts',
    help: 'Credit accounts whose lines do not add up to their totals. Must be 0.',
    labels: [],
  })
  const answers = metrics.gauge({
    name: 'les_shard_answers',
    help: 'Whether the tables of a shard could be read when they were last looked at; only where there are several.',
    labels: ['shard'],
  })
  return {
    shard: (shard, does) => answers({ shard }, does ? 1 : 0),
    work: ({ kind, outcome, seconds: took }) => {
      work({ kind, outcome })
      seconds({ kind }, took)
    },
    sample: sampled(metrics),
    ledger: (round) => {
      compared({}, round.compared)
      drifting({}, round.drifting)
    },
  }
}

/** The most comparisons per round, and the time after which it starts no other. */
const keysARound = 40
const roundMs = 1_000

type DriftRound<K extends { readonly teamId: string }> = {
  readonly list: (db: Reader, after: K | null, limit: number) => Promise<readonly K[]>
  readonly nameOf: (key: K) => string
  /** How one thing differs, read at one instant; null when it does not. */
  readonly compare: (instant: Transaction<Database>, key: K) => Promise<Readonly<Record<string, unknown>> | null>
  readonly statementMs: number
  readonly says: string
  /** Called after each round: how many were compared, and how many seen so far differ. */
  readonly tell: (round: { readonly compared: number; readonly drifting: number }) => void
}

/** Makes a round that continues after the last one and wraps around; differences are remembered until they disappear. */
export function makeDriftRound<K extends { readonly teamId: string }>(
  { db, system, log }: { db: Kysely<Database>; system: SystemClock; log: Log },
  { list, nameOf, compare, statementMs, says, tell }: DriftRound<K>,
): () => Promise<void> {
  const drifting = new Set<string>()
  let last: K | null = null
  const compareOne = (key: K) =>
    db.transaction().execute(async (instant) => {
      await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(instant)
      return compare(instant, key)
    })
  return async () => {
    const keys = await list(db, last, keysARound)
    const endMs = system.nowMs() + roundMs
    let compared = 0
    for (const key of keys) {
      last = key
      const off = await compareOne(key)
      compared += 1
      const name = nameOf(key)
      if (off && !drifting.has(name)) log.error(says, { ...key, ...off })
      if (off) drifting.add(name)
      else drifting.delete(name)
      if (system.nowMs() >= endMs) break
    }
    if (keys.length === 0 || (keys.length < keysARound && last === keys.at(-1))) last = null
    tell({ compared, drifting: drifting.size })
  }
}

const maxWaiting = 1_000
const maxHolds = 10_000

type MetricTaskParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly metrics: Pick<WorkMetrics, 'sample' | 'ledger' | 'shard'>
  readonly log: Log
}

/** Metrics for several shards, each sampled separately: shows the sum of their last samples. */
export function summedOverShards(metrics: MetricTaskParts['metrics']): MetricTaskParts['metrics'] {
  const samples = new Map<string, Sample>()
  const drifting = new Map<string, number>()
  return {
    shard: metrics.shard,
    sample: (sample, atMs) => {
      samples.set(currentShard(), sample)
      metrics.sample(sumOf([...samples.values()]), atMs)
    },
    ledger: (round) => {
      drifting.set(currentShard(), round.drifting)
      metrics.ledger({ ...round, drifting: [...drifting.values()].reduce((sum, each) => sum + each, 0) })
    },
  }
}

function sumOf(samples: readonly Sample[]): Sample {
  const most = (read: (sample: Sample) => number): number => Math.max(...samples.map(read))
  const sum = (read: (sample: Sample) => number): number => samples.reduce((total, each) => total + read(each), 0)
  return {
    queues: eachKind((kind) => ({
      oldestSeconds: most(({ queues }) => queues[kind]!.oldestSeconds),
      waiting: sum(({ queues }) => queues[kind]!.waiting),
    })),
    holds: { open: sum(({ holds }) => holds.open), overdue: sum(({ holds }) => holds.overdue) },
    retentionLateSeconds: most(({ retentionLateSeconds }) => retentionLateSeconds),
  }
}

/** Samples queues, holds and retention. */
export async function readSample(db: Reader, now: Date, nowMs: number): Promise<Sample> {
  const due = await readWaiting(db, allRows, { now, nowMs, most: maxWaiting })
  const holds = (await queryOne<{ open: number; overdue: number }>(db)`
    select count(*)::integer as open, (count(*) filter (where expires_at <= ${now}))::integer as overdue
    from (select expires_at from credit_hold where ${isOfTeamHere(sql`team_id`)} limit ${maxHolds}) h`)!
  const waits = new Map(due.map((row) => [row.kind, row]))
  const queues = eachKind((kind) => {
    const row = waits.get(kind)
    return {
      oldestSeconds: row ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0,
      waiting: row?.waiting ?? 0,
    }
  })
  return { queues, holds, retentionLateSeconds: await readLateness(db, now) }
}

type AccountKey = { readonly teamId: string; readonly account: string }
type Compared = { readonly balanceOff: number; readonly spentOff: number; readonly heldOff: number }

async function listAccounts(db: Reader, after: AccountKey | null, limit: number): Promise<AccountKey[]> {
  const behind = after ? sql`(team_id, account) > (${after.teamId}::uuid, ${after.account})` : sql`true`
  return queryAll<AccountKey>(db)`
    select team_id as "teamId", account from credit_account
    where ${behind} and ${isOfTeamHere(sql`team_id`)} order by team_id, account limit ${limit}`
}

/** Null when the account agrees with its entries and holds. */
async function compareAccount(db: Reader, key: AccountKey): Promise<Compared | null> {
  const found = await queryOne<Compared>(db)`
    select (a.granted - a.spent - coalesce(e.all_lines, 0))::float8 as "balanceOff",
      (a.spent - coalesce(e.charges, 0))::float8 as "spentOff", (a.held - coalesce(h.held, 0))::float8 as "heldOff"
    from credit_account a
    left join lateral (select sum(amount) as all_lines, -sum(amount) filter (where kind = 'charge') as charges
      from credit_entry where team_id = a.team_id and account = a.account) e on true
    left join lateral (select sum(amount) as held from credit_hold
      where team_id = a.team_id and account = a.account) h on true
    where a.team_id = ${key.teamId} and a.account = ${key.account}`
  return found && Object.values(found).some((off) => off !== 0) ? found : null
}

/** Compares all accounts with their entries, some per round. */
export const makeLedgerRound = ({ metrics, ...parts }: MetricTaskParts): (() => Promise<void>) =>
  makeDriftRound(parts, {
    list: listAccounts,
    nameOf: ({ teamId, account }) => `${teamId}/${account}`,
    compare: compareAccount,
    statementMs: 5_000,
    says: 'the ledger does not add up',
    tell: metrics.ledger,
  })

/** Read-only tasks; a failure is logged and tried again, and stops nothing else. */
export function metricTasks(parts: MetricTaskParts): PeriodicTask[] {
  const ledger = makeLedgerRound(parts)
  const sample = async () => {
    try {
      const seen = await readSample(parts.db, await parts.serviceNow(parts.db), parts.system.nowMs())
      parts.metrics.sample(seen, parts.system.nowMs())
      if (currentShard() !== onlyShard) parts.metrics.shard(currentShard(), true)
    } catch (error) {
      if (currentShard() !== onlyShard) parts.metrics.shard(currentShard(), false)
      throw error
    }
  }
  const reading = (name: string, everyMs: number, read: () => Promise<void>): PeriodicTask => {
    let lastMs = 0
    const run = async () => {
      // A moved service clock runs every task; these follow system time only.
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
