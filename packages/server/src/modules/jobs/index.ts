/** Jobs that callers ask for and poll. */
export { jobOperations } from './operations.ts'
export {
  claimJob,
  completeJob,
  failJob,
  insertFailedJob,
  insertFinalJob,
  insertJob,
  jobsDue,
  lockJob,
  postponeJob,
  recordUnexpectedOfJob,
  releaseJobLeases,
  type AtOnceJobType,
  type ClaimedJob,
  type JobError,
  type JobType,
  type LaterJobType,
} from './store.ts'
