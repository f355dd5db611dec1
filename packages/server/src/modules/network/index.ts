export { matchCountry, warnedOfCountries } from '../../platform/rules/countries.ts'
export {
  authorsOf,
  blockedNames,
  eraseRecognisedAuthors,
  handleInAddress,
  mayHaveNamedErased,
  openBlockList,
  type BlockList,
  type EraseRecognised,
  type PersonNamed,
  type RecognisingDeps,
} from './blocked.ts'
export {
  findCompanies,
  findCompaniesToFill,
  findCompanyBySlug,
  holdCompanyFacts,
  saveCompanies,
  saveMissingCompanies,
  type KnownCompany,
} from './companies.ts'
export {
  claimTasks,
  deleteTasks,
  lockTasks,
  postponeTask,
  postponeUnexpected,
  releaseTasks,
  renewTasks,
  requestEnrichment,
  taskRows,
  releaseTasksUntil,
  type ClaimedTask,
  type TaskKey,
} from './enrichment-queue.ts'
export {
  addressOf,
  erasePeople,
  erasePosts,
  everyNameOf,
  findPersonById,
  idOfPerson,
  listAuthors,
  listAuthorsAddressed,
  listHandlesOfAuthors,
  listPagesWithPosts,
  listPostsBy,
  type Named,
} from './erasing.ts'
export { handleOnNetwork, memberIdOnNetwork } from './look-up.ts'
export {
  deletePeople,
  findPeople,
  findPerson,
  findPersonByHandle,
  lockOldPeople,
  rememberPeople,
  listReplacedHandles,
  saveProfiles,
  type KnownPerson,
} from './people.ts'
export {
  deletePosts,
  listPosts,
  lockOldPosts,
  postFactColumns,
  presentPostFacts,
  rememberPosts,
  type PostFacts,
} from './posts.ts'
export { domainOf } from './rules/domain.ts'
export { companyIsFresh, personIsFresh } from './rules/freshness.ts'
export { nameAs } from './rules/mentions.ts'
