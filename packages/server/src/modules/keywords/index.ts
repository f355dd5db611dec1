/** Keyword searches: what they look for, their runs, and the posts they find. */
export { withoutOperators } from './rules/terms.ts'
export { findActiveSearchByTerms, trackSearch, type SearchRequest, type TrackedSearch } from './actions.ts'
export { listingOperations } from './listing.ts'
export { searchOperations, type SearchOperationDeps, type SearchOperationId } from './operations.ts'
export { keywordStep, keywordWork, type KeywordDeps } from './jobs.ts'
export type { AiFilter, RequestedSearch, SearchSettings, SearchState } from './rules/settings.ts'
export { tryOutOperations, type TryOutDeps } from './try-out.ts'
export { findSearch, listSearches, type KeywordSearch } from './store.ts'
