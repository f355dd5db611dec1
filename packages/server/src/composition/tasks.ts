/** Everything that happens by itself: one list, which the clock, drains, the simulation and the crash tests read. */
import { purgeSpendAnswers } from '../edge/mcp/index.ts'
import { holdsExpired, releaseExpiredHolds, renewalsDue, renewDuePeriods } from '../modules/credits/index.ts'
import {
  clearingsDue,
  giveUpCleared,
  giveUpHeld,
  heldForNothing,
  heldForUntracked,
  letGoHeld,
} from '../modules/delivery/index.ts'
import { historiesDue, pullQueueBack, queueHistories } from '../modules/outreach/index.ts'
import { sumUpYields, yieldsDue } from '../modules/source-yields/index.ts'
import {
  openDueRuns,
  pullSchedulesBack,
  searchesEnded,
  sourcesDue,
  stopEndedSearches,
  writeOffsLeft,
  writeOffUntracked,
} from '../modules/sources/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import { analyzeGrown, tablesHaveGrown } from '../platform/db/statistics.ts'
import type { FaultPoint, FaultPointHook } from '../platform/faults.ts'
import { hasEarlierQueue, tellEarlierRelease } from '../platform/queue/earlier-release.ts'
import type { KeepDays } from '../modules/accounts/index.ts'
import { healTurns, type RoundDeps } from '../platform/work/index.ts'
import { purgeServingCosts, purgeVendorCosts } from '../providers/costs/retention.ts'
import { accountsHeld } from '../providers/breaker/pg-breaker.ts'
import { probeHeld } from '../providers/probes.ts'
import { forgetTriesOfTheFuture, purgeEnded } from '../sign-in/index.ts'
import type { PeriodicTask } from '../worker/clock.ts'
import { dueKinds } from '../worker/due.ts'
import { keptFrom, purgeUntilDone, serviceRules, type ServiceRule } from '../worker/retention/service.ts'
import { purgeTeams } from '../worker/retention/teams.ts'
import { teamsDue } from '../worker/retention/turns.ts'
import { watchClock, type PullBack } from '../worker/set-back.ts'
import { allRows } from '../worker/works.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'
import type { Undo } from './infrastructure.ts'
import { vendorTasks, type VendorOperationParts } from './vendor-operations.ts'

/** What tasks of modules work with. */
export type TaskParts = RoundDeps & {
  readonly faultPoint: FaultPointHook
  readonly system: SystemClock
  /** Days that old rows are kept, where they differ from the defaults. */
  readonly keepDays?: KeepDays | undefined
}

/** A task of a module: how often it is looked at in system time, what it does, and the fault points it passes. */
export type ModuleTask = {
  readonly everyMs: number
  readonly run: (parts: TaskParts) => Promise<number>
  readonly passes?: readonly FaultPoint[]
  /** See `PeriodicTask`. */
  readonly mayBeDue?: NonNullable<PeriodicTask['mayBeDue']>
}

const minute = 60_000
/** Old rows that belong to no module: rules of retention as the worker has them (docs/retention.md). */
export const rulesBesideModules: Readonly<Record<string, ServiceRule>> = {
  'spend-questions': { everyMs: 10 * minute, purge: purgeSpendAnswers },
  'sign-in': { everyMs: 60 * minute, purge: (tx, _limit, { system }) => purgeEnded(tx, new Date(system.nowMs())) },
  'serving-costs': {
    everyMs: 60 * minute,
    purge: (tx, limit, parts) => purgeServingCosts(tx, keptFrom(tx, 'serving-costs', parts), limit),
  },
  'vendor-costs': {
    everyMs: 60 * minute,
    purge: (tx, limit, parts) => purgeVendorCosts(tx, keptFrom(tx, 'vendor-costs', parts), limit),
  },
}

const serviceTasks = Object.fromEntries(
  Object.entries({ ...serviceRules, ...rulesBesideModules }).map(([name, rule]) => [
    `purge ${name}`,
    { everyMs: rule.everyMs, run: (parts: TaskParts) => purgeUntilDone(parts, name, rule) },
  ]),
)

