/** SQL of what became of many attempts of one team at once, and of the log of attempts. Lock order: lead, webhook, delivery. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { marking } from '../../platform/work/index.ts'
import { webhookStatusOf } from '../leads/index.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { ownLease, type Settlement } from './own-store.ts'

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

/** An attempt that has come to an end, as it is recorded. */
export type Made = {
  readonly leased: LeasedDelivery
  readonly url: string
  readonly at: Date
  readonly elapsedMs: number
  readonly response: string | null
}

/** An accepted delivery. */
export type Accepted = Made & { readonly status: number }

/** SQL: locks the leads of deliveries, in id order. */
const lockingLeads = (teamId: string, leadIds: readonly string[]) => sql`
    select 1 from unnest(${[...leadIds].sort()}::uuid[]) as named (id)
    join lateral (select l.team_id, l.id from lead l where l.team_id = ${teamId} and l.id = named.id limit 1) found
      on true
    join lead l on l.team_id = found.team_id and l.id = found.id order by l.id for no key update of l`

/** Locks the leads of deliveries, in id order. */
export async function lockLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length > 0) await lockingLeads(teamId, leadIds).execute(tx.db)
}

const elapsed = ({ elapsedMs }: Made) => Math.max(0, Math.round(elapsedMs))

/** SQL: accepted deliveries as rows `a`, which all that follows begins with; `once`: what has to be over before. */
const acceptedRows = (accepted: readonly Accepted[], once: RawBuilder<boolean>) => sql`
      select * from unnest(${accepted.map(({ leased }) => leased.id)}::uuid[],
          ${accepted.map(({ leased }) => leased.fence)}::bigint[],
        ${accepted.map(({ leased }) => leased.ownerId)}::uuid[], ${accepted.map(({ leased }) => leased.leadId)}::uuid[],
        ${accepted.map(({ url }) => url)}::text[], ${accepted.map(({ at }) => at.toISOString())}::timestamptz[],
        ${accepted.map(({ status }) => status)}::integer[], ${accepted.map(elapsed)}::integer[],
        ${accepted.map(({ response }) => response)}::text[])
      as a (id, fence, owner_id, lead_id, url, at, status, elapsed_ms, response) where ${once}`

/** SQL: what goes before and behind the settlement of deliveries of leads: their locks, and their state. */
function ofLeads(teamId: string, accepted: readonly Accepted[]) {
  const leadIds = accepted.flatMap(({ leased }) => leased.leadId ?? [])
  const nothing = sql``
  if (leadIds.length === 0) return { locked: nothing, once: sql<boolean>`true`, told: nothing }
  const ids = sql`select a.lead_id as id from a join settled s on s.id = a.id where a.lead_id is not null`
  return {
    locked: sql`locked as materialized (${lockingLeads(teamId, leadIds)}),`,
    once: sql<boolean>`(select count(*) from locked) >= 0`,
    told: sql`, told as (${webhookStatusOf(teamId, ids, 'sent')})`,
  }
}

/**
 * Settles those of the accepted deliveries whose fence is still ours as sent, with a line each in the log, and their leads; gives their
 * ids. Endpoints that accepted something no longer count as failing, unless their URL is another by now. One statement, for a unit by
 * itself: it is asked for every few deliveries, and each round trip more would be of their cost.
 */
