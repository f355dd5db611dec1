/** SQL of one attempt: taking a due delivery under a lease, and writing what became of it under the lease's fence. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
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

/** System time at the claim, and who claims. */
export type Lease = { readonly owner: string; readonly nowMs: number; readonly untilMs: number }

const endpointsLooked = 32

/** Endpoints with a due delivery and room for an attempt; the team served longest ago first, within a team the delivery longest due. */
export async function listServableEndpoints(tx: Tx, nowMs: number): Promise<{ teamId: string; ownerId: string }[]> {
  // The walk jumps from endpoint to endpoint on the index, so that a long backlog of one costs nothing.
  const { rows } = await sql<{ teamId: string; ownerId: string }>`
    with recursive endpoint as (
      (select team_id, owner_id from delivery where state in ('pending', 'sending') order by team_id, owner_id limit 1)
      union all
      select following.team_id, following.owner_id from endpoint e cross join lateral (
        select d.team_id, d.owner_id from delivery d
        where d.state in ('pending', 'sending') and (d.team_id, d.owner_id) > (e.team_id, e.owner_id)
        order by d.team_id, d.owner_id limit 1) following
    )
    select e.team_id as "teamId", e.owner_id as "ownerId"
    from endpoint e
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    cross join lateral (
      select d.due_at from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state in ('pending', 'sending') and d.due_at <= ${tx.now} and coalesce(d.lease_until_ms, 0) <= ${nowMs}
      order by d.due_at limit 1) first
    left join work_turn t on t.team_id = e.team_id and t.kind = 'delivery'
    where ${inFlight(sql`e.team_id`, sql`e.owner_id`, nowMs)} < ${roomFor(tx.now)}
    order by coalesce(t.served, 0), first.due_at limit ${endpointsLooked}`.execute(tx.db)
  return rows
}

/** SQL: attempts of an endpoint that are under way. */
export const inFlight = (teamId: ReturnType<typeof sql>, ownerId: ReturnType<typeof sql>, nowMs: number) =>
  sql`(select count(*) from delivery f where f.team_id = ${teamId} and f.owner_id = ${ownerId} and f.state = 'sending' and f.lease_until_ms > ${nowMs})`

/** SQL: attempts that an endpoint `w` may have under way. */
export const roomFor = (now: Date) =>
  sql`(case when w.failing_since <= ${new Date(now.getTime() - probeAfterMs)} then 1 else ${maxInFlight}::integer end)`

/** Notes that a team was served. */
export async function takeTurn(tx: Tx, teamId: string): Promise<void> {
  // Who holds the row is taking a turn for the team just now: waiting for it would line up all claims of a team.
  await sql`
    with free as materialized (select 1 from work_turn where team_id = ${teamId} and kind = 'delivery' for update skip locked),
      made as (insert into work_turn (team_id, kind, served)
        select ${teamId}, 'delivery', nextval('work_turn_number') where not exists (select 1 from work_turn where team_id = ${teamId} and kind = 'delivery') on conflict do nothing)
    update work_turn set served = nextval('work_turn_number') where team_id = ${teamId} and kind = 'delivery' and exists (select 1 from free)`.execute(
    tx.db,
  )
}

/** Locks a delivery if its fence is still the one it was leased with; its state may have been changed by a PUT meanwhile. */
export async function lockLeased(
  tx: Tx,
  leased: LeasedDelivery,
): Promise<{ attempts: number; state: string; failures: number } | undefined> {
  const { rows } = await sql<{ attempts: number; state: string; failures: number }>`
    select attempts, state, unexpected_failures as failures from delivery where team_id = ${leased.teamId} and id = ${leased.id} and fence = ${leased.fence} for update`.execute(
    tx.db,
  )
  return rows[0]
}

/** What becomes of a leased delivery. */
export type Settlement = {
  readonly state: 'pending' | 'sent' | 'failed' | 'held' | 'cancelled'
  readonly attempts: number
  readonly dueAt?: Date /** Faults of the service itself so far. */
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
      lease_owner: null,
      lease_until_ms: null,
    })
    .where('team_id', '=', leased.teamId)
    .where('id', '=', leased.id)
    .where('fence', '=', leased.fence)
    .execute()
}

/** Writes a line of the log of attempts; its number goes on counting when a schedule begins anew. */
export async function insertAttempt(
  tx: Tx,
  leased: LeasedDelivery,
  attempt: { at: Date; status: number | null; outcome: string; elapsedMs: number; response: string | null },
): Promise<void> {
  await sql`
    insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms, response)
    select ${leased.teamId}, ${leased.id}, coalesce(max(number), 0) + 1, ${attempt.at}::timestamptz, ${attempt.status}::integer, ${attempt.outcome}, ${Math.max(0, Math.round(attempt.elapsedMs))}::integer, ${attempt.response}
    from delivery_attempt where team_id = ${leased.teamId} and delivery_id = ${leased.id}`.execute(tx.db)
}

/** Ends the leases of all deliveries under way: for a service that starts and knows that it is alone. */
export async function releaseDeliveryLeases(tx: Tx): Promise<number> {
  const result =
    await sql`update delivery set lease_owner = null, lease_until_ms = null where state = 'sending' and lease_until_ms is not null`.execute(
      tx.db,
    )
  return Number(result.numAffectedRows ?? 0)
}
