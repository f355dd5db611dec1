/** Discover: one-off searches for people who post about a topic and draw engagement. */
export { discoverFaultPoints } from './fault-points.ts'
export { deleteDiscoverRun, listFoundPeople, readDiscoverRun, startDiscover } from './actions.ts'
export { discoverWork, type DiscoverDeps } from './jobs.ts'
export { discoverOperations } from './operations.ts'
export { purgeDiscoverRuns } from './retention.ts'
export type { FoundPerson } from './people-store.ts'
export type { DiscoverRun } from './store.ts'
