/** How runs end here: closed, and told to the webhook in the same unit of work (WHK-12; C7, G75). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { offerSyncEnding } from '../delivery/index.ts'
import { captureStoppedBy, closeRun, emptyBalance, type Run, type RunEnding } from '../sources/index.ts'

/** True of a run whose ending names its cause. */
const namesCause = ({ policy }: Run): boolean => policy.endings === 'cause'

/**
 * Ends a run whose row and source are locked; `run` carries the counts it ends with. A run that untracking has ended is
 * told to nobody. A keyword run that fails says `error` unless it knows better (KRN-10).
 */
export async function endRun(tx: Tx, run: Run, ending: RunEnding): Promise<void> {
  const cause = namesCause(run)
  const stoppedBy = cause && ending.state === 'failed' ? (ending.stoppedBy ?? 'error') : ending.stoppedBy
  await closeRun(tx, run, { ...ending, stoppedBy })
  if (ending.state === 'untracked') return
  await offerSyncEnding(tx, {
    teamId: run.teamId,
    sourceId: run.sourceId,
    run: {
      syncId: run.id,
      state: ending.state === 'captured' ? 'completed' : 'failed',
      stoppedBy: cause ? stoppedBy : captureStoppedBy('person', ending.state, stoppedBy),
      creditsSpent: run.creditsSpent,
      leadRowsCaptured: run.leadRows,
      errorCode: ending.errorCode,
      errorText: ending.errorText,
    },
  })
}

/**
 * What stops a run before everything was captured: its own cap, the balance, a ceiling of the team, or, of a watch, the
 * posts it may store.
 */
export type RunStop = 'credits' | 'budget' | 'team_cap' | 'lead_cap' | 'post_limit'

/** Ends a run that something stopped. Only keyword searches tell an empty balance from a cap (G17, G75, G115). */
export async function closeStopped(tx: Tx, run: Run, stop: RunStop): Promise<void> {
  const broke = stop === 'budget'
  // Outside searches only an agent's allowance on a free trial has this ending, and it is empty then.
  const emptied = broke || (stop === 'lead_cap' && !namesCause(run))
  await endRun(tx, run, {
    state: 'captured',
    stoppedBy: broke && !namesCause(run) ? 'credits' : stop,
    errorCode: broke ? emptyBalance : null,
    errorText: broke ? 'The credit balance ran out before everything was captured' : null,
    emptied,
  })
}
