/** Writing what was found out, and what follows from it. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { MovedLead } from '../leads/index.ts'
import { moveCounts } from '../sources/index.ts'

/** Moves the counters of sources after leads changed their state of enrichment. */
export async function countMoved(
  tx: Tx,
  {
    teamId,
    moved,
    to,
  }: { readonly teamId: string; readonly moved: readonly MovedLead[]; readonly to: 'completed' | 'failed' },
): Promise<void> {
  const bySource = Map.groupBy(
    moved.filter((lead) => lead.sourceId !== null && lead.from !== to),
    (lead) => lead.sourceId!,
  )
  for (const [id, leads] of [...bySource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const from = (state: string) =>
      leads.filter((lead) => (lead.from === 'processing' ? 'pending' : lead.from) === state).length
    const gained = {
      pending: -from('pending'),
      completed: -from('completed'),
      failed: -from('failed'),
      skipped: -from('skipped'),
    }
    await moveCounts(tx, { teamId, id }, { ...gained, [to]: gained[to] + leads.length })
  }
}

/** The sources of leads that changed their state of enrichment. */
export const sourcesOf = (moved: readonly MovedLead[]): string[] => [
  ...new Set(moved.flatMap((lead) => lead.sourceId ?? [])),
]
