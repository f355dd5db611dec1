/** SQL of one attempt: taking a due delivery under a lease, and writing what became of it under the lease's fence. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { defineRows, noLease } from '../../platform/work/index.ts'
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

/** Endpoints of these teams with a due delivery and room for an attempt, in the order of the teams, within a team the delivery longest due. */
export async function listServableEndpoints(
  tx: Tx,
  teams: readonly string[],
  nowMs: number,
): Promise<{ teamId: string; ownerId: string }[]> {
  // The walk jumps from endpoint to endpoint on the index, so that a long backlog of one costs nothing.
  const { rows } = await sql<{ teamId: string; ownerId: string }>`
    with recursive endpoint as (
      select m.turn, e.team_id, e.owner_id from unnest(${[...teams]}::uuid[]) with ordinality as m (team_id, turn) cross join lateral (
        select d.team_id, d.owner_id from delivery d where d.team_id = m.team_id and d.state in ('pending', 'sending') order by d.owner_id limit 1) e
      union all
      select e.turn, following.team_id, following.owner_id from endpoint e cross join lateral (
        select d.team_id, d.owner_id from delivery d
        where d.state in ('pending', 'sending') and d.team_id = e.team_id and d.owner_id > e.owner_id
        order by d.owner_id limit 1) following
    )
    select e.team_id as "teamId", e.owner_id as "ownerId"
    from endpoint e
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    cross join lateral (
      select d.due_at from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state in ('pending', 'sending') and d.due_at <= ${tx.now} and coalesce(d.lease_until_ms, 0) <= ${nowMs}
      order by d.due_at limit 1) first
    where ${inFlight(sql`e.team_id`, sql`e.owner_id`, nowMs)} < ${roomFor(tx.now)}
    order by e.turn, first.due_at limit ${endpointsLooked}`.execute(tx.db)
  return rows
}

/** SQL: attempts of an endpoint that are under way. */
export const inFlight = (teamId: ReturnType<typeof sql>, ownerId: ReturnType<typeof sql>, nowMs: number) =>
  sql`(select count(*) from delivery f where f.team_id = ${teamId} and f.owner_id = ${ownerId} and f.state = 'sending' and f.lease_until_ms > ${nowMs})`

/** SQL: attempts that an endpoint `w` may have under way. */
export const roomFor = (now: Date) =>
  sql`(case when w.failing_since <= ${new Date(now.getTime() - probeAfterMs)} then 1 else ${maxInFlight}::integer end)`

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
      ...noLease,
    })
    .where('team_id', '=', leased.teamId)
    .where('id', '=', leased.id)
    .where('fence', '=', leased.fence)
    .execute()
  // Its endpoint has room again.
  tx.mark('delivery', leased.teamId)
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
