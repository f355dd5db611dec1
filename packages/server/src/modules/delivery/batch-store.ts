/** SQL of many attempts at once: leasing what several endpoints have due, and recording those that were accepted. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { leaseRows, type Lease } from '../../platform/work/index.ts'
import { deliveryRows, inFlight, roomFor, type LeasedDelivery } from './lease-store.ts'

/** An endpoint with room, locked for a claim. */
export type LockedEndpoint = {
  readonly teamId: string
  readonly ownerId: string
  readonly url: string | null
  readonly disabledAt: Date | null
  readonly sourceActive: boolean
  readonly agentId: string | null
}

/** Locks those of the endpoints that nobody else is claiming from, in the order given, at most `most`: a claim that waits would hold up the claims of others. */
export async function lockEndpoints(
  tx: Tx,
  endpoints: readonly { teamId: string; ownerId: string }[],
  most: number,
): Promise<LockedEndpoint[]> {
  const { rows } = await sql<LockedEndpoint>`
    select w.team_id as "teamId", w.owner_id as "ownerId", w.url, w.disabled_at as "disabledAt", coalesce(s.status = 'active', false) as "sourceActive", w.agent_id as "agentId"
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[], ${endpoints.map(({ ownerId }) => ownerId)}::uuid[]) with ordinality as e (team_id, owner_id, position)
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

/** Leases what is longest due of locked endpoints, as much as each has room for and `most` in all. */
export async function leaseMany(
  tx: Tx,
  endpoints: readonly { teamId: string; ownerId: string }[],
  most: number,
  lease: Lease,
): Promise<LeasedDelivery[]> {
  const candidates = sql`
    select d.team_id, d.id, d.fence, d.lease_owner
    from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[], ${endpoints.map(({ ownerId }) => ownerId)}::uuid[]) with ordinality as e (team_id, owner_id, position)
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    cross join lateral (select greatest(0, ${roomFor(tx.now)} - ${inFlight(sql`e.team_id`, sql`e.owner_id`, lease.nowMs)}) as room) free
    cross join lateral (
      select d.team_id, d.id, d.fence, d.lease_owner from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state in ('pending', 'sending') and d.due_at <= ${tx.now} and coalesce(d.lease_until_ms, 0) <= ${lease.nowMs}
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

/** Writes the bytes of deliveries that have none yet, for good. */
export async function saveBodies(
  tx: Tx,
  teamId: string,
  bodies: readonly { id: string; body: Buffer }[],
): Promise<void> {
  if (bodies.length === 0) return
  await sql`
    update delivery d set body = made.body
    from unnest(${bodies.map(({ id }) => id)}::uuid[], ${bodies.map(({ body }) => body)}::bytea[]) as made (id, body)
    where d.team_id = ${teamId} and d.id = made.id and d.body is null`.execute(tx.db)
}

/** An accepted delivery, as it is recorded. */
export type Accepted = {
  readonly leased: LeasedDelivery
  readonly url: string
  readonly at: Date
  readonly elapsedMs: number
  readonly status: number
  readonly response: string | null
}

/** Locks the leads of deliveries, in id order. */
export async function lockLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  await sql`
    select 1 from unnest(${[...leadIds].sort()}::uuid[]) as named (id)
    join lateral (select l.team_id, l.id from lead l where l.team_id = ${teamId} and l.id = named.id limit 1) found on true
    join lead l on l.team_id = found.team_id and l.id = found.id order by l.id for no key update of l`.execute(tx.db)
}

/** Endpoints that accepted something no longer count as failing, unless their URL is another by now. */
export async function clearFailingOf(tx: Tx, teamId: string, accepted: readonly Accepted[]): Promise<void> {
  await sql`
    update webhook w set failing_since = null
    from (select distinct owner_id, url from unnest(${accepted.map(({ leased }) => leased.ownerId)}::uuid[], ${accepted.map(({ url }) => url)}::text[]) as a (owner_id, url)) a
    where w.team_id = ${teamId} and w.owner_id = a.owner_id and w.url = a.url and w.failing_since is not null`.execute(
    tx.db,
  )
}

/** Settles those of the accepted deliveries whose fence is still ours as sent, with a line each in the log; gives their ids. */
export async function settleSent(tx: Tx, teamId: string, accepted: readonly Accepted[]): Promise<Set<string>> {
  const [ids, fences] = [accepted.map(({ leased }) => leased.id), accepted.map(({ leased }) => leased.fence)]
  // Locked in id order, so that two who settle or cancel many at once cannot wait for each other.
  const { rows } = await sql<{ id: string }>`
    with ours as materialized (
      select d.team_id, d.id from unnest(${ids}::uuid[], ${fences}::bigint[]) as a (id, fence)
      join delivery d on d.team_id = ${teamId} and d.id = a.id and d.fence = a.fence order by d.id for update of d)
    update delivery set state = 'sent', attempts = delivery.attempts + 1, finished_at = ${tx.now}, lease_owner = null, lease_until_ms = null
    from ours where delivery.team_id = ours.team_id and delivery.id = ours.id returning delivery.id`.execute(tx.db)
  // Their endpoints have room again.
  tx.mark('delivery', teamId)
  const settled = new Set(rows.map((row) => row.id))
  const logged = accepted.filter(({ leased }) => settled.has(leased.id))
  await sql`
    insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms, response)
    select ${teamId}, a.id, coalesce((select max(number) from delivery_attempt b where b.team_id = ${teamId} and b.delivery_id = a.id), 0) + 1, a.at, a.status, 'delivered', a.elapsed_ms, a.response
    from unnest(${logged.map(({ leased }) => leased.id)}::uuid[], ${logged.map(({ at }) => at.toISOString())}::timestamptz[], ${logged.map(({ status }) => status)}::integer[], ${logged.map(({ elapsedMs }) => Math.max(0, Math.round(elapsedMs)))}::integer[], ${logged.map(({ response }) => response)}::text[]) as a (id, at, status, elapsed_ms, response)`.execute(
    tx.db,
  )
  return settled
}
