/** Runs: one sweep of a source each, from its row and cursor to its ending. */
export { findRunAsJob, type RunAsJob } from './as-job.ts'
export { type RunProgress, saveCheckpoint, savePostponed, saveUnexpected } from './checkpoint.ts'
export type { RunCursor, SearchCursor, TermCursor } from './cursor.ts'
export { type RunEnding, saveEnding, findLeftPosts } from './endings.ts'
export { findStatusRuns, listRuns, listShownRuns } from './lists.ts'
export type { RunState, RunSettings, KeywordBounds, WaitsFor } from './settings.ts'
export {
  appendRunPosts,
  countWaiting,
  keepAlone,
  listAuthorPosts,
  listCurrentPosts,
  listLeftPosts,
  type LeftPost,
  type PageRest,
  type PostPlace,
  type PostProgress,
  type RunPost,
  type RunPostDraft,
} from './posts.ts'
export {
  claimRun,
  findSourceOfRun,
  releaseRun,
  insertRun,
  lockRun,
  runRows,
  startRun,
  type Run,
  type RunLane,
} from './rows.ts'
export { maxEntriesSeen, policyOf, type RunBound, type RunPolicy } from './rules/policy.ts'
export { purgeRuns } from './retention.ts'
