/** What becomes of a job whose vendor failed. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { askedWait } from '../../platform/rules/asked-wait.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { failJob, lockJob, postponeJob, type ClaimedJob } from './store.ts'

const tries = 3
const retryMs = 20_000
/** Somebody polls a job: what a vendor asks for is kept, up to an hour. */
const longestRetryMs = 60 * 60_000

/**
 * Ends the job with 404 and `notFound` or, after its last try, with 502; else puts it off, uncounted while the vendor
 * is held. Nothing when the claim was lost.
 */
export async function failOrPostponeJob(
  tx: Tx,
  {
    job,
    failure,
    notFound,
  }: { readonly job: ClaimedJob; readonly failure: ProviderFailure; readonly notFound: string },
): Promise<void> {
  if (!(await lockJob(tx, job))) return
  if (failure.kind === 'not_found') return failJob(tx, job, { status: 404, error: notFound })
  if (failure.held) return postponeJob(tx, { job, dueAt: failure.held.until, cause: 'held' })
  if (job.attempts + 1 < tries) {
    const waitMs = askedWait(retryMs, failure.retryAfterMs, longestRetryMs)
    return postponeJob(tx, { job, dueAt: new Date(tx.now.getTime() + waitMs) })
  }
  return failJob(tx, job, {
    status: 502,
    code: 'provider_unavailable',
    error: `${describeFailure(failure)}; nothing was changed and nothing was charged`,
  })
}
