/** SQL of endpoints and the log of deliveries. Raw leads are never delivered, so none appear (DSH-05). */
import type { Answer, Input, SessionOperationOf } from '@les/contract'
import { sql } from 'kysely'
import { uuidFrom } from '../../platform/random.ts'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { inState, stateOfDelivery } from '../delivery/index.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'

type Shown = Answer<SessionOperationOf<'getDelivery'>>
type EndpointRow = Answer<SessionOperationOf<'listEndpoints'>>['endpoints'][number]

const dayMs = 86_400_000
const countedDays = 7
const maxEndpoints = 1_000
/** How many newest deliveries of an endpoint are searched for the one that arrived last. */
const newest = 20

/** The lowest id of an instant: ids (UUIDv7) begin with their time. */
const firstIdAt = (at: Date) => uuidFrom(at.getTime(), new Uint8Array(10))

/** The team's endpoints with a URL and a tracked source, the URL set last first. */
export async function listEndpointRows(db: Reader, teamId: string, now: Date): Promise<EndpointRow[]> {
  const since = firstIdAt(new Date(now.getTime() - countedDays * dayMs))
  return queryAll<EndpointRow>(db)`
    with endpoint as materialized (
      select w.*, s.type, ${nameOfSource} as label from webhook w
      join source s on s.team_id = w.team_id and s.id = w.owner_id ${labelJoins}
      where w.team_id = ${teamId} and w.url is not null and s.status = 'active'
      order by w.url_set_at desc nulls last, w.owner_id limit ${maxEndpoints}
    ), waiting as materialized (
      select d.owner_id, count(*) filter (where d.state = 'pending')::integer as pending,
        count(*) filter (where d.state = 'held')::integer as held
      from delivery d join endpoint w on w.team_id = d.team_id and w.owner_id = d.owner_id
      where d.team_id = ${teamId} and d.state in ('pending', 'held') and d.generation >= w.cancelled_below_generation
      group by d.owner_id
    )
    select w.owner_id as "ownerId", case when w.agent_id is null then 'source' else 'agent' end as "ownerKind", w.type,
      w.label, w.url, w.icp_only as "icpOnly", w.auto_send as "autoSend", w.sync_events as "syncEvents",
      w.url_set_at as "urlSetAt", w.failing_since as "failingSince", w.disabled_at as "disabledAt",
      w.disabled_reason as "disabledReason",
      jsonb_build_object('sent', e.sent, 'failed', e.failed, 'waiting', coalesce(q.pending, 0),
        'held', coalesce(q.held, 0)) as counts, l.at as "lastSentAt"
    from endpoint w left join waiting q on q.owner_id = w.owner_id
    cross join lateral (
      select count(*) filter (where state = 'sent')::integer as sent,
        count(*) filter (where state = 'failed')::integer as failed
      from delivery where team_id = ${teamId} and owner_id = w.owner_id and id >= ${since}) e
    left join lateral (
      select max(finished_at) filter (where state = 'sent') as at
      from (select state, finished_at from delivery where team_id = ${teamId} and owner_id = w.owner_id
        order by id desc limit ${newest}) d) l on true
    order by w.url_set_at desc nulls last, w.owner_id`
}

type DeliveryRow = Omit<Shown['delivery'], 'url' | 'createdAt'> & { readonly createdAt: Date }

type LogFilter = Omit<Input<SessionOperationOf<'listDeliveries'>>, 'cursor' | 'limit'>

const row = sql`d.id, d.event, ${stateOfDelivery} as state, d.owner_id as "ownerId", coalesce(${nameOfSource}, '') as "ownerLabel",
  l.id as "leadId", l.name as "leadName", d.attempts, a.status as "lastStatus", a.outcome as "lastOutcome",
  d.created_at as "createdAt", case when ${stateOfDelivery} = 'pending' then d.due_at end as "nextAttemptAt", d.finished_at as "finishedAt"`
const joined = sql`left join source s on s.team_id = d.team_id and s.id = d.owner_id ${labelJoins}
  left join lead l on l.team_id = d.team_id and l.id = d.lead_id and l.enrichment <> 'raw'
  left join lateral (select status, outcome from delivery_attempt where team_id = d.team_id and delivery_id = d.id
    order by number desc limit 1) a on true`

/** The team's deliveries with ids below `before`, newest first. */
export async function listDeliveryRows(
  db: Reader,
  { teamId, filter, before, limit }: { teamId: string; filter: LogFilter; before: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const { state, event, ownerId, leadId, leadIds } = filter
  const wanted = [
    ...(state === undefined ? [] : [sql`and ${await inState(db, teamId, state)}`]),
    ...(event === undefined ? [] : [sql`and event = ${event}`]),
    ...(ownerId === undefined ? [] : [sql`and owner_id = ${ownerId}`]),
    ...(leadId === undefined ? [] : [sql`and lead_id = ${leadId}`]),
    ...(leadIds === undefined ? [] : [sql`and lead_id = any(${leadIds.split(',')}::text[]::uuid[])`]),
    ...(before === null ? [] : [sql`and id < ${before}`]),
  ]
  return queryAll<DeliveryRow>(db)`
    select ${row}
    from (select * from delivery d where team_id = ${teamId} ${sql.join(wanted, sql` `)}
      order by id desc limit ${limit}) d ${joined} order by d.id desc`
}

export type WholeDelivery = DeliveryRow & {
  readonly url: string | null
  readonly body: Buffer | null
  readonly subject: string
}

/** Finds a delivery; undefined when the team has none of that id. `url` is the endpoint's present one. */
export const findDeliveryRow = (db: Reader, teamId: string, id: string) =>
  queryOne<WholeDelivery>(db)`
    select ${row}, w.url, d.body, d.subject from delivery d
    left join webhook w on w.team_id = d.team_id and w.owner_id = d.owner_id ${joined}
    where d.team_id = ${teamId} and d.id = ${id}`

const maxAttempts = 200

/** The attempts of a delivery, newest first. */
export const listAttemptRows = (db: Reader, teamId: string, deliveryId: string): Promise<Shown['attempts']> =>
  queryAll<Shown['attempts'][number]>(db)`
    select number, at, status, outcome, elapsed_ms as "elapsedMs", response from delivery_attempt
    where team_id = ${teamId} and delivery_id = ${deliveryId} order by number desc limit ${maxAttempts}`
