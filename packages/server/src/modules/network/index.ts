/** The directory: people and posts as a team has met them, and company records that all teams share. */
export { findCompaniesToFill, holdCompanyFacts } from './company-facts.ts'
export { matchCountry, warnedOfCountries } from '../../platform/rules/countries.ts'
export { deletePeople, deletePosts, lockOldPeople, lockOldPosts } from './retention.ts'
export { domainOf } from './rules/domain.ts'
export { companyIsFresh, personIsFresh } from './rules/freshness.ts'
export {
  findCompanies,
  findCompanyBySlug,
  findPeople,
  findPerson,
  findPersonByHandle,
  listPosts,
  rememberPeople,
  rememberPosts,
  saveCompanies,
  saveCompany,
  saveMissingCompanies,
  saveProfile,
  saveProfiles,
  type KnownCompany,
  type KnownPerson,
} from './store.ts'
export { postFactColumns, presentPostFacts, type PostFacts } from './post-facts.ts'
export {
  type ClaimedTask,
  type TaskName,
  taskRows,
  requestEnrichment,
  claimTasks,
  lockTasks,
  renewTasks,
  giveBackTasks,
  deleteTasks,
  postponeTask,
  postponeUnexpected,
  yieldTasks,
} from './enrichment-queue.ts'
