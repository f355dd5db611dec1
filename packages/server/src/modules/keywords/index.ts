/** Keyword searches: what they look for, their runs, and the posts they find. */
export { findSearch, listSearches, type AiFilter, type KeywordSearch, type SearchSettings } from './store.ts'
