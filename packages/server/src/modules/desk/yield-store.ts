/** SQL that reads what sources have yielded: the people charged since an instant, and how far each has come. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, labelOfSource } from './labels.ts'

/** How many people came how far. */
export type Funnel = { seen: number; charged: number; enriched: number; icp: number; delivered: number; sent: number }

/** A source's funnel, its credits, and what a person that fits has cost; beside it the sums over all sources. */
export type YieldRow = Funnel & { sourceId: string; type: string; label: string; status: 'active' | 'inactive'; credits: number; creditsPerIcpLead: number | null } & { [S in keyof Funnel as `total_${S}`]: number }

/** Sources that are shown. */
const shownSources = 200

const stages = ['seen', 'charged', 'enriched', 'icp', 'delivered', 'sent'] as const

/**
 * Reads sources that are tracked or have cost something since an instant: those that cost and yield nobody who fits first, then the
 * dearest. A person counts once a source, however often they engage; credits of an agent's free trial are nobody's money.
 */
export async function listYields(db: Reader, teamId: string, since: Date): Promise<YieldRow[]> {
  const totals = sql.join(stages.map((stage) => sql`sum(${sql.ref(stage)}) over ()::bigint as ${sql.ref(`total_${stage}`)}`))
  const { rows } = await sql<YieldRow>`
    with charges as materialized (
      select source_id, category, case when key like '%:person:%' then substr(key, position(':person:' in key) + 8) end as person
      from credit_entry where team_id = ${teamId} and kind = 'charge' and created_at >= ${since} and source_id is not null
    ), spent as (
      select source_id, count(*) filter (where category is distinct from 'agent_trial') as credits, count(person) as charged from charges group by 1
    ), sends as materialized (
      select distinct lead_id from outreach_send where team_id = ${teamId} and state = 'sent' and sent_at >= ${since} and lead_id is not null
    ), people as (
      select l.owner_id, bool_or(l.enrichment = 'completed') as enriched, bool_or(l.is_icp) as icp, bool_or(l.webhook_status = 'sent') as delivered, bool_or(o.lead_id is not null) as sent
      from lead l join charges c on c.source_id = l.owner_id and c.person = l.person_urn
      left join sends o on o.lead_id = l.id
      where l.team_id = ${teamId} and l.created_at >= ${since} and l.enrichment <> 'raw' group by l.owner_id, l.person_urn
    ), came as (
      select owner_id, count(*) filter (where enriched) as enriched, count(*) filter (where icp) as icp, count(*) filter (where delivered) as delivered, count(*) filter (where sent) as sent from people group by 1
    ), funnels as (
      select s.id, greatest(coalesce(runs.seen, 0), coalesce(spent.charged, 0)) as seen, coalesce(spent.charged, 0) as charged, coalesce(came.enriched, 0) as enriched, coalesce(came.icp, 0) as icp,
        coalesce(came.delivered, 0) as delivered, coalesce(came.sent, 0) as sent, coalesce(spent.credits, 0) as credits, coalesce(jsonb_array_length(i.rules) > 0, false) as has_criteria
      from source s
      left join spent on spent.source_id = s.id
      left join came on came.owner_id = s.id
      left join icp i on i.team_id = s.team_id and i.owner_id = s.id
      left join lateral (select sum(y.engagers_seen + y.authors_captured) as seen from sync y where y.team_id = s.team_id and y.source_id = s.id and y.created_at >= ${since}) runs on true
      where s.team_id = ${teamId} and (s.status = 'active' or spent.source_id is not null)
    ), ranked as materialized (
      select *, case when icp > 0 then round(credits::numeric / icp, 2)::double precision end as cost, ${totals} from funnels
      order by (credits > 0 and icp = 0 and has_criteria) desc, case when icp > 0 then credits::double precision / icp end desc nulls last, credits desc, id limit ${shownSources}
    )
    select ${sql.join(stages.map((stage) => sql`f.${sql.ref(stage)}::bigint, f.${sql.ref(`total_${stage}`)}`))}, s.id as "sourceId", s.type, ${labelOfSource} as label, s.status, f.credits::bigint, f.cost as "creditsPerIcpLead"
    from ranked f join source s on s.team_id = ${teamId} and s.id = f.id ${labelJoins}
    order by (f.credits > 0 and f.icp = 0 and f.has_criteria) desc, f.cost desc nulls last, f.credits desc, s.id`.execute(db)
  return rows
}
