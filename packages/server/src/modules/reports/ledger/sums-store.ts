/** SQL of sums over the ledger: by run, source or day, and over a month. */
import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { labelJoins, labelOfSource } from '../../leads/index.ts'

/** A sum; `key` is null for lines without a run or source. */
type LedgerSum = {
  readonly key: string | null
  readonly label: string | null
  readonly charged: number
  readonly free: Readonly<Record<string, number>>
  readonly freeCount: number
  readonly credits: number
}

/** The sums asked for; both instants are inclusive. */
type SumsAsked = {
  readonly groupBy: 'run' | 'source' | 'day'
  readonly syncId?: string | undefined
  readonly from: Date
  readonly to: Date
  readonly limit: number
  readonly offset: number
}

const keys = {
  run: sql`sync_id::text`,
  source: sql`source_id::text`,
  day: sql`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`,
} as const

const orders = {
  run: sql`last desc, key`,
  source: sql`charged desc, free_count desc, key`,
  day: sql`key desc`,
} as const

/** Sums charges, refunds and free lines by key; `total` counts the keys. */
export async function sumLedger(
  db: Reader,
  teamId: string,
  { groupBy, syncId, from, to, limit, offset }: SumsAsked,
): Promise<{ readonly rows: LedgerSum[]; readonly total: number }> {
  const ofRun = syncId === undefined ? sql`` : sql`and sync_id = ${syncId}`
  const { rows } = await sql<LedgerSum & { total: number }>`
    with lines as (
      select sync_id, source_id, created_at, null as reason, case kind when 'charge' then 1 else 0 end as count,
        amount as credits from credit_entry
      where team_id = ${teamId} and account = 'team' and kind in ('charge', 'refund')
        and created_at between ${from} and ${to} ${ofRun}
      union all
      select sync_id, source_id, created_at, reason, count, 0 from free_line
      where team_id = ${teamId} and created_at between ${from} and ${to} ${ofRun}
    ), by_reason as (
      select ${keys[groupBy]} as key, reason, sum(count)::bigint as count, sum(credits)::bigint as credits,
        max(created_at) as last, (array_agg(source_id) filter (where source_id is not null))[1] as source_id
      from lines group by 1, 2
    ), sums as (
      select key, coalesce(sum(count) filter (where reason is null), 0)::bigint as charged,
        coalesce(jsonb_object_agg(reason, count) filter (where reason is not null), '{}') as free,
        coalesce(sum(count) filter (where reason is not null), 0)::bigint as free_count,
        sum(credits)::bigint as credits, max(last) as last,
        (array_agg(source_id) filter (where source_id is not null))[1] as source_id
      from by_reason group by key
    ), page as materialized (
      select *, count(*) over ()::bigint as total from sums order by ${orders[groupBy]} limit ${limit} offset ${offset}
    )
    select key, ${groupBy === 'day' ? sql`key` : sql`case when key is not null then ${labelOfSource} end`} as label, charged,
      free, free_count as "freeCount", credits, total
    from page left join source s on s.team_id = ${teamId} and s.id = page.source_id ${labelJoins}
    order by ${orders[groupBy]}`.execute(db)
  return {
    rows,
    total: rows[0]?.total ?? (offset === 0 ? 0 : await countSums(db, teamId, { groupBy, syncId, from, to })),
  }
}

const countSums = async (db: Reader, teamId: string, asked: Omit<SumsAsked, 'limit' | 'offset'>): Promise<number> =>
  (await sumLedger(db, teamId, { ...asked, limit: 1, offset: 0 })).total

/** A sum of a month; charges have one per source or, without a source, per category. */
type MonthSum = {
  readonly section: 'opening' | 'grants' | 'charges' | 'refunds' | 'lapse'
  readonly sourceId: string | null
  readonly category: string | null
  readonly label: string | null
  readonly credits: number
}

/** Sums changes of the team's own balance in a month, and before it as `opening`. */
export const sumMonth = (db: Reader, teamId: string, { from, before }: { from: Date; before: Date }) =>
  queryAll<MonthSum>(db)`
    with lines as (
      select case when created_at < ${from} then 'opening' when kind = 'charge' then 'charges'
          when kind = 'refund' then 'refunds' when kind = 'lapse' or kind = 'adjust' and amount < 0 then 'lapse'
          else 'grants' end as section, source_id, category, amount from credit_entry
      where team_id = ${teamId} and account = 'team' and created_at < ${before}
    ), sums as materialized (
      select section, case section when 'charges' then source_id end as source_id,
        case when section = 'charges' and source_id is null then category end as category,
        sum(amount)::bigint as credits
      from lines group by 1, 2, 3
    )
    select section, sums.source_id as "sourceId", category, ${labelOfSource} as label, credits
    from sums left join source s on s.team_id = ${teamId} and s.id = sums.source_id ${labelJoins}
    order by section, credits, sums.source_id, category`
