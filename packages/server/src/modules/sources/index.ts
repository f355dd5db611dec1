/** Tracked sources: their settings and their runs (open, checkpoint, close). */
export { closeRun, openRun, trackSource, untrack, type Tracked } from './actions.ts'
export { editOperations } from './edit-operations.ts'
export { openDueRuns, writeOffUntracked } from './jobs.ts'
export { sourceOperations } from './operations.ts'
export { postOperations } from './post-operations.ts'
export { presentStatus } from './present.ts'
export { endlessSchedule, type Schedule } from './rules/schedule.ts'
export { runSettings, type RunSettings } from './rules/settings.ts'
export { captureStoppedBy } from './rules/status.ts'
export {
  appendRunPosts,
  claimRun,
  findCurrentPost,
  leaseMs,
  lockRun,
  releaseAllLeases,
  runsDue,
  saveCheckpoint,
  savePostponed,
  saveRunPost,
  startRun,
  type Run,
  type RunCursor,
  type RunEnding,
  type RunPost,
  type RunPostDraft,
  type RunProgress,
} from './runs.ts'
export { findActiveSource, findSource, insertSource, lockActiveSource, lockHolder, lockSource, lockSources, moveCounts, saveNetworkUrn, saveSchedule, saveSettings, saveTracked, sourcesDue, type CountChange, type Source, type SourceName } from './store.ts'
