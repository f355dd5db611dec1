/** How runs end here: closed, and told to the webhook in the same unit of work (WHK-12; C7). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { offerSyncEnding } from '../delivery/index.ts'
import { captureStoppedBy, closeRun, type Run, type RunEnding } from '../sources/index.ts'

/** Ends a run whose row and source are locked; `run` carries the counts it ends with. A run that untracking has ended is told to nobody. */
export async function endRun(tx: Tx, run: Run, ending: RunEnding): Promise<void> {
  await closeRun(tx, run, ending)
  if (ending.state === 'untracked') return
  await offerSyncEnding(tx, run.teamId, run.sourceId, {
    syncId: run.id,
    state: ending.state === 'captured' ? 'completed' : 'failed',
    stoppedBy: captureStoppedBy(ending.state, ending.stoppedBy),
    creditsSpent: run.creditsSpent,
    leadRowsCaptured: run.leadRows,
    errorCode: ending.errorCode,
    errorText: ending.errorText,
  })
}
