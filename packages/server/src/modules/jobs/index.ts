export { erasePersonFromJobs } from './erasing.ts'
export { jobOperations } from './operations.ts'
export {
  claimJob,
  completeJob,
  failJob,
  failOrPostponeJob,
  insertFailedJob,
  insertFinalJob,
  insertJob,
  jobRows,
  lockJob,
  postponeJob,
  purgeJobs,
  recordUnexpectedOfJob,
  type AtOnceJobType,
  type ClaimedJob,
  type JobError,
  type LaterJobType,
} from './store.ts'
