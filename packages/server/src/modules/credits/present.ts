/** The ledger's rows as resources. */
import type { Answer, OperationOf } from '@les/contract'
import type { ChargeSum } from './store.ts'

/** The answer of `GET /credits/usage`. */
export type CreditUsage = Answer<OperationOf<'getCreditsUsage'>>

type SourceType = CreditUsage['bySource'][number]['type']

/** A source as the usage answer names it. */
export type SourceDescription = { readonly type: string; readonly label: string }

/** Sums as the usage answer: both breakdowns add up to the total (G15). */
export function presentUsage(
  period: { from: Date; to: Date },
  rows: readonly ChargeSum[],
  described: ReadonlyMap<string, SourceDescription>,
): CreditUsage {
  const describe = ({ sourceId }: ChargeSum) => (sourceId === null ? undefined : described.get(sourceId))
  const days = rows.filter((row) => row.date !== null)
  const sources = rows.filter((row) => row.date === null)
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    total: days.reduce((sum, row) => sum + row.credits, 0),
    byDate: days.map((row) => ({ date: row.date!, credits: row.credits })).sort((a, b) => (a.date < b.date ? -1 : 1)),
    bySource: sources
      .map((row) => ({
        sourceId: row.sourceId,
        type: (describe(row)?.type ?? row.category) as SourceType,
        label: describe(row)?.label ?? null,
        credits: row.credits,
      }))
      .sort((a, b) => b.credits - a.credits || ((a.sourceId ?? a.type) < (b.sourceId ?? b.type) ? -1 : 1)),
  }
}
