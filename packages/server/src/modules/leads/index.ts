/** Leads: one row per engagement of a person with a post of a source. */
export { clearWebhookStatus, isCleared, isClearing, webhookStatusNow } from './clearing.ts'
export {
  deleteLeads,
  forgetDeletedLeads,
  listLeadsOfPeople,
  namePostsByUrn,
  type DeletedLead,
} from './erasing.ts'
export { exclusionOperations, nameOf } from './exclusions/operations.ts'
export { addObjection, deleteTitlesNaming, erasePersonFromExclusions } from './exclusions/privacy.ts'
export { areExcludedSince } from './exclusions/matching.ts'
export { mailsSaid } from './exclusions/mails.ts'
export { findExcludedByLeads, findExcludedContacts } from './exclusions/people.ts'
export {
  addOptOuts,
  findExcluded,
  findExcludedOrGone,
  rekeyById,
  holdRenamedPages,
  holdSharedHandles,
  listExisting,
  readVerdicts,
} from './exclusions/store.ts'
export { entriesOfPeople, readEntries } from './exclusions/values.ts'
export { isExcluded, type VerdictColumns } from './exclusions/verdict.ts'
export { readResults, type LeadResults } from './results.ts'
export { exportLeads } from './export.ts'
export { csvLine } from './rules/csv.ts'
export type { ListInput } from './list.ts'
export { conditionOfChosen, leadsById, leadsOfChosen, presentVerdict } from './listing.ts'
export { leadOperations, sortedLeadOperations } from './operations.ts'
export { companyColumns, isoText, type LeadResource } from './present.ts'
export {
  judgeLeads,
  judgeNext,
  ofWhich,
  tryCondition,
  type LeadCondition,
  type LeadCursor,
  type LeadsOf,
  type WhichLeads,
} from './scoring.ts'
export { countOldLeads, listOldLeads, rememberDeletedLeads, type OldLeads } from './old-leads.ts'
export {
  findOldRawOwner,
  listPeopleLeftOut,
  listPeopleWithLeads,
  listPostsWithLeads,
  purgeRawLeadsOf,
} from './retention.ts'
export { isByPerson, type Engagement, type ShownEngagement } from './rules/engagement.ts'
export {
  countLeadsOf,
  countStoredLeads,
  insertLeads,
  listKnownEngagements,
  setWebhookStatus,
  updateReactions,
  type KnownEngagement,
  type LeadOrigin,
} from './store.ts'
export {
  failLeads,
  fillLeads,
  fillWaiting,
  listWanted,
  refreshCompany,
  resumeSkipped,
  skipWaiting,
  type MovedLead,
  type PersonFacts,
} from './enrichment-store.ts'
export { deleteUnusedNames, renewTexts } from './texts.ts'
export { compareConditions, comparePeopleOfPosts, type PeopleOfPosts } from './compare.ts'
export { labelJoins, labelLookups, labelOfSource, nameOfSource, personOfSource } from './labels.ts'
