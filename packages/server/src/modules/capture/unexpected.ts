/** What becomes of a run whose step failed unexpectedly, in either lane. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Recorded, Work } from '../../platform/work-in-hand.ts'
import { findSourceOfRun, lockRun, saveUnexpected, lockSource } from '../sources/index.ts'
import { endRun } from './ending.ts'

/**
 * Records an unexpected failure under the fence: the page is put off until `dueAt`, or the run has failed with
 * `internal_error`; what it has captured stays.
 */
export async function recordUnexpectedOfRun(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const sourceId = await findSourceOfRun(tx.db, work)
  if (sourceId === null || !(await lockSource(tx, work.teamId, { id: sourceId }))) return 'lost'
  const run = await lockRun(tx, work)
  if (!run) return 'lost'
  if (dueAt) {
    await saveUnexpected(tx, run, dueAt)
    return 'put_off'
  }
  await endRun(tx, run, {
    state: 'failed',
    stoppedBy: null,
    errorCode: 'internal_error',
    errorText: 'The service failed at this sync, five times over',
  })
  return 'ended'
}
