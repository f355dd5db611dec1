/** The rules over rows of teams, each a batch of one team (docs/retention.md). */
import { purgeAudit, type TeamKeepRule } from '../../modules/accounts/index.ts'
import { purgeSpend } from '../../modules/capture/index.ts'
import { purgeBodies, purgePushes } from '../../modules/delivery/index.ts'
import { purgeDiscoverRuns } from '../../modules/discover/index.ts'
import { purgeJobs } from '../../modules/jobs/index.ts'
import { purgeVerdicts } from '../../modules/keywords/index.ts'
import { purgeRuns, purgeRawLeads } from '../../modules/sources/index.ts'
import type { PurgeTeam } from '../../platform/retention.ts'
import { purgePeople, purgePosts } from './unnamed.ts'

/** How a rule is worked on. */
export type TeamRule = {
  readonly purge: PurgeTeam
  /** Rows of a batch. */
  readonly limit: number
  /** A rule that walks a table begins anew this many days after it came to the end. */
  readonly everyDays?: number
}

/** Every rule, complete by types, in the order of locks (source, run, lead, what depends on them). */
export const teamRules: Readonly<Record<TeamKeepRule, TeamRule>> = {
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
