/** SQL of leases that end: what is given back, what is still ours, and what becomes of it. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { LeasedDelivery } from './lease-store.ts'

/** SQL: the leases of `leased`, all of one team, as they were taken. */
const named = (leased: readonly LeasedDelivery[]) =>
  sql`unnest(${leased.map(({ id }) => id)}::uuid[], ${leased.map(({ ownerId }) => ownerId)}::uuid[],
      ${leased.map(({ fence }) => fence)}::bigint[]) as a (id, owner_id, fence)`

/**
 * SQL: lease `l` of this team that `a` names, where it is still theirs. Each is found by its key first: the planner mostly finds the table
 * of leases empty, and would read the team's, those that are over too, to find a dozen among them. Its fence is asked for once more, for
 * one that was taken over while this waited for it.
 */
export const ownLease = (teamId: string) => sql`cross join lateral (
      select s.ctid from delivery_lease s
      where s.team_id = ${teamId} and s.owner_id = a.owner_id and s.delivery_id = a.id and s.fence = a.fence limit 1) own
    join delivery_lease l on l.ctid = own.ctid and l.fence = a.fence`

/** Gives deliveries of one team back that were not sent, or whose attempt was interrupted by us and does not count. */
export async function giveBackUnsent(tx: Tx, teamId: string, leased: readonly LeasedDelivery[]): Promise<void> {
  if (leased.length === 0) return
  await endLeases(tx, teamId, leased)
  tx.mark('delivery', teamId)
}

/** Ends those leases of one team that are still ours. */
export async function endLeases(tx: Tx, teamId: string, leased: readonly LeasedDelivery[]): Promise<void> {
  // The delivery is locked before its lease, by all who lock both.
  await sql`
    with ours as materialized (
      select l.ctid from ${named(leased)} ${ownLease(teamId)}
      join delivery d on d.team_id = ${teamId} and d.id = a.id order by d.id for update of d, l)
    delete from delivery_lease l using ours where l.ctid = ours.ctid`.execute(tx.db)
}

/** A locked delivery that is still ours; its state may have been changed by a PUT meanwhile. */
export type OwnDelivery = {
  readonly id: string
  readonly attempts: number
  readonly state: string
  readonly failures: number
}

/** Locks those deliveries of one team that are still under the lease they were sent with, in the order of their ids. */
export async function lockOwn(
  tx: Tx,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<Map<string, OwnDelivery>> {
  const { rows } = await sql<OwnDelivery>`
    select d.id, d.attempts, d.state, d.unexpected_failures as failures
    from ${named(leased)} ${ownLease(teamId)}
    join delivery d on d.team_id = ${teamId} and d.id = a.id order by d.id for update of d, l`.execute(tx.db)
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

/** Writes it of a locked delivery, and ends the lease. */
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
    })
    .where('team_id', '=', leased.teamId)
    .where('id', '=', leased.id)
    .execute()
  await endLeases(tx, leased.teamId, [leased])
  // Its endpoint has room again.
  tx.mark('delivery', leased.teamId)
}
