/** Jobs that callers ask for and poll. */
export { jobOperations } from './operations.ts'
export { failOrPostponeJob } from './failure.ts'
export { purgeJobs } from './retention.ts'
export {
  claimJob,
  completeJob,
  failJob,
  insertFailedJob,
  insertFinalJob,
  insertJob,
  jobRows,
  lockJob,
  postponeJob,
  recordUnexpectedOfJob,
  type AtOnceJobType,
  type ClaimedJob,
  type JobError,
  type JobType,
  type LaterJobType,
} from './store.ts'
