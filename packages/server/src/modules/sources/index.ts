/** Tracked sources: their settings and their runs (open, checkpoint, close). */
export { closeRun, openRun, trackSource, untrack, untrackByName, type Tracked } from './actions.ts'
export { editOperations } from './edit-operations.ts'
export { authorNamed } from './naming.ts'
export { openDueRuns, stopEndedSearches, writeOffUntracked } from './jobs.ts'
export { sourceOperations } from './operations.ts'
export { postOperations } from './post-operations.ts'
export { listSourceReports, reportDouble, type SourceReport } from './report-store.ts'
export { presentSource, presentStatus } from './present.ts'
export { endlessSchedule, judged, stopReason, type Schedule } from './rules/schedule.ts'
export {
  appendRunPosts,
  countWaiting,
  findCurrentPost,
  listAuthorPosts,
  saveRunPost,
  type LeftPost,
  type PageRest,
  type PostPlace,
  type RunPost,
  type RunPostDraft,
} from './run-posts.ts'
export { runSettings, type KeywordBounds, type RunSettings } from './rules/settings.ts'
export { captureStoppedBy, emptyBalance, lastRunStoppedBy, shownState, type RunState } from './rules/status.ts'
export {
  claimRun,
  findLeftPosts,
  findSourceOfRun,
  listRuns,
  listShownRuns,
  lockRun,
  runRows,
  saveCheckpoint,
  savePostponed,
  saveUnexpected,
  startRun,
  type Run,
  type RunCursor,
  type RunEnding,
  type RunLane,
  type RunProgress,
  type SearchCursor,
  type TermCursor,
} from './runs.ts'
export {
  findActiveSource,
  findByIdentity,
  findPayer,
  findServedSource,
  findSource,
  insertSource,
  mayTrackMore,
  listSources,
  lockActiveSource,
  lockSourceByIdentity,
  lockServedSource,
  lockSource,
  lockSources,
  moveCounts,
  saveDue,
  saveNetworkUrn,
  savePayer,
  saveSchedule,
  saveSettings,
  saveTracked,
  sourcesDue,
  type CountChange,
  type Source,
  type SourceName,
} from './store.ts'
