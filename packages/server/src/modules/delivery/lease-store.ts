/** SQL of leases: which endpoints have room, what is leased of them, and giving back what was not sent. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { defineRows, leaseRows, noLease, type Lease } from '../../platform/work/index.ts'
import type { EndpointName } from './pace.ts'
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
  fence: 'counted',
})

/** Endpoints that one claim looks at; those of as many teams. */
export const endpointsLooked = 32

/** How many deliveries may be leased for endpoints that are quick, those under way among them; of any other five. */
export type Depths = readonly (EndpointName & { readonly depth: number })[]

const depthsOf = (depths: Depths) =>
  sql`unnest(${depths.map(({ teamId }) => teamId)}::uuid[], ${depths.map(({ ownerId }) => ownerId)}::uuid[],
      ${depths.map(({ depth }) => depth)}::integer[]) as p (team_id, owner_id, depth)`

/**
 * SQL: how many more deliveries of endpoint `w` may be leased by one process. One that fails is tried by one at a time. While others
 * have leases on it, all together have as many as may be sent at once; alone a process may have more, and sends as many at once.
 */
const roomOf = (depth: ReturnType<typeof sql>, now: Date, lease: Lease) => sql`(
  select case when w.failing_since <= ${new Date(now.getTime() - probeAfterMs)} then 1
    when count(*) filter (where f.lease_owner <> ${lease.owner}) > 0 then ${maxInFlight}::integer
    else ${depth} end - count(*)
  from delivery f
  where f.team_id = w.team_id and f.owner_id = w.owner_id and f.state = 'sending'
    and f.lease_until_ms > ${lease.nowMs})`

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
      select m.turn, e.team_id, e.owner_id from unnest(${[...teams]}::uuid[]) with ordinality as m (team_id, turn)
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
      select d.due_at from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state in ('pending', 'sending')
        and d.due_at <= ${tx.now} and coalesce(d.lease_until_ms, 0) <= ${lease.nowMs}
      order by d.due_at limit 1) first
    where ${roomOf(sql`coalesce(p.depth, ${maxInFlight}::integer)`, tx.now, lease)} > 0
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
}

/**
 * Locks those of the endpoints that nobody else is claiming from, in the order given, at most `most`: a claim that
 * waits would hold up the claims of others.
 */
export async function lockEndpoints(
  tx: Tx,
  endpoints: readonly EndpointName[],
  most: number,
): Promise<LockedEndpoint[]> {
  const { rows } = await sql<LockedEndpoint>`
    select w.team_id as "teamId", w.owner_id as "ownerId", w.url, w.disabled_at as "disabledAt",
      coalesce(s.status = 'active', false) as "sourceActive", w.agent_id as "agentId",
      coalesce(w.failing_since <= ${new Date(tx.now.getTime() - probeAfterMs)}, false) as probed
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[],
        ${endpoints.map(({ ownerId }) => ownerId)}::uuid[]) with ordinality as e (team_id, owner_id, position)
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    left join source s on s.team_id = e.team_id and s.id = e.owner_id
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
}

/** Leases what is longest due of locked endpoints, as much as each has room for and `most` in all, spread over them. */
export async function leaseMany(
  tx: Tx,
  { endpoints, most, lease }: { readonly endpoints: Depths; readonly most: number; readonly lease: Lease },
): Promise<LeasedDelivery[]> {
  const share = Math.max(maxInFlight, Math.ceil(most / endpoints.length))
  const candidates = sql`
    select d.team_id, d.id, d.fence, d.lease_owner
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[], ${endpoints.map(({ ownerId }) => ownerId)}::uuid[],
        ${endpoints.map(({ depth }) => depth)}::integer[]) with ordinality as e (team_id, owner_id, depth, position)
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    cross join lateral (select least(${share}::integer,
          greatest(0, ${roomOf(sql`e.depth`, tx.now, lease)})) as room) free
    cross join lateral (
      select d.team_id, d.id, d.fence, d.lease_owner from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state in ('pending', 'sending')
        and d.due_at <= ${tx.now} and coalesce(d.lease_until_ms, 0) <= ${lease.nowMs}
      order by d.due_at limit free.room for update skip locked) d
    order by e.position limit ${most}`
  const rows = await leaseRows<DeliveryRow>(tx, deliveryRows, lease, candidates, sql`, state = 'sending'`)
  return rows.map((row) => ({
    teamId: row.team_id,
    id: row.id,
    ownerId: row.owner_id,
    event: row.event,
    leadId: row.lead_id,
    body: row.body,
    fence: row.fence,
  }))
}

/** Gives deliveries of one team back that were not sent, or whose attempt was interrupted by us and does not count. */
export async function giveBackUnsent(tx: Tx, teamId: string, leased: readonly LeasedDelivery[]): Promise<void> {
  if (leased.length === 0) return
  await sql`
    with ours as materialized (
      select d.team_id, d.id
      from unnest(${leased.map(({ id }) => id)}::uuid[], ${leased.map(({ fence }) => fence)}::bigint[]) as l (id, fence)
      join delivery d on d.team_id = ${teamId} and d.id = l.id and d.fence = l.fence and d.state = 'sending'
      order by d.id for update of d)
    update delivery set state = 'pending', lease_owner = null, lease_until_ms = null from ours
    where delivery.team_id = ours.team_id and delivery.id = ours.id`.execute(tx.db)
  tx.mark('delivery', teamId)
}

/** A locked delivery that is still ours; its state may have been changed by a PUT meanwhile. */
export type OwnDelivery = {
  readonly id: string
  readonly attempts: number
  readonly state: string
  readonly failures: number
}

/** Locks those deliveries of one team whose fence is still the one they were leased with, in the order of their ids. */
export async function lockOwn(
  tx: Tx,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<Map<string, OwnDelivery>> {
  const { rows } = await sql<OwnDelivery>`
    select d.id, d.attempts, d.state, d.unexpected_failures as failures
    from unnest(${leased.map(({ id }) => id)}::uuid[], ${leased.map(({ fence }) => fence)}::bigint[]) as l (id, fence)
    join delivery d on d.team_id = ${teamId} and d.id = l.id and d.fence = l.fence order by d.id
    for update of d`.execute(tx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locks a delivery if it is still ours. */
export const lockLeased = async (tx: Tx, leased: LeasedDelivery): Promise<OwnDelivery | undefined> =>
  (await lockOwn(tx, leased.teamId, [leased])).get(leased.id)

/** What becomes of a leased delivery. */
export type Settlement = {
  readonly state: 'pending' | 'sent' | 'failed' | 'held' | 'cancelled'
  readonly attempts: number
  readonly dueAt?: Date
  /** Faults of the service itself so far. */
  readonly failures?: number
}

/** Writes it and ends the lease. */
export async function settleLeased(tx: Tx, leased: LeasedDelivery, settlement: Settlement): Promise<void> {
  const { state, attempts, dueAt, failures } = settlement
  const finished = state === 'sent' || state === 'failed' || state === 'cancelled'
  await tx.db
    .updateTable('delivery')
    .set({
      state,
      attempts,
      ...(dueAt ? { due_at: dueAt } : {}),
      ...(failures === undefined ? {} : { unexpected_failures: failures }),
      finished_at: finished ? tx.now : null,
      ...noLease,
    })
    .where('team_id', '=', leased.teamId)
    .where('id', '=', leased.id)
    .where('fence', '=', leased.fence)
    .execute()
  // Its endpoint has room again.
  tx.mark('delivery', leased.teamId)
}
