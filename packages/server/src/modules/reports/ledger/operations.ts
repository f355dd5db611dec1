import type { Answer, OperationOf } from '@les/contract'
import { refuse } from '../../../platform/refusal.ts'
import type { Handlers } from '../../accounts/index.ts'
import { categoryInWords, spanAsked } from '../../credits/index.ts'
import { findSource } from '../../sources/index.ts'
import { countLines, listLines, type LedgerLine } from './ledger-store.ts'
import { listCoverage, listFreshness, listPairs, listSavings, type FreshnessRow } from './sources-store.ts'
import { coverageOf } from './rules/coverage.ts'
import { kindOf, reasonOf } from './rules/reasons.ts'
import { sumLedger, sumMonth } from './sums-store.ts'

const dayMs = 86_400_000

const presentLine = (line: LedgerLine): Answer<OperationOf<'listLedgerEntries'>>['entries'][number] => ({
  ...line,
  kind: kindOf(line),
  credits: line.amount,
  reason: reasonOf(line),
  person: line.personUrl === null ? null : { name: line.personName, linkedinUrl: line.personUrl },
  dispute: line.disputeId === null ? null : { id: line.disputeId, state: line.disputeState! },
})

const pageOf = (total: number, { limit, offset }: { limit: number; offset: number }) => ({
  total,
  limit,
  offset,
  hasMore: offset + limit < total,
})

function monthNamed(month: string): { readonly from: Date; readonly before: Date } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  // `Date.UTC` takes years below 100 as 19xx.
  const firstOf = (at: number): Date => new Date(new Date(0).setUTCFullYear(year, at, 1))
  return { from: firstOf(number - 1), before: firstOf(number) }
}

export const reportOperations = {
  listLedgerEntries: async (input, { caller: { teamId }, db }) => ({
    entries: (await listLines(db, teamId, input)).map(presentLine),
    ...pageOf(await countLines(db, teamId, input), input),
  }),
  getLedgerSummary: async (input, { caller: { teamId }, db, now }) => {
    const { from, to } = await spanAsked(input, { db, teamId, now })
    const { rows, total } = await sumLedger(db, teamId, { ...input, from, to })
    return {
      from,
      to,
      rows: rows.map(({ freeCount, ...row }) => ({ ...row, seen: row.charged + freeCount })),
      ...pageOf(total, input),
    }
  },
  getCreditStatement: async ({ month }, { caller: { teamId }, db, now }) => {
    const span = monthNamed(month)
    const current = now.toISOString().slice(0, 7)
    if (span.from > now)
      refuse('invalid_request', {}, `\`month\` must not be in the future: it is ${current} now (UTC)`)
    const sums = await sumMonth(db, teamId, span)
    const of = (section: (typeof sums)[number]['section']) =>
      sums.filter((sum) => sum.section === section).reduce((total, { credits }) => total + credits, 0)
    return {
      month,
      opening: of('opening'),
      grants: of('grants'),
      charges: sums
        .filter(({ section }) => section === 'charges')
        .map(({ sourceId, label, category, credits }) => ({
          sourceId,
          label: label ?? (category === null ? null : categoryInWords(category)),
          credits,
        })),
      refunds: of('refunds'),
      lapse: of('lapse'),
      closing: sums.reduce((total, { credits }) => total + credits, 0),
    }
  },
  getSourceOverlap: async (_input, { caller: { teamId }, db, now }) => ({
    pairs: await listPairs(db, teamId),
    sources: await listSavings(db, teamId, new Date(now.getTime() - 30 * dayMs)),
  }),
  getSourceCoverage: async ({ id, ...page }, { caller: { teamId }, db }) => {
    const source = id === null ? undefined : await findSource(db, teamId, { id })
    if (!source) return refuse('not_found', {}, 'The team has no such source: see GET /sources?includeInactive=true')
    const { posts, total } = await listCoverage(db, { teamId, sourceId: source.id }, page)
    return { posts: posts.map(coverageOf), ...pageOf(total, page) }
  },
  getFreshness: async (_input, { caller: { teamId }, db, now }) => {
    const rows = await listFreshness(db, teamId, new Date(now.getTime() - 7 * dayMs))
    const [{ sourceId: _, ...team }, ...sources] = rows as [FreshnessRow, ...FreshnessRow[]]
    return { team, sources: sources.map(({ sourceId, ...figures }) => ({ sourceId: sourceId!, ...figures })) }
  },
} satisfies Partial<Handlers>