/** What modules do by themselves, by name, in the order of a look. */
export const moduleTasks = {
  'renew credit periods': {
    everyMs: 30_000,
    run: renewDuePeriods,
    passes: ['credits.renewed'],
    mayBeDue: renewalsDue,
  },
  'stop searches whose end has passed': { everyMs: 30_000, run: stopEndedSearches, mayBeDue: searchesEnded },
  'open due syncs': { everyMs: 10_000, run: openDueRuns, passes: ['clock.sync-opened'], mayBeDue: sourcesDue },
  'write off enrichment of untracked sources': { everyMs: 10_000, run: writeOffUntracked, mayBeDue: writeOffsLeft },
  'release expired credit holds': { everyMs: 30_000, run: releaseExpiredHolds, mayBeDue: holdsExpired },
  'give up what is held for untracked sources': { everyMs: 30_000, run: giveUpHeld, mayBeDue: heldForUntracked },
  'queue past leads for outreach': {
    everyMs: 1_000,
    run: queueHistories,
    passes: ['outreach.history-queued'],
    mayBeDue: historiesDue,
  },
  'give up what waited for cleared webhooks': {
    everyMs: 1_000,
    run: giveUpCleared,
    passes: ['webhook.clearing'],
    mayBeDue: clearingsDue,
  },
  'let go what is held for endpoints that are tried again': {
    everyMs: 30_000,
    run: letGoHeld,
    mayBeDue: heldForNothing,
  },
  'sum up what sources yield': { everyMs: 2 * minute, run: sumUpYields, mayBeDue: yieldsDue },
  'purge old rows of teams': { everyMs: minute, run: purgeTeams, passes: ['retention.purged'], mayBeDue: teamsDue },
  ...serviceTasks,
} as const satisfies Readonly<Record<string, ModuleTask>>

const nudging = 'nudge workers of the release before'
const looking = 'look at tables that have grown'

/** What a drain leaves out: it looks at what is due itself, and what the planner knows is not work. */
const notDrained: readonly string[] = [nudging, looking]

/** Longer ones are of no use to a drain. */
const longestDrainedMs = 30_000

/** The tasks that a drain runs: all that make work due, or do some. */
export const drained = (tasks: readonly PeriodicTask[]): PeriodicTask[] =>
  tasks.filter((task) => task.everyMs <= longestDrainedMs && !notDrained.includes(task.name))

/** Workers of the release before find what is due when the clock that acts tells them; those of this one sweep themselves. */
function tellEarlier({ database, clock, system }: Base): () => Promise<number> {
  let lookAgainMs = 0
  return async () => {
    if (system.nowMs() < lookAgainMs) return 0
    if (!(await hasEarlierQueue(database.bare))) {
      lookAgainMs = system.nowMs() + minute
      return 0
    }
    const kinds = await dueKinds(database.bare, await clock.now(database.bare), system.nowMs())
    if (kinds.length > 0) await tellEarlierRelease(database.bare, kinds)
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

/** What a clock that was ahead has put off besides work. */
const pulledBack: Readonly<Record<string, PullBack>> = {
  schedules: (tx, { byMs }) => pullSchedulesBack(tx, byMs),
  'people to send': (tx, { from }) => pullQueueBack(tx, from),
  tries: (tx, _back, nowMs) => forgetTriesOfTheFuture(tx, nowMs),
}

/** Everything that happens by itself in a process whose clock acts. */
export function allTasks(base: Base, calls: Calls, vendors: VendorOperationParts, undo: Undo[]): PeriodicTask[] {
  const { database, unitOfWork, clock, system, log } = base
  const parts: TaskParts = {
    db: database.root,
    unitOfWork,
    serviceNow: clock.now,
    log,
    system,
    faultPoint: base.faults.faultPoint,
    keepDays: base.config.keepDays,
  }
  return [
    ...vendorTasks(vendors, base.config.clock.mode === 'system'),
    {
      name: 'try vendors that are held',
      everyMs: 20_000,
      run: () => probeHeld({ ...calls, log }),
      mayBeDue: accountsHeld,
    },
    { name: 'follow a clock that another process moved', everyMs: 1_000, run: base.refreshClock },
    ...Object.entries<ModuleTask>(moduleTasks).map(([name, { run, ...task }]) => ({
      name,
      ...task,
      run: () => run(parts),
    })),
    { name: looking, everyMs: 10_000, run: () => analyzeGrown(database.root), mayBeDue: tablesHaveGrown },
    { name: nudging, everyMs: 5_000, run: tellEarlier(base) },
    {
      name: 'notice a clock that was set back',
      everyMs: minute,
      run: () => watchClock({ ...parts, others: pulledBack }),
    },
    { name: 'find due work that nobody marked', everyMs: 30_000, run: heal(base), seeksMissed: true },
  ]
}
