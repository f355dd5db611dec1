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
  /** It goes to a destination, not to the webhook of a source. */
  readonly isOfDestination: boolean
  /** Leads that were not queued, because they were excluded. */
  readonly excluded: number
  readonly counts: Readonly<Partial<Record<PushState, number>>>
  /** Null once all leads were looked at. */
  readonly queueing: { readonly looked: number; readonly considered: number } | null
}

type PushOwner = {
  readonly id: string
  readonly owner_id: string
  readonly created_at: Date
  readonly excluded: number
}

const shownOf = ({ id, owner_id: ownerId, created_at: createdAt, excluded }: PushOwner) => ({
  id,
  ownerId,
  createdAt,
  excluded,
})

/** The deliveries of a push to a destination; null where its owner is none, or is sent as webhooks are. */
async function countOfDestination(
  db: Reader,
  teamId: string,
  { id, owner_id: ownerId }: PushOwner,
): Promise<PushProgress['counts'] | null> {
  const { rows } = await sql<{ state: PushState | null; count: number }>`
    select case when d.state in ('delivered', 'unchanged') then 'delivered' when d.state = 'excluded' then 'excluded'
        when d.state in ('refused', 'unknown') then 'failed' when d.begun_at is not null then 'sending'
        when t.active and t.paused_reason is null then 'pending' else 'held' end as state, count(d.id)::integer as count
    from destination t left join destination_delivery d on d.team_id = t.team_id and d.destination_id = t.id and d.push_id = ${id}
    where t.team_id = ${teamId} and t.id = ${ownerId} and t.kind <> 'webhook' group by 1`.execute(db)
  return rows.length === 0 ? null : Object.fromEntries(rows.map(({ state, count }) => [state, count]))
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
  const toDestination = await countOfDestination(db, teamId, push)
  if (toDestination) return { ...shownOf(push), isOfDestination: true, counts: toDestination, queueing: null }
  const { rows: webhooks } = await sql`
    select 1 from destination where team_id = ${teamId} and id = ${push.owner_id}`.execute(db)
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
    ...shownOf(push),
    isOfDestination: webhooks.length > 0,
    counts: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    queueing: push.queueing ? { looked: push.looked, considered: push.considered } : null,
  }
}
