/** The progress of a sync as one line. */
import type { OperationOf, Result } from '@les/contract'

type SyncStatus = Result<OperationOf<'getSourceSync'>>

const barWidth = 20

/** Draws the bar of a sync: how far its posts are swept, then how far its leads are enriched. */
export function progressLine({ state, progress, capture, enrichment }: SyncStatus): string {
  const open = state === 'enriching' ? progress.leadsEnriched + enrichment.pending : progress.postsTotal
  const done = state === 'enriching' ? progress.leadsEnriched : progress.postsProcessed
  const filled = open <= 0 ? 0 : Math.min(barWidth, Math.round((done / open) * barWidth))
  const credits = capture.creditsSpent === null ? '' : ` · ${capture.creditsSpent} credits`
  return `${state.padEnd(10)} [${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${progress.leadsCaptured} captured · ${progress.leadsEnriched} enriched${credits}`
}
