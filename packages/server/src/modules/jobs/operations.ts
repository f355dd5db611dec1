/** Handler of `GET /jobs/{jobId}/status`. */
import type { Handlers } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { findJob } from './store.ts'

export const jobOperations: Handlers<'getJobStatus'> = {
  getJobStatus: async (input, { caller, db }) => {
    const job =
      (input.jobId === null ? undefined : await findJob(db, caller.teamId, input.jobId)) ??
      refuse('not_found', {}, 'No such job')
    return {
      jobId: job.id,
      type: job.type,
      status: job.status,
      ...(job.result === null ? {} : { result: job.result }),
      ...(job.error === null ? {} : { error: job.error }),
      createdAt: job.createdAt,
      finishedAt: job.finishedAt,
    }
  },
}
