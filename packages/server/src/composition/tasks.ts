/** Every periodic task: one list for the clock, drains, the simulation and the crash tests. */
import { purgeSpendAnswers } from '../edge/mcp/index.ts'
import {
  freeLinesToMerge,
  holdsExpired,
  mergeFreeLines,
  releaseExpiredHolds,
  renewalsDue,
  renewDuePeriods,
} from '../modules/credits/index.ts'
import { clearingsDue, heldDue, settleCleared, settleHeld } from '../modules/delivery/index.ts'
import { historiesDue, queueHistories } from '../modules/outreach/index.ts'
import { feedsMissing, openFeeds, type SecretParts } from '../modules/results/index.ts'
import {
  openDueRuns,
  searchesEnded,
  sourcesDue,
  stopEndedSearches,
  writeOffsLeft,
  writeOffUntracked,
} from '../modules/sources/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { FaultPoint, FaultPointHook } from '../platform/faults.ts'
import type { KeepDays } from '../modules/accounts/index.ts'
import { holds } from '../platform/db/conditions.ts'
import { removeOldRows, type MoveParts } from '../platform/shards/move.ts'
import { healTurns, type RoundDeps } from '../platform/work/index.ts'
import { purgeServingCosts, purgeVendorCosts } from '../providers/costs/store.ts'
import { accountsHeld } from '../providers/breaker/breaker.ts'
import { probeHeld } from '../providers/accounts.ts'
import { purgeEnded } from '../sign-in/index.ts'
import type { PeriodicTask } from '../worker/clock.ts'
import { keptFrom, purgeUntilDone, serviceRules, type ServiceRule } from '../worker/retention/rules.ts'
import { purgeTeams, teamsDue } from '../worker/retention/teams.ts'
import { endTeams, teamsEnded } from '../worker/team-end/purge.ts'
import { allRows } from '../worker/works.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'
import { vendorTasks, type VendorOperationParts } from './vendor-operations.ts'

type TaskParts = RoundDeps &
  SecretParts & {
    readonly faultPoint: FaultPointHook
    readonly system: SystemClock
    readonly keepDays?: KeepDays | undefined
  }

/** A module's task. `everyMs`: system time; `passes`: the fault points it passes. */
export type ModuleTask = {
  readonly everyMs: number
  readonly run: (parts: TaskParts) => Promise<number>
  readonly passes?: readonly FaultPoint[]
  readonly mayBeDue?: NonNullable<PeriodicTask['mayBeDue']>
}

const minute = 60_000
/** Rules of retention for rows that belong to no module (docs/retention.md). */
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

/** The modules' tasks by name, in the order in which they run. */
export const moduleTasks = {
  'renew credit periods': { everyMs: 30_000, run: renewDuePeriods, passes: ['credits.renewed'], mayBeDue: renewalsDue },
  'stop searches whose end has passed': { everyMs: 30_000, run: stopEndedSearches, mayBeDue: searchesEnded },
  'open due syncs': { everyMs: 10_000, run: openDueRuns, passes: ['clock.sync-opened'], mayBeDue: sourcesDue },
  'write off enrichment of untracked sources': { everyMs: 10_000, run: writeOffUntracked, mayBeDue: writeOffsLeft },
  'release expired credit holds': { everyMs: 30_000, run: releaseExpiredHolds, mayBeDue: holdsExpired },
  'merge free lines of old runs': { everyMs: 30_000, run: mergeFreeLines, mayBeDue: freeLinesToMerge },
  'queue past leads for outreach': {
    everyMs: 5_000,
    run: queueHistories,
    passes: ['outreach.history-queued'],
    mayBeDue: historiesDue,
  },
  'begin to hear from the outreach platform': { everyMs: 30_000, run: openFeeds, mayBeDue: feedsMissing },
  'settle what waited for cleared webhooks': {
    everyMs: 5_000,
    run: settleCleared,
    passes: ['webhook.clearing'],
    mayBeDue: clearingsDue,
  },
  'settle deliveries still held although their reason is over': { everyMs: 30_000, run: settleHeld, mayBeDue: heldDue },
  'remove teams that have ended': {
    everyMs: 10_000,
    run: endTeams,
    passes: ['team-end.removed', 'team-end.team-removed'],
    mayBeDue: teamsEnded,
  },
  'purge old rows of teams': { everyMs: minute, run: purgeTeams, passes: ['retention.purged'], mayBeDue: teamsDue },
  ...serviceTasks,
} as const satisfies Readonly<Record<string, ModuleTask>>

/** Rarer tasks make no work due, so a drain skips them. */
const longestDrainedMs = 30_000

/** The tasks that a drain runs. */
export const drained = (tasks: readonly PeriodicTask[]): PeriodicTask[] =>
  tasks.filter((task) => task.everyMs <= longestDrainedMs)

function heal({ database, clock, system }: Base): () => Promise<number> {
  let healedUpTo: string | null = null
  return async () => {
    const at = { now: await clock.now(database.bare), nowMs: system.nowMs(), after: healedUpTo }
    const { healed, last } = await healTurns(database.bare, allRows, at)
    healedUpTo = last
    return healed
  }
}

const moving = ({ database, system, processId, log }: Base): MoveParts => ({
  db: database.bare,
  system,
  processId,
  say: (line) => log.info('a move of a team', { line }),
})

/** Tasks that run once, however many shards there are. */
export const sharedTasks = (base: Base, calls: Calls, vendors: VendorOperationParts): PeriodicTask[] => [
  ...vendorTasks(vendors, base.config.clock.mode === 'system'),
  {
    name: 'try vendors that are held',
    everyMs: 20_000,
    // A query of its own: `mayBeDue` is asked in a shard, where shared tables are not.
    run: async () => ((await holds(base.database.root, accountsHeld())) ? probeHeld({ ...calls, log: base.log }) : 0),
  },
  { name: 'follow a clock that another process moved', everyMs: 1_000, run: base.refreshClock },
  ...(base.shards.names.length === 1
    ? []
    : [{ name: 'remove rows that moves of teams have left', everyMs: 30_000, run: () => removeOldRows(moving(base)) }]),
]

/** Tasks that run in each shard. */
export function shardTasks(base: Base): PeriodicTask[] {
  const { database, unitOfWork, clock, system, log } = base
  const parts: TaskParts = {
    db: database.root,
    unitOfWork,
    serviceNow: clock.now,
    log,
    system,
    faultPoint: base.faults.faultPoint,
    keepDays: base.config.keepDays,
    vault: base.vault,
    ids: base.ids,
  }
  return [
    ...Object.entries<ModuleTask>(moduleTasks).map(([name, { run, ...task }]) => ({
      name,
      ...task,
      run: () => run(parts),
    })),
    { name: 'find due work that nobody marked', everyMs: 30_000, run: heal(base), seeksMissed: true },
  ]
}
