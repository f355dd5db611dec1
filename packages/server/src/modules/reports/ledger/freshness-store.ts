import { sql, type RawBuilder } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'

/** The median and 95th percentile of durations, in seconds. */
type Spread = { readonly p50: number; readonly p95: number } | null

/** Durations of a source, or of the whole team when `sourceId` is null. */
export type FreshnessRow = {
  readonly sourceId: string | null
  readonly engagementToCaptured: Spread
  readonly capturedToEnriched: Spread
  readonly enrichedToDelivered: Spread
}

/** SQL: the spread of a column of seconds; null without any. */
const spreadOf = (column: string): RawBuilder<unknown> => {
  const percentile = (share: number) =>
    sql`round((percentile_cont(${sql.lit(share)}) within group (order by ${sql.ref(column)}))::numeric, 3)::float8`
  return sql`case when count(${sql.ref(column)}) > 0
    then jsonb_build_object('p50', ${percentile(0.5)}, 'p95', ${percentile(0.95)}) end`
}

const seconds = (later: RawBuilder<unknown>, earlier: RawBuilder<unknown>) =>
  sql`greatest(extract(epoch from ${later} - ${earlier})::float8, 0)`

/**
 * The time from engagement to delivery for the team and each active source, over leads captured since `since`. Only comments and
 * posts made after the tracking began count: reactions have no known time.
 */
export const listFreshness = (db: Reader, teamId: string, since: Date) =>
  queryAll<FreshnessRow>(db)`
    with captured as materialized (
      select s.id as source_id, l.engaged_at, l.created_at, l.enriched_at, d.finished_at as delivered_at
      from (select *, case engagement_type when 'Comment' then comment_posted_at when 'Author' then post_posted_at end
          as engaged_at from lead
        where team_id = ${teamId} and created_at >= ${since} and enrichment <> 'raw') l
      join source s on s.team_id = l.team_id and s.id = l.source_id and s.status = 'active'
      left join delivery d on d.team_id = l.team_id and d.lead_id = l.id and d.owner_id = s.id
        and d.event = 'lead.detected' and d.state = 'sent'
      where l.engaged_at > s.created_at
    ), steps as (
      select source_id, ${seconds(sql`created_at`, sql`engaged_at`)} as captured,
        ${seconds(sql`enriched_at`, sql`created_at`)} as enriched,
        ${seconds(sql`delivered_at`, sql`enriched_at`)} as delivered from captured
    ), spreads as (
      select source_id, ${spreadOf('captured')} as captured, ${spreadOf('enriched')} as enriched,
        ${spreadOf('delivered')} as delivered
      from steps group by grouping sets ((), (source_id))
    )
    select null::uuid as "sourceId", captured as "engagementToCaptured", enriched as "capturedToEnriched",
      delivered as "enrichedToDelivered" from spreads where source_id is null
    union all
    select s.id, captured, enriched, delivered from source s left join spreads on spreads.source_id = s.id
    where s.team_id = ${teamId} and s.status = 'active' order by 1 nulls first`
