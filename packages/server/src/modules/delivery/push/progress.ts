/** How far a push has come: its leads counted by what has become of their deliveries. */
import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { isUnderWay } from '../deliveries.ts'

/** What becomes of a pushed lead, as callers see it. */
type PushState = 'pending' | 'sending' | 'delivered' | 'failed' | 'held' | 'excluded'

/** A push with its leads by state. */
type PushProgress = {
  readonly id: string
  readonly ownerId: string
  readonly createdAt: Date
  /** Leads that were not queued, because they were excluded. */
  readonly excluded: number
  readonly counts: Readonly<Partial<Record<PushState, number>>>
  /** Null once all leads were looked at. */
  readonly queueing: { readonly looked: number; readonly considered: number } | null
}

/** Reads a push of a team; undefined when there is none. */
export async function findPush(db: Reader, teamId: string, pushId: string): Promise<PushProgress | undefined> {
  const push = await db
    .selectFrom('push')
    .select(['id', 'owner_id', 'created_at', 'queueing', 'looked', 'considered', 'excluded'])
    .where('team_id', '=', teamId)
    .where('id', '=', pushId)
    .executeTakeFirst()
  if (!push) return undefined
  // Judged by source and endpoint as they are now: the workers write the same as soon as they come by.
  const { rows } = await sql<{ state: PushState; count: number }>`
    select case
        when d.state = 'sent' then 'delivered'
        when d.state = 'excluded' then 'excluded'
        when d.state in ('failed', 'cancelled') or d.generation < w.live_from then 'failed'
        when d.state = 'pending' and ${isUnderWay} then 'sending'
        when s.status = 'inactive' and (s.type <> 'keyword' or d.awaits_enrichment) then 'failed'
        when d.state = 'pending' and w.disabled_at is not null then 'held'
        else d.state end as state, count(*)::integer as count
    from push_lead p join delivery d on d.team_id = p.team_id and d.id = p.delivery_id
    left join source s on s.team_id = ${teamId} and s.id = ${push.owner_id}
    left join webhook w on w.team_id = ${teamId} and w.owner_id = ${push.owner_id}
    where p.team_id = ${teamId} and p.push_id = ${pushId}
    group by 1`.execute(db)
  return {
    id: push.id,
    ownerId: push.owner_id,
    createdAt: push.created_at,
    excluded: push.excluded,
    counts: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    queueing: push.queueing ? { looked: push.looked, considered: push.considered } : null,
  }
}
