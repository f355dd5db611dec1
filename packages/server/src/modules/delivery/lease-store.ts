/** SQL of claims: which endpoints have room, and what is leased of them. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { defineRows, leaseRows, type Lease } from '../../platform/work/index.ts'
import { keyOf, type EndpointName } from './pace.ts'
import type { From, Reached } from './positions.ts'
import { maxInFlight, probeAfterMs } from './rules/endpoint.ts'

/** A delivery under our lease. */
export type LeasedDelivery = {
  readonly teamId: string
  readonly id: string
  readonly ownerId: string
  readonly event: string
  readonly leadId: string | null
  /** Null until its first attempt, when it came by a push. */
  readonly body: Buffer | null
  readonly fence: number
}

/** SQL: lease `s` is one of delivery `w`. */
const leaseOfRow = sql<boolean>`s.team_id = w.team_id and s.owner_id = w.owner_id and s.delivery_id = w.id`

/**
 * SQL: leases the deliveries `chosen c`, whose leases have run out if they had any. Those that a release before this one has leased on
 * the row itself are taken from it: its fence moves, so that it writes nothing more.
 */
const takeLeases = (lease: Lease) => sql`,
    leased as (
      insert into delivery_lease as s (team_id, owner_id, delivery_id, lease_owner, lease_until_ms, fence)
      select c.team_id, c.owner_id, c.id, ${lease.owner}, ${lease.untilMs}, nextval('work_turn_number') from chosen c
      on conflict (team_id, owner_id, delivery_id) do update
      set lease_owner = excluded.lease_owner, lease_until_ms = excluded.lease_until_ms, fence = excluded.fence
      where s.lease_until_ms <= ${lease.nowMs}
      returning s.delivery_id, s.team_id, s.fence),
    taken_over as (
      update delivery d
      set state = 'pending', lease_owner = null, lease_until_ms = null, fence = d.fence + 1
      from chosen c where c.state = 'sending' and d.team_id = c.team_id and d.id = c.id)
    select c.team_id, c.id, c.owner_id, c.event, c.lead_id, c.body, l.fence, c.due_at::text as due, c.oldest,
      0 as _before, c.previous as _previous, c.id as _id
    from chosen c join leased l on l.team_id = c.team_id and l.delivery_id = c.id`

