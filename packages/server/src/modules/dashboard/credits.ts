/** Handlers that show where credits go: burn and forecast, the ledger, and what each source yields. */
import type { Answer, SessionOperationOf } from '@les/contract'
import { pageOf, readCursor } from '../../platform/keyset.ts'
import { readTeam, type SessionHandlers } from '../accounts/index.ts'
import { readCredits } from '../credits/index.ts'
import { listLines, sumBurn, sumCaps, sumSpent, type LedgerRow } from './credits-store.ts'
import { forecast, lastDates, lookBackDays } from './rules/forecast.ts'
import { categoryInWords, lineInWords } from './rules/ledger-words.ts'
import { listYields } from './yield-store.ts'

type Line = Answer<SessionOperationOf<'listLedger'>>['lines'][number]

const dayMs = 86_400_000
const startOf = (date: string): Date => new Date(`${date}T00:00:00.000Z`)

const presentLine = (row: LedgerRow): Line => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  amount: row.amount,
  reason: lineInWords(row),
  category: row.category,
  account: row.account,
  source: row.sourceId === null ? null : { id: row.sourceId, type: row.sourceType!, label: row.sourceLabel! },
  person: row.personUrl === null ? null : { name: row.personName, linkedinUrl: row.personUrl },
  postUrl: row.postUrl,
  syncId: row.syncId,
})

/** When a team began to spend: its rows may be older than itself, as those of the sample team are. */
function beganAt(createdAt: Date, rows: readonly { readonly date: string | null }[]): Date {
  const first = rows.flatMap(({ date }) => date ?? []).toSorted()[0]
  return first !== undefined && first < createdAt.toISOString().slice(0, 10) ? startOf(first) : createdAt
}

/** The handlers of this file. */
export const creditDashboardOperations: SessionHandlers<'getBurn' | 'listLedger' | 'listYield'> = {
  getBurn: async (input, { caller: { teamId }, db, now }) => {
    const dates = lastDates(now, input.days)
    const rows = await sumBurn(db, teamId, startOf(dates[0]!))
    const [team, credits] = [await readTeam(db, teamId), await readCredits(db, teamId, now)]
    const spent = await sumSpent(db, teamId, new Date(now.getTime() - lookBackDays * dayMs))
    const outlook = forecast({
      balance: credits.balance,
      spent,
      dailyCap: await sumCaps(db, teamId),
      since: beganAt(team!.createdAt, rows),
      now,
      resetAt: new Date(credits.nextReset),
    })
    const byDate = Map.groupBy(rows, (row) => row.date)
    const bySource = (date: string) =>
      (byDate.get(date) ?? [])
        .map(({ key, credits: charged }) => ({ key, credits: charged }))
        .sort((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1))
    return {
      credits,
      days: dates.map((date) => ({
        date,
        total: bySource(date).reduce((sum, row) => sum + row.credits, 0),
        bySource: bySource(date),
      })),
      sources: (byDate.get(null) ?? [])
        .map(({ key, sourceId, type, label, credits: charged }) => ({
          key,
          sourceId,
          type: type ?? key,
          label: label ?? categoryInWords(key),
          credits: charged,
        }))
        .sort(
          (a, b) =>
            Number(a.key === 'other') - Number(b.key === 'other') || b.credits - a.credits || (a.key < b.key ? -1 : 1),
        ),
      forecast: { ...outlook, emptyAt: outlook.emptyAt?.toISOString() ?? null, resetAt: credits.nextReset },
    }
  },
  listLedger: async (input, { caller: { teamId }, db }) => {
    const before = readCursor(input.cursor)?.id ?? null
    const { rows, nextCursor } = pageOf(
      await listLines(db, teamId, { sourceId: input.sourceId, kind: input.kind, before, limit: input.limit + 1 }),
      input.limit,
      (row) => row,
    )
    return { lines: rows.map(presentLine), nextCursor }
  },
  listYield: async (input, { caller: { teamId }, db, now }) => {
    const rows = await listYields(db, teamId, startOf(lastDates(now, input.days)[0]!))
    const first = rows[0]
    return {
      total: {
        seen: first?.total_seen ?? 0,
        charged: first?.total_charged ?? 0,
        enriched: first?.total_enriched ?? 0,
        icp: first?.total_icp ?? 0,
        delivered: first?.total_delivered ?? 0,
        sent: first?.total_sent ?? 0,
      },
      sources: rows.map(
        ({
          sourceId,
          type,
          label,
          status,
          seen,
          charged,
          enriched,
          icp,
          delivered,
          sent,
          credits,
          creditsPerIcpLead,
        }) => ({
          sourceId,
          type,
          label,
          status,
          seen,
          charged,
          enriched,
          icp,
          delivered,
          sent,
          credits,
          creditsPerIcpLead,
        }),
      ),
    }
  },
}
