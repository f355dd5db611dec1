/** How far work has come, as one line. */
import type { OperationOf, Result } from '@les/contract'

type SyncStatus = Result<OperationOf<'getSourceSync'>>

const barWidth = 20

/** A bar of 20 places, filled as far as `done` is of `all`. */
export function bar(done: number, all: number): string {
  const filled = !(all > 0) ? 0 : Math.max(0, Math.min(barWidth, Math.round((done / all) * barWidth)))
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`
}

/** Draws the bar of a sync: how far its posts are swept, then how far its leads are enriched. */
export function progressLine({ state, progress, capture, enrichment }: SyncStatus): string {
  const open = state === 'enriching' ? progress.leadsEnriched + enrichment.pending : progress.postsTotal
  const done = state === 'enriching' ? progress.leadsEnriched : progress.postsProcessed
  const credits = capture.creditsSpent === null ? '' : ` · ${capture.creditsSpent} credits`
  return `${state.padEnd(10)} ${bar(done, open)} ${progress.leadsCaptured} captured · ${progress.leadsEnriched} enriched${credits}`
}