/** Deliveries, as they are worked on. One that is due may have to wait until its endpoint has room. */
export const deliveryRows = defineRows({
  kind: 'delivery',
  sort: 'delivery',
  table: 'delivery',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.state in ('pending', 'sending')`,
  always: true,
  limited: true,
  fence: 'sequence',
  leases: { table: 'delivery_lease', key: 'delivery_id', of: leaseOfRow, take: takeLeases },
})

/** Endpoints that one claim looks at; those of as many teams. */
export const endpointsLooked = 32

/** How many deliveries may be leased for endpoints that are quick, those under way among them; of any other five. */
export type Depths = readonly (EndpointName & { readonly depth: number })[]

/**
 * SQL: `depths` as rows `p`. Lists are handed to the look as subqueries: it is planned once a connection then, because a plan that
 * knows how long they are promises no less work. Planning it each time was a quarter to a half of what a look cost.
 */
const depthsOf = (depths: Depths) =>
  sql`unnest((select ${depths.map(({ teamId }) => teamId)}::uuid[]), (select ${depths.map(({ ownerId }) => ownerId)}::uuid[]),
      (select ${depths.map(({ depth }) => depth)}::integer[])) as p (team_id, owner_id, depth)`

/**
 * SQL: what leases there are on endpoint `w`, as `held`: how many, how many of other processes, and the oldest fence of those that stand
 * beside their delivery. `from`: no such lease has a fence below it. Written so that no index but the one of fences can be used.
 */
const leasesHeld = (lease: Lease, from: RawBuilder<number>) => sql`lateral (
      select count(*) as all, count(*) filter (where f.lease_owner <> ${lease.owner}) as of_others, min(f.fence) as oldest
      from (select lease_owner, lease_until_ms, fence from delivery_lease
        where uuid_hash(owner_id) = uuid_hash(w.owner_id) and fence >= ${from}
          and (team_id, owner_id) is not distinct from (w.team_id, w.owner_id)
        union all
        select lease_owner, lease_until_ms, null from delivery
        where team_id = w.team_id and owner_id = w.owner_id and state = 'sending') f
      where f.lease_until_ms > ${lease.nowMs}) held`

/**
 * SQL: how many more deliveries of endpoint `w` may be leased by one process, beside the leases `held`. One that fails is tried by one at
 * a time. While others have leases on it, all together have as many as may be sent at once; alone a process may have more, and sends as
 * many at once.
 */
const roomOf = (depth: RawBuilder<number>, now: Date) => sql<number>`(
    case when w.failing_since <= ${new Date(now.getTime() - probeAfterMs)} then 1
      when held.of_others > 0 then ${maxInFlight}::integer else ${depth} end - held.all)`

/** SQL: delivery `d` is due and under no lease. */
const isFree = (now: Date, lease: Lease) => sql<boolean>`d.state in ('pending', 'sending') and d.due_at <= ${now}
        and coalesce(d.lease_until_ms, 0) <= ${lease.nowMs} and coalesce(l.lease_until_ms, 0) <= ${lease.nowMs}`

/** SQL: the lease `l` of delivery `d`, if there is one. */
const withLease = sql`left join lateral (
        select s.lease_owner, s.lease_until_ms from delivery_lease s
        where s.team_id = d.team_id and s.owner_id = d.owner_id and s.delivery_id = d.id limit 1) l on true`

/**
 * Endpoints of these teams with a due delivery and room for an attempt, in the order of the teams, within a team the
 * delivery longest due.
 */
export async function listServableEndpoints(
  tx: Tx,
  { teams, depths, lease }: { readonly teams: readonly string[]; readonly depths: Depths; readonly lease: Lease },
): Promise<EndpointName[]> {
  // The walk jumps from endpoint to endpoint on the index, so that a long backlog of one costs nothing.
  const { rows } = await sql<EndpointName>`
    with recursive endpoint as (
      select m.turn, e.team_id, e.owner_id from unnest((select ${[...teams]}::uuid[])) with ordinality as m (team_id, turn)
      cross join lateral (
        select d.team_id, d.owner_id from delivery d where d.team_id = m.team_id and d.state in ('pending', 'sending')
        order by d.owner_id limit 1) e
      union all
      select e.turn, following.team_id, following.owner_id from endpoint e cross join lateral (
        select d.team_id, d.owner_id from delivery d
        where d.state in ('pending', 'sending') and d.team_id = e.team_id and d.owner_id > e.owner_id
        order by d.owner_id limit 1) following
    )
    select e.team_id as "teamId", e.owner_id as "ownerId"
    from endpoint e
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    left join ${depthsOf(depths)} on p.team_id = e.team_id and p.owner_id = e.owner_id
    cross join lateral (
      select d.due_at from delivery d ${withLease}
      where d.team_id = e.team_id and d.owner_id = e.owner_id and ${isFree(tx.now, lease)}
      order by d.due_at limit 1) first
    cross join ${leasesHeld(lease, sql`0`)}
    where w.clearing is null and ${roomOf(sql`coalesce(p.depth, ${maxInFlight}::integer)`, tx.now)} > 0
    order by e.turn, first.due_at limit ${endpointsLooked}`.execute(tx.db)
  return rows
}

/** An endpoint with room, locked for a claim. `probed`: it fails, and is tried by one attempt at a time. */
export type LockedEndpoint = EndpointName & {
  readonly url: string | null
  readonly disabledAt: Date | null
  readonly sourceActive: boolean
  readonly agentId: string | null
  readonly probed: boolean
  /** AutoSend is off, or was once: what was to go by itself may be called off. */
  readonly callsOff: boolean
}

/**
 * Locks those of the endpoints that nobody else is claiming from, in the order given, at most `most`: a claim that
 * waits would hold up the claims of others. Of one that is being cleared nothing is claimed.
 */
export async function lockEndpoints(
  tx: Tx,
  endpoints: readonly EndpointName[],
  most: number,
): Promise<LockedEndpoint[]> {
  const { rows } = await sql<LockedEndpoint>`
    select w.team_id as "teamId", w.owner_id as "ownerId", w.url, w.disabled_at as "disabledAt",
      coalesce(s.status = 'active', false) as "sourceActive", w.agent_id as "agentId",
      not w.auto_send or w.auto_send_since is not null as "callsOff",
      coalesce(w.failing_since <= ${new Date(tx.now.getTime() - probeAfterMs)}, false) as probed
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[],
        ${endpoints.map(({ ownerId }) => ownerId)}::uuid[]) with ordinality as e (team_id, owner_id, position)
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    left join source s on s.team_id = e.team_id and s.id = e.owner_id
    where w.clearing is null
    order by e.position limit ${most} for no key update of w skip locked`.execute(tx.db)
  return rows
}

type DeliveryRow = {
  team_id: string
  id: string
  owner_id: string
  event: string
  lead_id: string | null
  body: Buffer | null
  fence: number
  due: string
  oldest: number | null
}

/** Endpoints to lease from: how much of each, and from where. */
export type Leasable = From & { readonly depth: number }

/**
 * Leases what is longest due of locked endpoints, as much as each has room for and `most` in all, spread over them; and tells how far it
 * came with each that gave something.
 */
export async function leaseMany(
  tx: Tx,
  { endpoints, most, lease }: { readonly endpoints: readonly Leasable[]; readonly most: number; readonly lease: Lease },
): Promise<{ leased: LeasedDelivery[]; reached: Reached[] }> {
  // What is leased is spread over those that have room.
  const open = sql`
    select e.*, held.oldest, greatest(0, ${roomOf(sql`e.depth`, tx.now)}) as room,
      ceil(${most}::numeric / greatest(1, count(*) filter (where ${roomOf(sql`e.depth`, tx.now)} > 0) over ())) as share
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[], ${endpoints.map(({ ownerId }) => ownerId)}::uuid[],
        ${endpoints.map(({ depth }) => depth)}::integer[],
        ${endpoints.map(({ from }) => from?.due ?? '-infinity')}::timestamptz[],
        ${endpoints.map(({ from }) => from?.fence ?? 0)}::bigint[])
      with ordinality as e (team_id, owner_id, depth, due, fence, position)
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    cross join ${leasesHeld(lease, sql`e.fence`)}`
  const candidates = sql`
    select d.* from (${open}) e
    cross join lateral (
      select d.team_id, d.id, d.owner_id, d.event, d.lead_id, d.body, d.state, d.due_at, e.oldest,
        coalesce(l.lease_owner, d.lease_owner) as previous
      from delivery d ${withLease}
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.due_at >= e.due and ${isFree(tx.now, lease)}
      order by d.due_at limit least(e.room, greatest(${maxInFlight}::integer, e.share)) for update of d skip locked) d
    order by e.position limit ${most}`
  const rows = await leaseRows<DeliveryRow>(tx, deliveryRows, lease, candidates)
  const leased = rows.map((row) => ({
    teamId: row.team_id,
    id: row.id,
    ownerId: row.owner_id,
    event: row.event,
    leadId: row.lead_id,
    body: row.body,
    fence: row.fence,
  }))
  return { leased, reached: reachedBy(endpoints, rows) }
}

/** How far rows bring each of the endpoints that gave some. */
function reachedBy(endpoints: readonly Leasable[], rows: readonly DeliveryRow[]): Reached[] {
  const byEndpoint = Map.groupBy(rows, (row) => keyOf({ teamId: row.team_id, ownerId: row.owner_id }))
  return endpoints.flatMap(({ teamId, ownerId, from }) => {
    const of = byEndpoint.get(keyOf({ teamId, ownerId }))
    if (!of) return []
    // Written by the database, all alike: their order is that of their texts. Leases that come later have later fences.
    const due = of.map((row) => row.due).reduce((latest, one) => (one > latest ? one : latest))
    const fence = of[0]!.oldest ?? Math.min(...of.map((row) => row.fence))
    return [{ teamId, ownerId, from, count: of.length, position: { due, fence } }]
  })
}
