import type { destination, destinationDelivery } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { hasLease } from '../deliveries.ts'
import type { DeliveryState, Kind } from './rules.ts'
import type { Destination } from './store.ts'

const stateShown = sql<DeliveryState>`case when d.state = 'sent' then 'delivered' when d.state in ('pending', 'held') then 'waiting'
  when d.state = 'excluded' then 'excluded' else 'refused' end`

export type Counts = Record<'delivered' | 'waiting' | 'refused' | 'excluded', number>

const none: Counts = { delivered: 0, waiting: 0, refused: 0, excluded: 0 }

/** Counts deliveries per destination of a team, or of one; webhook destinations are counted from `delivery`. */
export async function countDeliveries(db: Reader, teamId: string, id?: string): Promise<(id: string) => Counts> {
  const { rows } = await sql<{ id: string; state: string; count: number }>`
    select destination_id as id, state, count(*)::integer as count from destination_delivery
    where team_id = ${teamId} and ${id === undefined ? sql`true` : sql`destination_id = ${id}`} group by 1, 2
    union all
    select d.owner_id, ${stateShown}, count(*)::integer
    from delivery d join destination t on t.team_id = d.team_id and t.id = d.owner_id
    where d.team_id = ${teamId} and ${id === undefined ? sql`true` : sql`d.owner_id = ${id}`} group by 1, 2`.execute(db)
  const byId = Map.groupBy(rows, ({ id }) => id)
  return (id) => {
    const counts = { ...none }
    for (const { state, count } of byId.get(id) ?? []) if (state in counts) counts[state as keyof Counts] += count
    return counts
  }
}

/** A destination as a resource. */
export function presentDestination(one: Destination, counts: Counts): z.input<typeof destination> {
  const pausedReason = one.active ? one.pausedReason : 'by_person'
  return {
    ...one,
    state: pausedReason !== null ? 'paused' : one.failingSince === null ? 'active' : 'failing',
    pausedReason,
    filters: [...one.filters] as z.input<typeof destination>['filters'],
    sources: one.sourceIds === null ? 'all' : [...one.sourceIds],
    mapping: [...one.mapping],
    counts,
  }
}

type DeliveryRow = z.input<typeof destinationDelivery>

/** SQL: the deliveries of destinations of a kind; those of webhooks come from `delivery` and the attempt log. */
const deliveriesOf = (kind: Kind) =>
  kind !== 'webhook'
    ? sql`destination_delivery`
    : sql`(
      select d.team_id, d.owner_id as destination_id, d.id, d.lead_id, ${stateShown} as state, d.attempts, null as remote_id,
        null as remote_url,
        (select l.person_urn from lead l where l.team_id = d.team_id and l.id = d.lead_id) as person_urn,
        case when d.state <> 'sent' and not ${hasLease} then (
          select jsonb_build_object('code', a.outcome, 'message', case when a.status is null then 'The receiver did not answer.'
            else 'The receiver answered ' || a.status || '.' end)
          from delivery_attempt a where a.team_id = d.team_id and a.delivery_id = d.id order by a.number desc limit 1) end as error,
        coalesce(d.finished_at, (select max(a.at) from delivery_attempt a where a.team_id = d.team_id and a.delivery_id = d.id),
          d.created_at) as at
      from delivery d)`

type DestinationRef = Pick<Destination, 'teamId' | 'id' | 'kind'>
type Page = { readonly state?: DeliveryState | undefined; readonly limit: number; readonly offset: number }

/** A page of deliveries, newest first, with one row more than `limit` when there are more, and the total. */
export async function pageOfDeliveries(
  db: Reader,
  of: DestinationRef,
  { state, limit, offset }: Page,
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const inState = state === undefined ? sql`true` : sql`d.state = ${state}`
  const rows = await listDeliveries(db, of, sql`${inState} order by d.id desc limit ${limit + 1} offset ${offset}`)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from ${deliveriesOf(of.kind)} d
    where d.team_id = ${of.teamId} and d.destination_id = ${of.id} and ${inState}`.execute(db)
  return { rows, total: counted[0]!.total }
}

/** One delivery; undefined when there is none. */
export const findDelivery = async (
  db: Reader,
  of: DestinationRef,
  deliveryId: string,
): Promise<DeliveryRow | undefined> => (await listDeliveries(db, of, sql`d.id = ${deliveryId}`))[0]

const listDeliveries = (db: Reader, { teamId, id, kind }: DestinationRef, which: RawBuilder<unknown>) =>
  queryAll<DeliveryRow>(db)`
    select d.id, d.lead_id as "leadId", p.id as "personId", d.state, d.attempts, d.remote_id as "remoteId",
      d.remote_url as "remoteUrl", d.error, d.at
    from ${deliveriesOf(kind)} d left join person p on p.team_id = d.team_id and p.urn = d.person_urn
    where d.team_id = ${teamId} and d.destination_id = ${id} and ${which}`
