/** SQL of deliveries and the log of their attempts: written here and nowhere else. Lock order: lead, webhook, delivery. */
import { sql, type RawBuilder } from 'kysely'
import { isCleared } from '../leads/index.ts'
import { parkedForGood } from './rules/endpoint.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** SQL: an attempt at delivery `d` is under way, or was when its process died. */
export const isUnderWay = sql<boolean>`exists (select 1 from delivery_lease s
  where s.team_id = d.team_id and s.owner_id = d.owner_id and s.delivery_id = d.id)`

/** A delivery to be made. */
export type DeliveryDraft = {
  readonly id: string
  readonly ownerId: string
  readonly event: string
  readonly subject: string
  readonly leadId: string | null
  /** It is queued because autoSend is on. */
  readonly automatic: boolean
  readonly body: Buffer
}

/** Writes deliveries due at once; what an owner already has for the same event and subject is left as it is. Answers the new ones. */
export async function insertDeliveries(
  tx: Tx,
  teamId: string,
  drafts: readonly DeliveryDraft[],
): Promise<{ id: string; ownerId: string }[]> {
  if (drafts.length === 0) return []
  const rows = drafts.map((draft) => ({
    team_id: teamId,
    id: draft.id,
    owner_id: draft.ownerId,
    event: draft.event,
    subject: draft.subject,
    lead_id: draft.leadId,
    automatic: draft.automatic,
    state: 'pending' as const,
    body: draft.body,
    due_at: tx.now,
    created_at: tx.now,
  }))
  return await tx.db
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['team_id', 'owner_id', 'event', 'subject']).doNothing())
    .returning(['id', 'owner_id as ownerId'])
    .execute()
}

/** A lead that could be offered, with its owner. */
export type OfferableLead = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string
  readonly isIcp: boolean | null
  readonly createdAt: Date
  readonly webhookRound: number | null
}

/**
 * Locks those of the leads that were captured for a webhook and are enriched, of active sources, in id order. The lock
 * settles the race with a PUT that clears the URL.
 */
