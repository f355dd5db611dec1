/** Tag `jobs`: polling background work (specification «Job»). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { job } from '../resources/index.ts'
import { idInPath } from '../values/index.ts'

const getJobStatus = operation('getJobStatus', 'GET /jobs/{jobId}/status', {
  tag: 'jobs',
  summary: 'Poll a job',
  description: 'Poll until status is completed or failed; a final job never changes. Completion is not pushed.',
  params: z.object({ jobId: idInPath }),
  success: job,
  errors: ['not_found'],
})

/** The operations of this tag. */
export const jobOperations = [getJobStatus] as const
