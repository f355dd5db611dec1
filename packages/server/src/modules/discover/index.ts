/** Discover: one-off searches for people who post about a topic and draw engagement. */
export { eraseFromDiscover, isFoundByRuns, listRunIds } from './erasing.ts'
export { discoverWork } from './jobs.ts'
export { discoverOperations } from './operations.ts'
export { listFoundPeople } from './people-store.ts'
export { findDiscoverRun, purgeDiscoverRuns, startDiscover } from './store.ts'