export async function lockOfferable(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<OfferableLead[]> {
  if (leadIds.length === 0) return []
  const { rows } = await sql<OfferableLead>`
    select l.id, l.owner_id as "ownerId", l.source_id as "sourceId", l.is_icp as "isIcp", l.created_at as "createdAt",
      l.webhook_round as "webhookRound"
    from lead l join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.id = any(${leadIds}) and l.enrichment = 'completed'
      and l.webhook_status = 'pending' and s.status = 'active'
    order by l.id for no key update of l`.execute(tx.db)
  return rows
}

/** Locks the lead of a delivery before its webhook and the delivery itself. */
export async function lockLead(tx: Tx, teamId: string, leadId: string): Promise<void> {
  await sql`select 1 from lead where team_id = ${teamId} and id = ${leadId} for no key update`.execute(tx.db)
}

/** SQL: delivery `d` waits, is held or is under way. */
export const isUnsent = sql<boolean>`d.state in ('pending', 'sending', 'held')`

/** SQL: delivery `d` is being given up, since its URL was cleared: it counts as cancelled. */
export const isGivenUp = sql<boolean>`(${isUnsent} and ${isCleared('d')})`

/**
 * SQL: delivery `d` was to go by itself, and autoSend has been switched off since (G160): it counts as cancelled, and its lead goes by
 * push.
 */
export const isCalledOff = sql<boolean>`(d.automatic and ${isUnsent} and exists (select 1 from webhook h
  where h.team_id = d.team_id and h.owner_id = d.owner_id and (not h.auto_send or d.created_at < h.auto_send_since)))`

/** Those of some deliveries that are called off. */
export async function calledOffOf(
  db: Reader,
  deliveries: readonly { readonly teamId: string; readonly ownerId: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select d.id from unnest(${deliveries.map(({ teamId }) => teamId)}::uuid[],
        ${deliveries.map(({ id }) => id)}::uuid[]) as named (team_id, id)
    join delivery d on d.team_id = named.team_id and d.id = named.id
    where ${isCalledOff}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Cancels what of owners was to go by themselves while autoSend is off, some of it; the rest follows with the next claims. An attempt
 * under way is not tried again.
 */
export async function cancelCalledOff(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`
    update delivery set state = 'cancelled', finished_at = ${tx.now}
    where team_id = ${teamId} and id = any(array(
      select d.id from delivery d
      where d.team_id = ${teamId} and d.owner_id = any(${[...ownerIds]}::uuid[]) and ${isCalledOff}
      order by d.id limit ${movedAtOnce} for update of d))`.execute(tx.db)
}

/**
 * Cancels what of an owner is not sent; nothing when it is more than `most`. Answers how many there are, or that it is more. An attempt in
 * flight keeps its fence and its lease: should the receiver accept it, that is what happened, and a push cannot send beside it.
 */
export async function cancelUnsent(
  tx: Tx,
  { teamId, ownerId }: { readonly teamId: string; readonly ownerId: string },
  most: number,
): Promise<number> {
  // Locked in id order: accepted attempts are settled many at once.
  const { rows } = await sql<{ found: number }>`
    with found as materialized (
      select id from delivery d where team_id = ${teamId} and owner_id = ${ownerId} and ${isUnsent}
      limit ${most + 1}),
    locked as materialized (
      select d.id from delivery d where d.team_id = ${teamId} and d.id = any(array(select id from found))
        and (select count(*) from found) <= ${most} and ${isUnsent}
      order by d.id for update),
    cancelled as (
      update delivery set state = 'cancelled', finished_at = ${tx.now}, awaits_enrichment = false
      where team_id = ${teamId} and id = any(array(select id from locked)))
    select count(*)::integer as found from found`.execute(tx.db)
  return rows[0]!.found
}

/**
 * Deliveries that one unit of work holds, lets go or cancels at most: a million of them take longer than a statement may. The rest
 * follows with the next claim, which judges it the same way, or with the clock.
 */
export const movedAtOnce = 5_000

/** Holds the deliveries of owners that wait and are not under way, some of them: their endpoints are disabled. */
export async function holdWaiting(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  if (ownerIds.length > 0)
    await sql`
      update delivery set state = 'held' where team_id = ${teamId} and id = any(array(
        select d.id from delivery d
        where d.team_id = ${teamId} and d.owner_id = any(${[...ownerIds]}::uuid[]) and d.state = 'pending'
          and not ${isUnderWay}
        limit ${movedAtOnce} for update of d))`.execute(tx.db)
}

/** Lets an owner's deliveries go that its disabled endpoint held, with a fresh schedule; answers how many of them went at once. */
export const releaseHeld = (tx: Tx, teamId: string, ownerId: string): Promise<number> =>
  releaseHeldOf(tx, teamId, [ownerId])

/** SQL: delivery `d` waits for its endpoint, or for a person who sends it again; not for an enrichment. */
export const isHeld = sql<boolean>`d.state = 'held' and not d.awaits_enrichment`

/** SQL: one that the service itself has failed at for good waits for a person. */
export const isParked = sql<boolean>`d.unexpected_failures >= ${sql.lit(parkedForGood)}`

/** SQL: those of several owners that are held, some of them; `which` says what else of delivery `d` has to hold. */
const heldOf = (teamId: string, ownerIds: readonly string[], which: RawBuilder<boolean>) => sql`
      array(select d.id from delivery d
        where d.team_id = ${teamId} and d.owner_id = any(${[...ownerIds]}::uuid[]) and ${isHeld} and ${which}
          and not ${isCleared('d')}
        limit ${movedAtOnce} for update of d)`

/**
 * The same for several owners, whose endpoints are locked. What is beyond some thousands is let go by the clock, which cannot tell what
 * was parked before the endpoint was saved: that goes beside it.
 */
export async function releaseHeldOf(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<number> {
  const parked = await letGo(tx, teamId, heldOf(teamId, ownerIds, isParked))
  return parked + (await releaseUnparkedOf(tx, teamId, ownerIds))
}

/** The same without what is parked. */
export const releaseUnparkedOf = (tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<number> =>
  letGo(tx, teamId, heldOf(teamId, ownerIds, sql<boolean>`not ${isParked}`))

async function letGo(tx: Tx, teamId: string, ids: RawBuilder<unknown>): Promise<number> {
  const result = await sql`
    update delivery set state = 'pending', attempts = 0, unexpected_failures = 0, due_at = ${tx.now}
    where team_id = ${teamId} and id = any(${ids})`.execute(tx.db)
  return Number(result.numAffectedRows ?? 0)
}
