/** SQL that reads how far a push has come, from what is kept with it (`push-counts.ts`). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { isCleared } from '../leads/index.ts'
import { isUnsent } from './store.ts'

/** What becomes of a pushed lead, as callers see it. */
export type PushState = 'pending' | 'sending' | 'delivered' | 'failed' | 'held'

/** A push with its leads by state. */
export type PushProgress = {
  readonly id: string
  readonly ownerId: string
  readonly createdAt: Date
  readonly counts: Readonly<Partial<Record<PushState, number>>>
  /** Null once all leads were looked at. */
  readonly queueing: { readonly looked: number; readonly considered: number } | null
}

/** A push, by its key. */
export type PushKey = { readonly teamId: string; readonly pushId: string }

/** SQL: `state`, `awaits_enrichment` and `leads` of a push, counted from its deliveries. */
export const countedOf = ({ teamId, pushId }: PushKey): RawBuilder<unknown> => sql`
  select d.state, d.awaits_enrichment, count(*) as leads
  from push_lead p join delivery d on d.team_id = p.team_id and d.id = p.delivery_id
  where p.team_id = ${teamId} and p.push_id = ${pushId} group by 1, 2`

/** SQL: the same as it is kept, several rows of a state to be added up. */
export const keptOf = ({ teamId, pushId }: PushKey): RawBuilder<unknown> => sql`
  select state, awaits_enrichment, leads from push_count where team_id = ${teamId} and push_id = ${pushId}
  union all
  select state, awaits_enrichment, leads from push_change where team_id = ${teamId} and push_id = ${pushId}`

/** SQL: what attempts under way move from waiting to being sent: as many rows as the endpoint has leases. */
const underWayOf = ({ teamId, pushId }: PushKey, ownerId: string) => sql`
  select m.state, d.awaits_enrichment, m.leads
  from delivery_lease s join delivery d on d.team_id = s.team_id and d.id = s.delivery_id and d.state = 'pending'
  join push_lead p on p.team_id = s.team_id and p.push_id = ${pushId} and p.delivery_id = s.delivery_id
  cross join (values ('pending', -1), ('sending', 1)) m (state, leads)
  where s.team_id = ${teamId} and s.owner_id = ${ownerId} and not ${isCleared('d')}`

/**
 * SQL: those counts while what waits for the endpoint is being given up: cancelled, but for what was queued since. The counts as they
 * are while nothing is.
 */
const withoutGivenUp = (counts: RawBuilder<unknown>, { teamId, pushId }: PushKey, ownerId: string) => sql`
  select case when ${isUnsent} and exists (select 1 from webhook_clearing g
      where g.team_id = ${teamId} and g.owner_id = ${ownerId}) then 'cancelled' else d.state end as state,
    d.awaits_enrichment, d.leads from (${counts}) d
  union all
  select case m.leads when 1 then d.state else 'cancelled' end, d.awaits_enrichment, m.leads
  from webhook_clearing g join webhook_kept k on k.team_id = g.team_id and k.clearing_id = g.id
  join push_lead p on p.team_id = k.team_id and p.push_id = ${pushId} and p.delivery_id = k.row_id
  join delivery d on d.team_id = k.team_id and d.id = k.row_id and ${isUnsent}
  cross join (values (1), (-1)) m (leads)
  where g.team_id = ${teamId} and g.owner_id = ${ownerId}`

/** Reads a push of a team; undefined when there is none. */
export async function findPush(db: Reader, teamId: string, pushId: string): Promise<PushProgress | undefined> {
  const push = await db
    .selectFrom('push')
    .select(['id', 'owner_id', 'created_at', 'queueing', 'looked', 'considered', 'counted'])
    .where('team_id', '=', teamId)
    .where('id', '=', pushId)
    .executeTakeFirst()
  if (!push) return undefined
  const which = { teamId, pushId }
  const counts = push.counted ? keptOf(which) : countedOf(which)
  // Judged by source and endpoint as they are now: the workers write the same as soon as they come by.
  const { rows } = await sql<{ state: PushState; count: number }>`
    select case
        when d.state = 'sent' then 'delivered'
        when d.state in ('failed', 'cancelled') or d.state <> 'sending' and s.status = 'inactive'
        and (s.type <> 'keyword' or d.awaits_enrichment) then 'failed'
        when d.state = 'pending' and w.disabled_at is not null then 'held'
        else d.state end as state, sum(d.leads)::integer as count
    from (${withoutGivenUp(counts, which, push.owner_id)} union all ${underWayOf(which, push.owner_id)}) d
    left join source s on s.team_id = ${teamId} and s.id = ${push.owner_id}
    left join webhook w on w.team_id = ${teamId} and w.owner_id = ${push.owner_id}
    group by 1 having sum(d.leads) > 0`.execute(db)
  return {
    id: push.id,
    ownerId: push.owner_id,
    createdAt: push.created_at,
    counts: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    queueing: push.queueing ? { looked: push.looked, considered: push.considered } : null,
  }
}
