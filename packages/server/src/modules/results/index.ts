/** The public face of results: what callers, the outreach platform and CRMs report about leads, and what to learn from it. */
export { recordStages } from './actions.ts'
export { feedsMissing, openFeeds, type SecretParts } from './feed.ts'
export { purgeInbox, receivePosts, type ReceivePost } from './inbox.ts'
export { applyAll, resultsWork } from './jobs.ts'
export { readAddress, resultOperations, resultsPath, type AddressParts } from './operations.ts'
export { forgetResults, holdResultsById, unlinkResults } from './store.ts'
