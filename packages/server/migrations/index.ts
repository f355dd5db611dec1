/** The migrations, in order. */
import * as foundation from './0001-foundation.ts'
import * as trackedPosts from './0002-tracked-posts.ts'
import * as postsAndHolds from './0003-posts-and-holds.ts'
import * as fitAndPush from './0004-fit-and-push.ts'
import * as keywords from './0005-keywords.ts'
import * as keywordRuns from './0006-keyword-runs.ts'
import * as discover from './0007-discover.ts'
import * as outreach from './0008-outreach.ts'
import * as agent from './0009-agent.ts'
import * as toolSpend from './0010-tool-spend.ts'
import * as lists from './0011-lists.ts'
import * as signIn from './0012-sign-in.ts'
import * as desk from './0013-desk.ts'
import * as firstSyncs from './0014-first-syncs.ts'
import * as oneSpelling from './0015-one-spelling.ts'
import * as leadCounts from './0016-lead-counts.ts'
import * as unexpectedFailures from './0017-unexpected-failures.ts'
import * as tasksPutOff from './0018-tasks-put-off.ts'
import * as turns from './0019-turns.ts'
import * as signUp from './0020-sign-up.ts'
import * as teamBounds from './0021-team-bounds.ts'
import * as vendorBreaker from './0023-vendor-breaker.ts'
import * as vendorCosts from './0024-vendor-costs.ts'
import * as countryCodes from './0025-country-codes.ts'
import * as vendorLimits from './0026-vendor-limits.ts'
import * as schemaBreaks from './0027-schema-breaks.ts'
import * as vendorIds from './0028-vendor-ids.ts'
import * as tableHealth from './0030-table-health.ts'
import * as workBehindRequests from './0032-work-behind-requests.ts'
import * as pagesFarDown from './0033-pages-far-down.ts'
import * as chargesByDay from './0034-charges-by-day.ts'
import * as retention from './0035-retention.ts'
import * as requestLog from './0037-request-log.ts'
import * as whatWaits from './0039-what-waits-and-why.ts'
import * as plannedSends from './0040-planned-sends.ts'
import * as clockMark from './0043-clock-mark.ts'
import * as sortedLeads from './0040-sorted-leads.ts'
import * as peopleOfAgents from './0045-people-of-agents.ts'
import * as teamDefaults from './0050-team-defaults.ts'
import * as sampleTeam from './0056-sample-team.ts'
import * as sourceYields from './0057-source-yields.ts'
import * as listChanges from './0058-list-changes.ts'
import * as deliveryLeases from './0059-delivery-leases.ts'
import * as tableHealthOnceMore from './0062-table-health.ts'
import * as countsAndAuthorsOfAgents from './0063-counts-and-authors-of-agents.ts'
import * as pushCounts from './0065-push-counts.ts'
import * as postsReadAlone from './0067-posts-read-alone.ts'
import * as teamsOfRows from './0068-teams-of-rows.ts'
import * as deliveriesOfNoPush from './0070-deliveries-of-no-push.ts'
import * as longBacklogs from './0071-long-backlogs.ts'
import * as loweredAllowances from './0072-lowered-allowances.ts'
import * as webhookRounds from './0073-webhook-rounds.ts'

/**
 * Statements that run whole or not at all, and changes of rows too long for that: each of those is made of the name of its row in
 * `data_migration`, changes the next rows, and answers one row, whether it has `finished`.
 */
export type ChangeOfSchema = {
  readonly statements: readonly string[]
  readonly batches?: Readonly<Record<string, (name: string) => string>>
  /**
   * True when a program from before it cannot work on the schema after it: the exception, named in the notes of a
   * release (docs/deploy.md).
   */
  readonly breaks?: boolean
}

/** Every migration by its name; `docs/generated/schema.sql` is made of their statements. */
export const migrations = {
  '0001-foundation': foundation,
  '0002-tracked-posts': trackedPosts,
  '0003-posts-and-holds': postsAndHolds,
  '0004-fit-and-push': fitAndPush,
  '0005-keywords': keywords,
  '0006-keyword-runs': keywordRuns,
  '0007-discover': discover,
  '0008-outreach': outreach,
  '0009-agent': agent,
  '0010-tool-spend': toolSpend,
  '0011-lists': lists,
  '0012-sign-in': signIn,
  '0013-desk': desk,
  '0014-first-syncs': firstSyncs,
  '0015-one-spelling': oneSpelling,
  '0016-lead-counts': leadCounts,
  '0017-unexpected-failures': unexpectedFailures,
  '0018-tasks-put-off': tasksPutOff,
  '0019-turns': turns,
  '0020-sign-up': signUp,
  '0021-team-bounds': teamBounds,
  '0023-vendor-breaker': vendorBreaker,
  '0024-vendor-costs': vendorCosts,
  '0025-country-codes': countryCodes,
  '0026-vendor-limits': vendorLimits,
  '0027-schema-breaks': schemaBreaks,
  '0028-vendor-ids': vendorIds,
  '0030-table-health': tableHealth,
  '0032-work-behind-requests': workBehindRequests,
  '0033-pages-far-down': pagesFarDown,
  '0034-charges-by-day': chargesByDay,
  '0035-retention': retention,
  '0037-request-log': requestLog,
  '0039-what-waits-and-why': whatWaits,
  '0040-planned-sends': plannedSends,
  '0040-sorted-leads': sortedLeads,
  '0043-clock-mark': clockMark,
  '0045-people-of-agents': peopleOfAgents,
  '0050-team-defaults': teamDefaults,
  '0056-sample-team': sampleTeam,
  '0057-source-yields': sourceYields,
  '0058-list-changes': listChanges,
  '0059-delivery-leases': deliveryLeases,
  '0062-table-health': tableHealthOnceMore,
  '0063-counts-and-authors-of-agents': countsAndAuthorsOfAgents,
  '0065-push-counts': pushCounts,
  '0067-posts-read-alone': postsReadAlone,
  '0068-teams-of-rows': teamsOfRows,
  '0070-deliveries-of-no-push': deliveriesOfNoPush,
  '0071-long-backlogs': longBacklogs,
  '0072-lowered-allowances': loweredAllowances,
  '0073-webhook-rounds': webhookRounds,
} as const satisfies Readonly<Record<string, ChangeOfSchema>>
