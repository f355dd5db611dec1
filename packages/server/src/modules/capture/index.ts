/** Capture: sweeping posts and storing who engaged with them, each new person charged once. */
export { captureStep, type CaptureDeps } from './jobs.ts'
export { ceilingLeft, emptied, leadsLeft } from './bounds.ts'
export { closeStopped, endRun, type RunStop } from './ending.ts'
export { addPosts, resumeEnrichment, storeWatched } from './listing.ts'
export { lockForPage, type Locked } from './page.ts'
export { authorOf } from './rules/author.ts'
export { retryAt } from './rules/retry.ts'
export { teamIsServed } from './served.ts'
