/** The handler that quotes the most an action can cost. Writes and charges nothing. */
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import { readBalance } from '../credits/index.ts'

/** The caps of the named sources of a status for which a sync would start: those with none under way. */
const capsOf = (db: Reader, { teamId, ids, status }: { teamId: string; ids: readonly string[]; status: string }) =>
  queryAll<Capped>(db)`
    select case s.mode when 'posts_only' then least(s.posts_per_sync, s.credit_cap_per_sync)
      else s.credit_cap_per_sync end as cap from source s
    where s.team_id = ${teamId} and s.id = any(${ids}::uuid[]) and s.status = ${status}
      and s.open_sync_id is null`

const lowerOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

export const quoteOperations: SessionHandlers<'quoteCapture'> = {
  quoteCapture: async ({ act }, { caller: { teamId }, db, now, unitOfWork }) => {
    const { balance } = await readBalance(db, teamId, now)
    const syncs =
      act.kind === 'track'
        ? Array.from({ length: act.sources }, (_source, at) => {
            const cap = act.caps === undefined ? act.creditCapPerSync : (act.caps[at] ?? null)
            return { cap: act.mode === 'posts_only' ? lowerOf(act.postsPerSync ?? null, cap) : cap }
          })
        : await capsOf(db, { teamId, ids: act.sourceIds, status: act.kind === 'sync' ? 'active' : 'inactive' })
    return unitOfWork(async () => quoteOf(syncs, act.kind !== 'sync', balance))
  },
}

type Capped = { readonly cap: number | null }

/** Adds caps up, null where only the balance bounds it; `daily` when the action repeats these syncs every day from tomorrow. */
function quoteOf(syncs: readonly Capped[], daily: boolean, balance: number) {
  const [first] = syncs
  const perSync = first !== undefined && syncs.every(({ cap }) => cap === first.cap) ? first.cap : null
  const isBounded = syncs.every(({ cap }) => cap !== null)
  const sum = isBounded ? syncs.reduce((total, { cap }) => total + cap!, 0) : null
  const aDay = daily ? sum : 0
  return {
    sources: syncs.length,
    perSync,
    now: sum,
    daily: aDay,
    balance,
    days: aDay === 0 ? null : aDay === null ? 0 : Math.floor(Math.max(0, balance) / aDay),
  }
}
