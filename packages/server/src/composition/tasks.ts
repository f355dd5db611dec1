/** Everything that happens by itself: one list, which the clock, drains, the simulation and the crash tests read. */
import { purgeSpendAnswers } from '../edge/mcp/index.ts'
import type { JobKind } from '../job-catalog.ts'
import { purgeIdempotency } from '../modules/accounts/index.ts'
import { releaseExpiredHolds, renewDuePeriods } from '../modules/credits/index.ts'
import { giveUpHeld, purgeDeliveryLog } from '../modules/delivery/index.ts'
import { purgePages } from '../modules/posts/index.ts'
import { purgeRequests } from '../modules/request-log/index.ts'
import { purgeSends } from '../modules/sends/index.ts'
import { openDueRuns, stopEndedSearches, writeOffUntracked } from '../modules/sources/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import type { FaultPoint, FaultPointHook } from '../platform/faults.ts'
import { healTurns, type RoundDeps } from '../platform/work/index.ts'
import { probeHeld } from '../providers/probes.ts'
import { purgeEnded } from '../sign-in/index.ts'
import type { PeriodicTask } from '../worker/clock.ts'
import { dueKinds } from '../worker/due.ts'
import { purgeKeptAnswers } from '../worker/kept-answers.ts'
import { allRows } from '../worker/works.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'
import { vendorTasks, type VendorOperationParts } from './vendor-operations.ts'

/** What tasks of modules work with. */
export type TaskParts = RoundDeps & { readonly faultPoint: FaultPointHook; readonly system: SystemClock }

/** A task of a module: how often it is looked at in system time, what it does, and the fault points it passes. */
export type ModuleTask = {
  readonly everyMs: number
  readonly run: (parts: TaskParts) => Promise<number>
  readonly passes?: readonly FaultPoint[]
}

const minute = 60_000
const forget = (everyMs: number, purge: (tx: Tx, systemNow: Date) => Promise<number>): ModuleTask => ({
  everyMs,
  run: ({ unitOfWork, system }) => unitOfWork((tx) => purge(tx, new Date(system.nowMs()))),
})

/** What modules do by themselves, by name, in the order of a look. */
export const moduleTasks = {
  'renew credit periods': { everyMs: 30_000, run: renewDuePeriods, passes: ['credits.renewed'] },
  'stop searches whose end has passed': { everyMs: 10_000, run: stopEndedSearches },
  'open due syncs': { everyMs: 10_000, run: openDueRuns, passes: ['clock.sync-opened'] },
  'write off enrichment of untracked sources': { everyMs: 2_000, run: writeOffUntracked },
  'release expired credit holds': { everyMs: 10_000, run: releaseExpiredHolds },
  'forget old vendor pages': forget(10 * minute, (tx) => purgePages(tx)),
  'forget answers kept for work that failed': forget(10 * minute, (tx) => purgeKeptAnswers(tx)),
  'forget old safe retries': forget(10 * minute, (tx) => purgeIdempotency(tx.db, tx.now, 10_000)),
  'forget answered spend questions': forget(10 * minute, (tx) => purgeSpendAnswers(tx)),
  'give up what is held for untracked sources': { everyMs: 5_000, run: giveUpHeld },
  'forget ended sessions': forget(60 * minute, purgeEnded),
  'forget old calls': forget(60 * minute, (tx) => purgeRequests(tx)),
  'forget old deliveries': forget(60 * minute, (tx) => purgeDeliveryLog(tx, tx.now)),
  'forget old sends of people': forget(60 * minute, (tx) =>
    purgeSends(tx, new Date(tx.now.getTime() - 30 * 24 * 60 * minute)),
  ),
} as const satisfies Readonly<Record<string, ModuleTask>>

/** What a drain leaves out: it looks at what is due itself. */
const nudging = 'nudge what is due'

/** Longer ones are of no use to a drain. */
const longestDrainedMs = 30_000

/** The tasks that a drain runs: all that make work due, or do some. */
export const drained = (tasks: readonly PeriodicTask[]): PeriodicTask[] =>
  tasks.filter((task) => task.everyMs <= longestDrainedMs && task.name !== nudging)

/** Nudges whatever is due, also what no commit told of. */
function sweep({ database, clock, system, nudges }: Base): () => Promise<number> {
  return async () => {
    const kinds: readonly JobKind[] = await dueKinds(database.root, await clock.now(database.root), system.nowMs())
    if (kinds.length > 0) await database.bare.transaction().execute((db) => nudges.write(db, kinds))
    return 0
  }
}

/** Finds due work of teams whose turn was never marked, some of the teams a round. */
function heal({ database, clock, system }: Base): () => Promise<number> {
  let healedUpTo: string | null = null
  return async () => {
    const at = { now: await clock.now(database.bare), nowMs: system.nowMs(), after: healedUpTo }
    const { healed, last } = await healTurns(database.bare, allRows, at)
    healedUpTo = last
    return healed
  }
}

/** Everything that happens by itself in a process whose clock acts. */
export function allTasks(base: Base, calls: Calls, vendors: VendorOperationParts): PeriodicTask[] {
  const { database, unitOfWork, clock, system, log } = base
  const parts: TaskParts = {
    db: database.root,
    unitOfWork,
    serviceNow: clock.now,
    log,
    system,
    faultPoint: base.faults.faultPoint,
  }
  return [
    ...vendorTasks(vendors, base.config.clock.mode === 'system'),
    { name: 'try vendors that are held', everyMs: 5_000, run: () => probeHeld({ ...calls, log }) },
    { name: 'follow a clock that another process moved', everyMs: 1_000, run: base.refreshClock },
    ...Object.entries<ModuleTask>(moduleTasks).map(([name, { everyMs, run }]) => ({
      name,
      everyMs,
      run: () => run(parts),
    })),
    { name: nudging, everyMs: 2_000, run: sweep(base) },
    { name: 'find due work that nobody marked', everyMs: 30_000, run: heal(base) },
  ]
}
