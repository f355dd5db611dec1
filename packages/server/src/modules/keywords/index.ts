/** Keyword searches: what they look for, their runs, and the posts they find. */
export { erasePersonFromSearches, listSearchesAbout } from './erasing.ts'
export { keywordWork } from './jobs.ts'
export { listingOperations } from './listing.ts'
export { searchOperations } from './operations.ts'
export { withoutOperators } from './rules/terms.ts'
export { listKeptPosts, purgeVerdicts, saveSearchCaps } from './store.ts'
export { findActiveSearchByTerms, trackSearch } from './tracking.ts'
export { tryOutOperations } from './try-out.ts'