export async function settleSent(tx: Tx, teamId: string, accepted: readonly Accepted[]): Promise<Set<string>> {
  const { locked, once, told } = ofLeads(teamId, accepted)
  // Their endpoints have room again.
  const marks = marking([{ kind: 'delivery', teamId }], sql<boolean>`(select count(*) from settled) >= 0`)
  // Each part waits for the one before it, which keeps the order of locks; rows of one kind are locked in the order of their ids, so
  // that two who settle or cancel many at once cannot wait for each other.
  const { rows } = await sql<{ id: string }>`
    with ${locked} a as materialized (${acceptedRows(accepted, once)}),
    healed as (
      update webhook w set failing_since = null from (select distinct owner_id, url from a) a
      where w.team_id = ${teamId} and w.owner_id = a.owner_id and w.url = a.url and w.failing_since is not null
      returning 1),
    ours as materialized (
      select d.team_id, d.id, l.ctid as lease from a ${ownLease(teamId)}
      join delivery d on d.team_id = ${teamId} and d.id = a.id
      where (select count(*) from healed) >= 0 order by d.id for update of d, l),
    ended as (
      delete from delivery_lease l using ours where l.ctid = ours.lease),
    settled as (
      update delivery
      set state = 'sent', attempts = delivery.attempts + 1, finished_at = ${tx.now}
      from ours where delivery.team_id = ours.team_id and delivery.id = ours.id returning delivery.id),
    logged as (
      insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms, response)
      select ${teamId}, a.id, ${nextNumber(teamId)}, a.at, a.status, 'delivered', a.elapsed_ms, a.response from a
      join settled s on s.id = a.id)
    ${told} ${marks ? sql`, ${marks.wanted}, marked as (${marks.marked})` : sql``}
    select id from settled`.execute(tx.db)
  return new Set(rows.map((row) => row.id))
}

/** SQL: the number of the next attempt of delivery `a.id`; it goes on counting when a schedule begins anew. */
const nextNumber = (teamId: string) =>
  sql`coalesce((select max(number) from delivery_attempt b where b.team_id = ${teamId} and b.delivery_id = a.id),
      0) + 1`

/** A line of the log of attempts. */
export type AttemptLine = {
  readonly deliveryId: string
  readonly at: Date
  readonly status: number | null
  readonly outcome: string
  readonly elapsedMs: number
  readonly response: string | null
}

/** What becomes of a delivery after an attempt that was not accepted. */
export type Settled = { readonly line: AttemptLine; readonly settlement: Settlement }

/** Writes what becomes of locked deliveries of one team that were not accepted, with a line each in the log, and ends their leases. */
export async function settleMany(tx: Tx, teamId: string, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return
  const lines = settled.map(({ line }) => line)
  const what = settled.map(({ settlement }) => settlement)
  await sql`
    with a as materialized (
      select * from unnest(${lines.map(({ deliveryId }) => deliveryId)}::uuid[],
          ${lines.map(({ at }) => at.toISOString())}::timestamptz[], ${lines.map(({ status }) => status)}::integer[],
        ${lines.map(({ outcome }) => outcome)}::text[],
        ${lines.map(({ elapsedMs }) => Math.max(0, Math.round(elapsedMs)))}::integer[],
        ${lines.map(({ response }) => response)}::text[],
        ${what.map(({ state }) => state)}::text[], ${what.map(({ attempts }) => attempts)}::integer[],
        ${what.map(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[],
        ${what.map(({ failures }) => failures ?? null)}::integer[])
      as a (id, at, status, outcome, elapsed_ms, response, state, attempts, due_at, failures)),
    ended as (
      delete from delivery_lease l using (
        select s.ctid from a join delivery d on d.team_id = ${teamId} and d.id = a.id
        cross join lateral (select ctid from delivery_lease
          where team_id = ${teamId} and owner_id = d.owner_id and delivery_id = d.id limit 1) s) own
      where l.ctid = own.ctid),
    logged as (
      insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms, response)
      select ${teamId}, a.id, ${nextNumber(teamId)}, a.at, a.status, a.outcome, a.elapsed_ms, a.response from a)
    update delivery d
    set state = a.state, attempts = a.attempts, due_at = coalesce(a.due_at, d.due_at),
      unexpected_failures = coalesce(a.failures, d.unexpected_failures),
      finished_at = case when a.state in ('sent', 'failed', 'cancelled') then ${tx.now}::timestamptz end
    from a where d.team_id = ${teamId} and d.id = a.id`.execute(tx.db)
  // Their endpoints have room again.
  tx.mark('delivery', teamId)
}
