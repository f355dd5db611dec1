export {
  countDeleted,
  erasePersonFromRuns,
  eraseSourceNames,
  listSourceIds,
  listSourcesOf,
  untrackAll,
} from './erasing.ts'
export { closeRun, endDoubles, openRun, trackSource, untrack, untrackByName } from './actions.ts'
export {
  describeSources,
  findActiveSource,
  findByIdentity,
  findPayer,
  findServedSource,
  findSource,
  listPagesNamed,
  listSourceReports,
  listSources,
  lockActiveSource,
  lockServedSource,
  lockSource,
  lockSourceByIdentity,
  lockSources,
  mustBeTracked,
  tracksCompanies,
} from './find.ts'
export { openDueRuns, searchesEnded, sourcesDue, stopEndedSearches, writeOffsLeft, writeOffUntracked } from './jobs.ts'
export { editOperations, postOperations, sourceOperations } from './operations.ts'
export { presentSource } from './present.ts'
export { listTrackedUrns, purgeRawLeads, purgeRuns } from './retention.ts'
export { heldMessage } from './rules/settings.ts'
export { captureStoppedBy, emptyBalance, lastRunStoppedBy, shownState } from './rules/status.ts'
export {
  appendRunPosts,
  countWaiting,
  markReadAlone,
  listAuthorPosts,
  listCurrentPosts,
  type PostProgress,
} from './runs/posts.ts'
export {
  claimRun,
  findRunAsJob,
  findSourceOfRun,
  listRuns,
  listShownRuns,
  lockRun,
  releaseRun,
  runRows,
  saveCheckpoint,
  savePostponed,
  saveUnexpected,
  startRun,
  type RunAsJob,
  type RunEnding,
  type RunProgress,
} from './runs/rows.ts'
export type { RunBound, RunSettings } from './runs/rules/policy.ts'
export type {
  LeftPost,
  PageRest,
  PostPlace,
  Run,
  RunPost,
  RunPostDraft,
  RunState,
  SearchCursor,
  TermCursor,
  WaitsFor,
} from './runs/run.ts'
export type { Source, SourceName } from './source.ts'
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
} from './store.ts'
export { goneText, leadKindOf, startSourceRun, supplyOf, withPresentName, authorNamed } from './supply.ts'
