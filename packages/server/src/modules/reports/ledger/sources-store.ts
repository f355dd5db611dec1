/** SQL of how sources do: coverage of posts, time to delivery, and people whom several of them pay for. */
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryValue } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { PostHeld } from './rules/coverage.ts'

/** A page of the posts whose engagement a source reads, newest first, with declared and captured counts, and the total. */
export async function listCoverage(
  db: Reader,
  { teamId, sourceId }: { teamId: string; sourceId: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ readonly posts: PostHeld[]; readonly total: number }> {
  const ofSource = sql`post_coverage c
    where c.team_id = ${teamId} and c.source_id = ${sourceId} and not exists (select 1 from keyword_search k
      where k.team_id = c.team_id and k.source_id = c.source_id and not k.capture_engagers)`
  const { rows } = await sql<PostHeld>`
    select coalesce(p.url, 'https://www.linkedin.com/feed/update/' || c.post_urn) as "postUrl", c.declared, c.captured,
      c.held_back_by as "heldBackBy"
    from (select * from ${ofSource}) c left join post p on p.team_id = c.team_id and p.urn = c.post_urn
    order by p.posted_at desc nulls last, c.post_urn desc limit ${limit} offset ${offset}`.execute(db)
  return { posts: rows, total: (await queryValue<number>(db)`select count(*)::integer from ${ofSource}`)! }
}

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

const maxPairs = 1_000

type Pair = { readonly a: string; readonly b: string; readonly people: number; readonly creditsPaidTwice: number }

/**
 * Charges of active sources by person: `source:{id}:person:` is 51 characters long, and erased people have no such key. A
 * refunded charge counts as not paid.
 */
const charges = (teamId: string) => sql`
  select e.source_id, substr(e.key, 52) as person_urn, e.created_at,
    e.account = 'team' and d.state is distinct from 'credited' as paid
  from credit_entry e
  join source s on s.team_id = e.team_id and s.id = e.source_id and s.status = 'active'
  left join dispute d on d.team_id = e.team_id and d.entry_id = e.id
  where e.team_id = ${teamId} and e.kind = 'charge' and e.source_id is not null and e.key like 'source:%:person:%'`

/** Pairs of active sources that captured the same people, most people first. */
export const listPairs = (db: Reader, teamId: string) =>
  queryAll<Pair>(db)`
    with charges as (${charges(teamId)}),
    people as materialized (
      select person_urn, array_agg(source_id order by source_id) as sources,
        array_agg(paid order by source_id) as paid
      from charges group by person_urn having count(*) > 1)
    select p.sources[one.at] as a, p.sources[other.at] as b, count(*)::integer as people,
      (count(*) filter (where p.paid[one.at] and p.paid[other.at]))::integer as "creditsPaidTwice"
    from people p cross join lateral generate_subscripts(p.sources, 1) as one (at)
    join lateral generate_series(one.at + 1, cardinality(p.sources)) as other (at) on true
    group by 1, 2 order by 3 desc, 1, 2 limit ${maxPairs}`

/** For each active source, how many people it and another source were both charged for since `since`; most first. */
export const listSavings = (db: Reader, teamId: string, since: Date) =>
  queryAll<{ sourceId: string; savedIfStopped: number }>(db)`
    with charges as (${charges(teamId)} and e.created_at >= ${since}),
    shared as (
      select unnest(array_agg(source_id)) as source_id from charges where paid group by person_urn having count(*) > 1),
    counts as (select source_id, count(*)::integer as people from shared group by source_id)
    select s.id as "sourceId", coalesce(c.people, 0) as "savedIfStopped"
    from source s left join counts c on c.source_id = s.id
    where s.team_id = ${teamId} and s.status = 'active' order by 2 desc, 1`
