import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { hasLease } from '../deliveries.ts'
import type { Kind } from '../destinations/rules.ts'

type PushState = 'pending' | 'sending' | 'delivered' | 'failed' | 'held' | 'excluded'

type Push = {
  readonly id: string
  readonly ownerId: string
  readonly createdAt: Date
  readonly excluded: number
  /** Null once all leads were looked at. */
  readonly queueing: { readonly looked: number; readonly considered: number } | null
}

type PushProgress = Push & {
  readonly isOfDestination: boolean
  readonly counts: Readonly<Partial<Record<PushState, number>>>
}

/** A push of a team with its counts; undefined when there is none. */
export async function findPush(db: Reader, teamId: string, pushId: string): Promise<PushProgress | undefined> {
  const { rows } = await sql<Push & { kind: Kind | null }>`
    select p.id, p.owner_id as "ownerId", p.created_at as "createdAt", p.excluded, t.kind,
      case when p.queueing then jsonb_build_object('looked', p.looked, 'considered', p.considered) end as queueing
    from push p left join destination t on t.team_id = p.team_id and t.id = p.owner_id
    where p.team_id = ${teamId} and p.id = ${pushId}`.execute(db)
  if (!rows[0]) return undefined
  const { kind, ...push } = rows[0]
  const counted = await (kind === null || kind === 'webhook' ? countOfWebhook : countOfPlatform)(db, teamId, push)
  const counts = Object.fromEntries(counted.map(({ state, count }) => [state, count]))
  return { ...push, isOfDestination: kind !== null, counts }
}

type Counted = { readonly state: PushState; readonly count: number }

const countOfPlatform = (db: Reader, teamId: string, { id, ownerId }: Push) =>
  queryAll<Counted>(db)`
    select case when d.state in ('delivered', 'unchanged') then 'delivered' when d.state = 'excluded' then 'excluded'
        when d.state in ('refused', 'unknown') then 'failed' when d.begun_at is not null then 'sending'
        when t.active and t.paused_reason is null then 'pending' else 'held' end as state, count(*)::integer as count
    from destination_delivery d join destination t on t.team_id = d.team_id and t.id = d.destination_id
    where d.team_id = ${teamId} and d.destination_id = ${ownerId} and d.push_id = ${id} group by 1`

/** Uses the current source and endpoint: workers write the same states to the rows a little later. */
const countOfWebhook = (db: Reader, teamId: string, { id, ownerId }: Push) =>
  queryAll<Counted>(db)`
    select case
        when d.state = 'sent' then 'delivered'
        when d.state = 'excluded' then 'excluded'
        when d.state in ('failed', 'cancelled') or d.generation < w.cancelled_below_generation then 'failed'
        when d.state = 'pending' and ${hasLease} then 'sending'
        when s.status = 'inactive' and (s.type <> 'keyword' or d.awaits_enrichment) then 'failed'
        when d.state = 'pending' and w.disabled_at is not null then 'held'
        else d.state end as state, count(*)::integer as count
    from push_lead p join delivery d on d.team_id = p.team_id and d.id = p.delivery_id
    left join source s on s.team_id = ${teamId} and s.id = ${ownerId}
    left join webhook w on w.team_id = ${teamId} and w.owner_id = ${ownerId}
    where p.team_id = ${teamId} and p.push_id = ${id}
    group by 1`
