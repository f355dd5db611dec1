/** How a run is shown (G28, G31, G131, C4, C7). */
import type { RunState } from '../runs/run.ts'

/** The state callers see: a captured run is `enriching` while leads wait, and `untracked` when untracking cut that off. */
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

/** True when nothing changes without a new run. */
export const isFinal = (run: RunState | null, leadsWaiting: number): boolean =>
  run === null || (run !== 'queued' && run !== 'capturing' && leadsWaiting === 0)

type Kind = 'person' | 'company' | 'post' | 'keyword'

/** Error code of a run that an empty balance ended. */
export const emptyBalance = 'insufficient_enriching_credits'

/** True for an ending that makes the first sync: it captured, and no empty account cut it short (G144). */
export const makesFirstSync = (ending: { readonly state: RunState; readonly emptied?: boolean }): boolean =>
  ending.state === 'captured' && ending.emptied !== true

/** The ending inside `capture`: null unless captured, and for keyword searches (SYN-24); an agent's trial allowance is a cap. */
export const captureStoppedBy = (kind: Kind, run: RunState, stoppedBy: string | null): string | null =>
  run !== 'captured' || kind === 'keyword' ? null : stoppedBy === 'lead_cap' ? 'credits' : stoppedBy

/** The ending at the top, where a cap is `credit_cap` and `untracked` exists; a keyword search shows a failure too (G36). */
export function topStoppedBy(kind: Kind, run: RunState, stoppedBy: string | null): string | null {
  if (run === 'untracked') return 'untracked'
  if (run !== 'captured' && kind !== 'keyword') return null
  return stoppedBy === 'credits' ? 'credit_cap' : stoppedBy
}

/** The ending in lists: a keyword search's own; else as at the top, but an empty balance is `budget`, not a cap. */
export function lastRunStoppedBy(
  kind: Kind,
  run: { readonly state: RunState; readonly stoppedBy: string | null; readonly errorCode: string | null },
): string | null {
  if (kind === 'keyword') return run.stoppedBy
  return run.state === 'captured' && run.errorCode === emptyBalance
    ? 'budget'
    : topStoppedBy(kind, run.state, run.stoppedBy)
}
