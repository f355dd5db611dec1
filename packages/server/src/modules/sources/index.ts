/** Tracked sources: who they are, how they are set, when they are due. */
export { sourcesFaultPoints } from './fault-points.ts'
export {
  closeRun,
  endDoubles,
  openRun,
  trackSource,
  untrack,
  untrackByName,
  type EndDeliveries,
  type Tracked,
} from './actions.ts'
export { describeSources } from './describe.ts'
export { editOperations } from './edit-operations.ts'
export { authorNamed } from './naming.ts'
export { goneText, leadKindOf, startSourceRun, supplyOf, withPresentName, type Supply } from './supply.ts'
export { openDueRuns, stopEndedSearches, writeOffUntracked } from './jobs.ts'
export { sourceOperations } from './operations.ts'
export { postOperations } from './post-operations.ts'
export { listSourceReports, reportDouble, type SourceReport } from './report-store.ts'
export { presentSource, presentStatus } from './present.ts'
export { listTrackedUrns, purgeRawLeads } from './retention.ts'
export { heldMessage } from './rules/held.ts'
export { dailyMax } from './rules/settings.ts'
export { endlessSchedule, judged, stopReason, type Schedule } from './rules/schedule.ts'
export { captureStoppedBy, emptyBalance, lastRunStoppedBy, shownState } from './rules/status.ts'
export {
  findActiveSource,
  findByIdentity,
  findPayer,
  findServedSource,
  findSource,
  listPagesNamed,
  listSources,
  lockActiveSource,
  lockSourceByIdentity,
  lockServedSource,
  lockSource,
  lockSources,
  mustBeTracked,
  tracksCompanies,
} from './find.ts'
export {
  insertSource,
  mayTrackMore,
  moveCounts,
  saveCaps,
  saveDue,
  saveNetworkUrn,
  savePayer,
  saveSchedule,
  saveSettings,
  saveTracked,
  type CountChange,
} from './store.ts'
export { searchesEnded, sourcesDue, writeOffsLeft } from './due.ts'
export type { Source, SourceName } from './row.ts'
export { findRunAsJob, type RunAsJob } from './runs/as-job.ts'
export { type RunProgress, saveCheckpoint, savePostponed, saveUnexpected } from './runs/checkpoint.ts'
export type { RunCursor, SearchCursor, TermCursor } from './runs/cursor.ts'
export { type RunEnding, saveEnding, findLeftPosts } from './runs/endings.ts'
export { findStatusRuns, listRuns, listShownRuns } from './runs/lists.ts'
export type { RunState, RunSettings, KeywordBounds, WaitsFor } from './runs/settings.ts'
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
} from './runs/posts.ts'
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
} from './runs/rows.ts'
export { maxEntriesSeen, policyOf, type RunBound, type RunPolicy } from './runs/rules/policy.ts'
export { purgeRuns } from './runs/retention.ts'
