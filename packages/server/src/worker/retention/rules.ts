import { listWatchedPosts, purgeSpend, purgePages } from '../../modules/capture/index.ts'
import { deletePeople, deletePosts, lockOldPeople, lockOldPosts } from '../../modules/network/index.ts'
import { listKeptPosts, purgeVerdicts } from '../../modules/keywords/index.ts'
import { listPeopleLeftOut, listPeopleWithLeads, listPostsWithLeads } from '../../modules/leads/index.ts'
import { listSentPeople } from '../../modules/outreach/index.ts'
import { listTrackedUrns, purgeRawLeads, purgeRuns } from '../../modules/sources/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { type Purged, type PurgeAsked, type PurgeTeam, keptSince } from '../../platform/retention.ts'
import {
  purgeAudit,
  type TeamKeepRule,
  purgeFlights,
  purgeIdempotency,
  keptDays,
  type KeepDays,
  type KeepRule,
  purgeRequests,
} from '../../modules/accounts/index.ts'
import { purgeBodies, purgeExports, purgePushes, purgeDeliveryLog } from '../../modules/delivery/index.ts'
import { purgeDiscoverRuns } from '../../modules/discover/index.ts'
import { purgeJobs } from '../../modules/jobs/index.ts'
import { purgeCompanyLookups } from '../../modules/enrichment/index.ts'
import { purgeLeads, purgeUnfitLeads } from '../../modules/privacy/index.ts'
import { purgeInbox } from '../../modules/results/index.ts'
import { purgeSends } from '../../modules/reports/index.ts'
import type { SystemClock } from '../../platform/clock.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { RoundDeps } from '../../platform/work/index.ts'
import { purgeKeptAnswers } from '../kept-answers.ts'

type Naming = (db: Reader, teamId: string, urns: readonly string[]) => Promise<ReadonlySet<string>>

const purgeUnnamed =
  (parts: {
    readonly lock: (tx: Tx, asked: PurgeAsked) => Promise<{ urns: readonly string[]; next: string | null }>
    readonly named: readonly Naming[]
    readonly remove: (tx: Tx, teamId: string, urns: readonly string[]) => Promise<void>
  }): PurgeTeam =>
  async (tx, asked): Promise<Purged> => {
    const { urns, next } = await parts.lock(tx, asked)
    let left = urns
    for (const listNamed of parts.named) {
      if (left.length === 0) break
      const named = await listNamed(tx.db, asked.teamId, left)
      left = left.filter((urn) => !named.has(urn))
    }
    await parts.remove(tx, asked.teamId, left)
    return { removed: left.length, more: next !== null, ...(next === null ? {} : { place: next }) }
  }

/** Deletes people not looked up since `before`, whom no lead, source, campaign, exclusion or reply names. */
const purgePeople: PurgeTeam = purgeUnnamed({
  lock: lockOldPeople,
  named: [listPeopleWithLeads, listTrackedUrns, listSentPeople, listPeopleLeftOut],
  remove: deletePeople,
})

/** Deletes posts first seen before `before` that no lead or source names, no watch lists and no search has kept. */
const purgePosts: PurgeTeam = purgeUnnamed({
  lock: lockOldPosts,
  named: [listWatchedPosts, listKeptPosts, listTrackedUrns, listPostsWithLeads],
  remove: deletePosts,
})

export type TeamRule = {
  readonly purge: PurgeTeam
  readonly limit: number
  /** For rules that walk a table: how many days after its end they begin again. */
  readonly everyDays?: number
}

/** Every rule for teams (complete by type), in lock order: source, run, lead, and what depends on them. */
export const teamRules: Readonly<Record<TeamKeepRule, TeamRule>> = {
  leads: { purge: purgeLeads, limit: 200 },
  'unfit-leads': { purge: purgeUnfitLeads, limit: 200 },
  'raw-leads': { purge: purgeRawLeads, limit: 500 },
  runs: { purge: purgeRuns, limit: 200 },
  'delivery-bodies': { purge: purgeBodies, limit: 500 },
  pushes: { purge: purgePushes, limit: 1_000 },
  jobs: { purge: purgeJobs, limit: 200 },
  'discover-runs': { purge: purgeDiscoverRuns, limit: 10 },
  'ai-verdicts': { purge: purgeVerdicts, limit: 500 },
  posts: { purge: purgePosts, limit: 1_000, everyDays: 7 },
  people: { purge: purgePeople, limit: 1_000, everyDays: 7 },
  audit: { purge: purgeAudit, limit: 1_000 },
  'keyword-spend': { purge: purgeSpend, limit: 1_000 },
}

type ServiceRuleParts = Pick<RoundDeps, 'unitOfWork'> & {
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  readonly keepDays?: KeepDays | undefined
}

/** A rule of the service; `everyMs` is system time. `purge` removes about `limit` of the oldest rows; returns how many. */
export type ServiceRule = {
  readonly everyMs: number
  readonly purge: (tx: Tx, limit: number, parts: ServiceRuleParts) => Promise<number>
}

const minute = 60_000
const batch = 5_000
const batchesARound = 20

/** The instant before which a rule of the service removes rows. */
export const keptFrom = (tx: Tx, rule: KeepRule, { keepDays = {} }: Pick<ServiceRuleParts, 'keepDays'>): Date =>
  keptSince(tx.now, keptDays(rule, keepDays))

/** The rules for rows of modules and the worker. */
export const serviceRules: Readonly<Record<string, ServiceRule>> = {
  'delivery-attempts': {
    everyMs: 10 * minute,
    purge: (tx, limit, parts) => purgeDeliveryLog(tx, keptFrom(tx, 'delivery-attempts', parts), limit),
  },
  calls: { everyMs: 60 * minute, purge: purgeRequests },
  'planned-sends': {
    everyMs: 60 * minute,
    purge: (tx, limit, parts) => purgeSends(tx, keptFrom(tx, 'planned-sends', parts), limit),
  },
  exports: { everyMs: 10 * minute, purge: (tx, limit) => purgeExports(tx, Math.ceil(limit / 1_000)) },
  'outreach-posts': {
    everyMs: 60 * minute,
    purge: (tx, limit, parts) => purgeInbox(tx, keptFrom(tx, 'outreach-posts', parts), limit),
  },
  'safe-retries': { everyMs: 10 * minute, purge: (tx, limit) => purgeIdempotency(tx.db, tx.now, limit) },
  'requests-under-way': {
    everyMs: 60 * minute,
    purge: (tx, limit, { system }) => purgeFlights(tx, system.nowMs(), limit),
  },
  'company-lookups': {
    everyMs: 60 * minute,
    purge: (tx, limit, { system }) => purgeCompanyLookups(tx, system.nowMs(), limit),
  },
  'vendor-pages': { everyMs: 10 * minute, purge: purgePages },
  'kept-answers': { everyMs: 10 * minute, purge: purgeKeptAnswers },
}

/** Applies a rule until nothing is left, one unit of work per batch; returns how many rows were removed. */
export async function purgeUntilDone(parts: ServiceRuleParts, name: string, rule: ServiceRule): Promise<number> {
  let removed = 0
  for (let done = 0; done < batchesARound; done += 1) {
    const gone = await parts.unitOfWork(async (tx) => {
      const count = await rule.purge(tx, batch, parts)
      if (count > 0) {
        tx.count('rows_purged', name, count)
        await parts.faultPoint('retention.purged')
      }
      return count
    })
    removed += gone
    if (gone === 0) break
  }
  return removed
}
