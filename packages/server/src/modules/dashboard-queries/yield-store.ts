/** SQL that reads what sources have yielded: the people charged since an instant, and how far each has come. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, labelOfSource } from '../source-labels/index.ts'

/** How many people came how far. */
export type Funnel = { seen: number; charged: number; enriched: number; icp: number; delivered: number; sent: number }

/** A source's funnel, its credits, and what a person that fits has cost; beside it the sums over all sources. */
export type YieldRow = Funnel & {
  sourceId: string
  type: string
  label: string
  status: 'active' | 'inactive'
  credits: number
  creditsPerIcpLead: number | null
} & { [S in keyof Funnel as `total_${S}`]: number }

/** Sources that are shown. */
const shownSources = 200

/**
 * Where the person begins in the key of a charge: behind `source:`, a uuid and `:person:`. Of a post's charge it is the
 * end of a URN, which is nobody.
 */
const personAt = sql.lit(52)

/** What is known of a person of a source, as bits: people are grouped once, by a hash, since a team may have met a hundred thousand. */
const mark = {
  charged: sql.lit(1),
  lead: sql.lit(2),
  enriched: sql.lit(4),
  icp: sql.lit(8),
  delivered: sql.lit(16),
  sent: sql.lit(32),
} as const

/** Counts the people who were charged and have a mark. */
const reached = (name: keyof typeof mark) =>
  sql`count(*) filter (where marks & ${mark.charged} <> 0 and marks & ${mark[name]} <> 0) as ${sql.ref(name)}`

const stages = ['seen', 'charged', 'enriched', 'icp', 'delivered', 'sent'] as const

/**
 * Reads sources that are tracked or have cost something since an instant: those that cost and yield nobody who fits first, then the
 * most expensive. A person counts once a source, however often they engage; credits of an agent's free trial are nobody's money.
 */
export async function listYields(db: Reader, teamId: string, since: Date): Promise<YieldRow[]> {
  const totals = sql.join(
    stages.map((stage) => sql`sum(${sql.ref(stage)}) over ()::bigint as ${sql.ref(`total_${stage}`)}`),
  )
  const { rows } = await sql<YieldRow>`
    with sends as materialized (
      select distinct lead_id from outreach_send where team_id = ${teamId} and state = 'sent' and sent_at >= ${since} and lead_id is not null
    ), people as (
      select owner_id, bit_or(marks) as marks, sum(credits) as credits from (
        select source_id as owner_id, hashtextextended(substr(key, ${personAt}), 0) as person, ${mark.charged} as marks, case category when 'agent_trial' then 0 else 1 end as credits
        from credit_entry where team_id = ${teamId} and kind = 'charge' and created_at >= ${since} and source_id is not null
        union all
        select l.owner_id, hashtextextended(l.person_urn, 0), ${mark.lead} | case when l.enrichment = 'completed' then ${mark.enriched} else 0 end | case when l.is_icp then ${mark.icp} else 0 end
          | case when l.webhook_status = 'sent' then ${mark.delivered} else 0 end | case when o.lead_id is not null then ${mark.sent} else 0 end, 0
        from lead l left join sends o on o.lead_id = l.id where l.team_id = ${teamId} and l.created_at >= ${since}
      ) met group by owner_id, person
    ), came as (
      select owner_id, sum(credits) as credits, ${sql.join((['lead', 'enriched', 'icp', 'delivered', 'sent'] as const).map(reached))} from people group by 1
    ), funnels as (
      select s.id, greatest(coalesce(runs.seen, 0), coalesce(came.lead, 0)) as seen, coalesce(came.lead, 0) as charged, coalesce(came.enriched, 0) as enriched, coalesce(came.icp, 0) as icp,
        coalesce(came.delivered, 0) as delivered, coalesce(came.sent, 0) as sent, coalesce(came.credits, 0) as credits, coalesce(jsonb_array_length(i.rules) > 0, false) as has_criteria
      from source s
      left join came on came.owner_id = s.id
      left join icp i on i.team_id = s.team_id and i.owner_id = s.id
      left join lateral (select sum(y.engagers_seen + y.authors_captured) as seen from sync y where y.team_id = s.team_id and y.source_id = s.id and y.created_at >= ${since}) runs on true
      where s.team_id = ${teamId} and (s.status = 'active' or came.credits > 0)
    ), ranked as materialized (
      select *, case when icp > 0 then round(credits::numeric / icp, 2)::double precision end as cost, ${totals} from funnels
      order by (credits > 0 and icp = 0 and has_criteria) desc, case when icp > 0 then credits::double precision / icp end desc nulls last, credits desc, id limit ${shownSources}
    )
    select ${sql.join(stages.map((stage) => sql`f.${sql.ref(stage)}::bigint, f.${sql.ref(`total_${stage}`)}`))}, s.id as "sourceId", s.type, ${labelOfSource} as label, s.status, f.credits::bigint, f.cost as "creditsPerIcpLead"
    from ranked f join source s on s.team_id = ${teamId} and s.id = f.id ${labelJoins}
    order by (f.credits > 0 and f.icp = 0 and f.has_criteria) desc, f.cost desc nulls last, f.credits desc, s.id`.execute(
    db,
  )
  return rows
}
