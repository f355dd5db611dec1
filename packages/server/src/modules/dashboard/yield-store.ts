/** SQL that reads what sources have yielded: the people charged since a day, and how far each has come. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'
import { listOwnersToSum, yieldsSince } from './yields/store.ts'

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

const stages = ['seen', 'charged', 'enriched', 'icp', 'delivered', 'sent'] as const

/**
 * Reads sources that are tracked or have cost something since an instant: those that cost and yield nobody who fits first, then the
 * most expensive. `since` is the first instant of a UTC day. A person counts once a source, however often they engage; credits of
 * an agent's free trial are nobody's money.
 */
export async function listYields(db: Reader, teamId: string, since: Date): Promise<YieldRow[]> {
  const totals = sql.join(
    stages.map((stage) => sql`sum(${sql.ref(stage)}) over ()::bigint as ${sql.ref(`total_${stage}`)}`),
  )
  // A source that is summed up or noted between the two statements is read as it was at the first.
  const counted = await listOwnersToSum(db, teamId)
  const { rows } = await sql<YieldRow>`
    with came as materialized (${yieldsSince(teamId, since, counted)}
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
      select *, case when icp > 0 then round(credits::numeric / icp, 2)::double precision end as cost, ${totals}
      from funnels
      order by (credits > 0 and icp = 0 and has_criteria) desc,
        case when icp > 0 then credits::double precision / icp end desc nulls last, credits desc, id
        limit ${shownSources}
    )
    select ${sql.join(stages.map((stage) => sql`f.${sql.ref(stage)}::bigint, f.${sql.ref(`total_${stage}`)}`))},
      s.id as "sourceId", s.type, ${nameOfSource} as label, s.status, f.credits::bigint, f.cost as "creditsPerIcpLead"
    from ranked f join source s on s.team_id = ${teamId} and s.id = f.id ${labelJoins}
    order by (f.credits > 0 and f.icp = 0 and f.has_criteria) desc, f.cost desc nulls last, f.credits desc,
      s.id`.execute(db)
  return rows
}
