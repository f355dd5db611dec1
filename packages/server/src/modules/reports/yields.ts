/** What sources yielded: people charged since a day, how far each got, and the price of one who fits. */
import type { Answer, SessionOperationOf } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { SessionHandlers } from '../accounts/index.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'
import { lastDates, startOf } from './rules/forecast.ts'

type Yield = Answer<SessionOperationOf<'listYield'>>
type Funnel = Yield['total']

const shownSources = 200

const stages = ['seen', 'charged', 'enriched', 'icp', 'delivered', 'sent'] as const

/** Where the person starts in a charge's key, `source:{uuid}:person:…`; in a post's key this is the end of a URN, so nobody. */
const personAt = sql.lit(52)

/** How far a person of a source got, as bits. People are grouped by hash, since a team may have met a million. */
const mark = {
  enriched: sql.lit(1),
  icp: sql.lit(2),
  delivered: sql.lit(4),
  sent: sql.lit(8),
} as const

const reached = (name: keyof typeof mark) =>
  sql`count(*) filter (where m.marks & ${mark[name]} <> 0) as ${sql.ref(name)}`

/** SQL: per owner, the people charged since `since` by how far they got, and the credits. A person counts once per source. */
function yieldsSince(teamId: string, since: Date): RawBuilder<unknown> {
  const marksOfLead = sql`case when l.enrichment = 'completed' then ${mark.enriched} else 0 end
    | case when l.is_icp then ${mark.icp} else 0 end
    | case when l.webhook_status = 'sent' then ${mark.delivered} else 0 end
    | case when o.lead_id is not null then ${mark.sent} else 0 end`
  return sql`
    with sends as materialized (
      select distinct lead_id from outreach_send
      where team_id = ${teamId} and state = 'sent' and sent_at >= ${since} and lead_id is not null
    ), charges as materialized (
      select source_id as owner_id, hashtextextended(substr(key, ${personAt}), 0) as person,
        count(*) filter (where category is distinct from 'agent_trial') as credits
      from credit_entry
      where team_id = ${teamId} and kind = 'charge' and created_at >= ${since} and source_id is not null
      group by 1, 2
    ), met as materialized (
      select l.owner_id, hashtextextended(l.person_urn, 0) as person,
        bit_or(case when l.enrichment = 'raw' then 0 else ${marksOfLead} end) as marks
      from lead l left join sends o on o.lead_id = l.id
      where l.team_id = ${teamId} and l.created_at >= ${since} group by 1, 2
    )
    select c.owner_id, count(m.person) as charged,
      ${sql.join((['enriched', 'icp', 'delivered', 'sent'] as const).map(reached))}, sum(c.credits) as credits
    from charges c left join met m on m.owner_id = c.owner_id and m.person = c.person group by 1`
}

/**
 * Tracked sources and those that cost something since an instant (the first of a UTC day), each row with the totals: sources that
 * cost and yielded nobody who fits first, then the most expensive. Charges to an agent's free trial are not counted as credits.
 */
async function listYields(
  db: Reader,
  teamId: string,
  since: Date,
): Promise<(Yield['sources'][number] & { readonly total: Funnel })[]> {
  const total = sql.join(stages.map((stage) => sql`${sql.lit(stage)}, sum(${sql.ref(stage)}) over ()`))
  return queryAll<Yield['sources'][number] & { readonly total: Funnel }>(db)`
    with came as materialized (${yieldsSince(teamId, since)}
    ), funnels as (
      select s.id, greatest(coalesce(runs.seen, 0), coalesce(came.charged, 0)) as seen,
        coalesce(came.charged, 0) as charged, coalesce(came.enriched, 0) as enriched, coalesce(came.icp, 0) as icp,
        coalesce(came.delivered, 0) as delivered, coalesce(came.sent, 0) as sent, coalesce(came.credits, 0) as credits,
        coalesce(jsonb_array_length(i.rules) > 0, false) as has_criteria
      from source s
      left join came on came.owner_id = s.id
      left join icp i on i.team_id = s.team_id and i.owner_id = s.id
      left join lateral (select sum(y.engagers_seen + y.authors_captured) as seen from sync y
        where y.team_id = s.team_id and y.source_id = s.id and y.created_at >= ${since}) runs on true
      where s.team_id = ${teamId} and (s.status = 'active' or came.credits > 0)
    ), ranked as materialized (
      select *, case when icp > 0 then round(credits::numeric / icp, 2)::double precision end as cost,
        jsonb_build_object(${total}) as total
      from funnels
      order by (credits > 0 and icp = 0 and has_criteria) desc,
        case when icp > 0 then credits::double precision / icp end desc nulls last, credits desc, id
        limit ${shownSources}
    )
    select ${sql.join(stages.map((stage) => sql`f.${sql.ref(stage)}::bigint`))}, f.total,
      s.id as "sourceId", s.type, ${nameOfSource} as label, s.status, f.credits::bigint, f.cost as "creditsPerIcpLead"
    from ranked f join source s on s.team_id = ${teamId} and s.id = f.id ${labelJoins}
    order by (f.credits > 0 and f.icp = 0 and f.has_criteria) desc, f.cost desc nulls last, f.credits desc,
      s.id`
}

const nothing: Funnel = { seen: 0, charged: 0, enriched: 0, icp: 0, delivered: 0, sent: 0 }

export const yieldOperations: SessionHandlers<'listYield'> = {
  listYield: async (input, { caller: { teamId }, db, now }) => {
    const rows = await listYields(db, teamId, startOf(lastDates(now, input.days)[0]!))
    return { total: rows[0]?.total ?? nothing, sources: rows.map(({ total: _total, ...source }) => source) }
  },
}
