/** How a run is shown (G28, G31, G131, C4, C7). */
import type { RunState } from '../runs/run.ts'

/** The state callers see: a captured run is enriching while leads of its source wait, and untracked when that was cut off. */
export function shownState(
  run: RunState | null,
  leadsWaiting: number,
  cutOff = false,
): 'idle' | 'queued' | 'capturing' | 'enriching' | 'completed' | 'failed' | 'untracked' {
  if (run === null) return 'idle'
  if (run !== 'captured') return run
  if (cutOff) return 'untracked'
  return leadsWaiting > 0 ? 'enriching' : 'completed'
}

/** Nothing more will change without a new run. */
export const isFinal = (run: RunState | null, leadsWaiting: number): boolean =>
  run === null || (run !== 'queued' && run !== 'capturing' && leadsWaiting === 0)

/** Any source's kind; a keyword search shows its ending as `lastRun.stoppedBy`. */
type Kind = 'person' | 'company' | 'post' | 'keyword'

/** The code of a run that an empty balance ended. */
export const emptyBalance = 'insufficient_enriching_credits'

/** True of an ending with which the first sync counts as made: it captured, and no empty account kept the rest out (G144). */
export const makesFirstSync = (ending: { readonly state: RunState; readonly emptied?: boolean }): boolean =>
  ending.state === 'captured' && ending.emptied !== true

/**
 * The ending inside `capture`: null on failed and abandoned runs, and always of a keyword search (SYN-24); the
 * allowance of an agent on a free trial is a cap like any other here.
 */
export const captureStoppedBy = (kind: Kind, run: RunState, stoppedBy: string | null): string | null =>
  run !== 'captured' || kind === 'keyword' ? null : stoppedBy === 'lead_cap' ? 'credits' : stoppedBy

/** The same ending at the top, where the cap is spelled `credit_cap` and `untracked` exists; a keyword search shows a failure too (G36). */
export function topStoppedBy(kind: Kind, run: RunState, stoppedBy: string | null): string | null {
  if (run === 'untracked') return 'untracked'
  if (run !== 'captured' && kind !== 'keyword') return null
  return stoppedBy === 'credits' ? 'credit_cap' : stoppedBy
}

/**
 * The ending of a run where sources are listed: a keyword search's as it is; elsewhere the top one, except that an
 * empty balance is never shown as a cap, which the source may not have.
 */
export function lastRunStoppedBy(
  kind: Kind,
  run: { readonly state: RunState; readonly stoppedBy: string | null; readonly errorCode: string | null },
): string | null {
  if (kind === 'keyword') return run.stoppedBy
  return run.state === 'captured' && run.errorCode === emptyBalance
    ? 'budget'
    : topStoppedBy(kind, run.state, run.stoppedBy)
}
