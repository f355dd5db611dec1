/** SQL of deliveries that sending, pushes and settings share. Lock order: lead, webhook, delivery; deliveries in the order of their ids. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { isExcluded, setWebhookStatus } from '../leads/index.ts'
import { listOfExcludedPosts } from './excluded-posts.ts'
import type { DeliverySource } from './present.ts'
import { parkedForGood } from './rules/endpoint.ts'

/**
 * Deliveries that one unit of work holds, releases or cancels at most: a million of them take longer than a statement may. Later claims
 * and the clock do the rest.
 */
export const movedAtOnce = 5_000

/** SQL: delivery `d` waits or is held; an attempt at it may be under way. */
export const isUnsent = sql<boolean>`d.state in ('pending', 'held')`

/** SQL: an attempt at delivery `d` is under way, or was when its process died. */
export const isUnderWay = sql<boolean>`d.lease_owner is not null`

/** SQL: delivery `d` was queued before the URL of its webhook was cleared: it counts as cancelled. */
export const isCancelled = sql<boolean>`(${isUnsent} and exists (select 1 from webhook g
  where g.team_id = d.team_id and g.owner_id = d.owner_id and g.live_from > d.generation))`

/**
 * SQL: delivery `d` was to go by itself, and autoSend has been switched off since (G160): it counts as cancelled, and its lead goes by
 * push.
 */
export const isCalledOff = sql<boolean>`(d.automatic and ${isUnsent} and exists (select 1 from webhook h
  where h.team_id = d.team_id and h.owner_id = d.owner_id and (not h.auto_send or d.created_at < h.auto_send_since)))`

/** SQL: delivery `d` is held for its endpoint, or for a person who sends it again; not for an enrichment. */
export const isHeld = sql<boolean>`d.state = 'held' and not d.awaits_enrichment`

/** SQL: one that the service itself has failed at for good waits for a person. */
export const isParked = sql<boolean>`d.unexpected_failures >= ${sql.lit(parkedForGood)}`

/** A delivery to be made. */
export type DeliveryDraft = {
  readonly id: string
  readonly ownerId: string
  readonly event: string
  readonly subject: string
  readonly leadId: string | null
  /** The source whose event it is, where its owner is a receiver of the team as a whole. */
  readonly sourceId?: string | null
  /** That of its webhook, as it was when the event was decided on. */
  readonly generation: number
  /** It is queued because autoSend is on. */
  readonly automatic: boolean
  readonly body: Buffer
}

/** Writes deliveries due at once; what an owner already has for the same event and subject is left as it is. Answers how many are new. */
export async function insertDeliveries(tx: Tx, teamId: string, drafts: readonly DeliveryDraft[]): Promise<number> {
  if (drafts.length === 0) return 0
  const rows = drafts.map((draft) => ({
    team_id: teamId,
    id: draft.id,
    owner_id: draft.ownerId,
    event: draft.event,
    subject: draft.subject,
    lead_id: draft.leadId,
    source_id: draft.sourceId ?? null,
    generation: draft.generation,
    automatic: draft.automatic,
    state: 'pending' as const,
    body: draft.body,
    due_at: tx.now,
    created_at: tx.now,
  }))
  const inserted = await tx.db
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['team_id', 'owner_id', 'event', 'subject']).doNothing())
    .returning('id')
    .execute()
  return inserted.length
}

/** Writes the bytes of deliveries that have none yet, for good. */
export async function saveBodies(tx: Tx, teamId: string, bodies: ReadonlyMap<string, Buffer>): Promise<void> {
  if (bodies.size === 0) return
  await sql`
    update delivery d set body = made.body
    from unnest(${[...bodies.keys()]}::uuid[], ${[...bodies.values()]}::bytea[]) as made (id, body)
    where d.team_id = ${teamId} and d.id = made.id and d.body is null`.execute(tx.db)
}

/** Locks the leads of deliveries, in the order of their ids. */
export async function lockLeads(tx: Tx, teamId: string, leadIds: readonly (string | null)[]): Promise<void> {
  const ids = leadIds.flatMap((id) => id ?? [])
  if (ids.length > 0)
    await sql`select 1 from lead where team_id = ${teamId} and id = any(${ids}::uuid[])
      order by id for no key update`.execute(tx.db)
}

/** What owners of a team have queued. */
type Owners = { readonly teamId: string; readonly ownerIds: readonly string[] }

/** SQL: the bytes of a delivery that is over; those of `person.erased` name whom nothing is kept of. */
export const bodyOnceOver = sql`case when event = 'person.erased' then null else body end`

/** SQL: what is set of a delivery that is cancelled. */
export const setCancelled = (tx: Tx) =>
  sql`state = 'cancelled', finished_at = ${tx.now}, awaits_enrichment = false, body = ${bodyOnceOver}`

/** SQL: the ids of deliveries `d` of owners that meet a condition, at most `limit`, locked in the order of their ids. */
const chosenOf = ({ teamId, ownerIds }: Owners, which: RawBuilder<boolean>, limit: number) => sql`array(
      select d.id from delivery d
      where d.team_id = ${teamId} and ${which} and d.id = any(array(
        select d.id from delivery d
        where d.team_id = ${teamId} and d.owner_id = any(${[...ownerIds]}::uuid[]) and ${which} limit ${limit}))
      order by d.id for update of d)`

/**
 * Cancels some of what meets a condition; answers how many. An attempt under way keeps its lease: should the receiver accept it, that is
 * what happened, and nothing is sent at the same time.
 */
async function cancel(
  tx: Tx,
  owners: Owners,
  { which, limit }: { readonly which: RawBuilder<boolean>; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set ${setCancelled(tx)}
    where team_id = ${owners.teamId} and id = any(${chosenOf(owners, which, limit)})`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** Cancels some of what was to go by itself while autoSend is off; later claims do the rest. */
export const cancelCalledOff = (tx: Tx, owners: Owners): Promise<number> =>
  cancel(tx, owners, { which: isCalledOff, limit: movedAtOnce })

/**
 * Ends leased deliveries whose people are excluded. They were not sent, so their leads get back the webhook status that they had before
 * they were queued; only a push queues them again. One to a receiver of the team says nothing about the webhook of its lead.
 */
export async function endExcluded(
  tx: Tx,
  {
    teamId,
    leased,
  }: { readonly teamId: string; readonly leased: readonly { id: string; fence: number; leadId: string | null }[] },
): Promise<void> {
  await lockLeads(
    tx,
    teamId,
    leased.map(({ leadId }) => leadId),
  )
  const ofPosts = await listOfExcludedPosts(
    tx.db,
    teamId,
    leased.filter(({ leadId }) => leadId === null).map(({ id }) => id),
  )
  const { rows } = await sql<{
    leadId: string | null
    isOwn: boolean
    status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  }>`
    with locked as materialized (
      select d.id from unnest(${leased.map(({ id }) => id)}::uuid[], ${leased.map(({ fence }) => fence)}::bigint[]) as a (id, fence)
      join delivery d on d.team_id = ${teamId} and d.id = a.id and d.fence = a.fence and d.state = 'pending'
      left join lead l on l.team_id = ${teamId} and l.id = d.lead_id
      where (l.id is not null and ${isExcluded(teamId)}) or d.id = any(${[...ofPosts]}::uuid[]) order by d.id for update of d)
    update delivery d set state = 'excluded', finished_at = ${tx.now}, lease_owner = null, lease_until_ms = null
    from locked where d.team_id = ${teamId} and d.id = locked.id
    returning d.lead_id as "leadId", d.source_id is null as "isOwn", d.lead_status as status`.execute(tx.db)
  const own = rows.filter(({ isOwn }) => isOwn)
  for (const [status, theirs] of Map.groupBy(own, (row) => row.status))
    await setWebhookStatus(tx, { teamId, leadIds: theirs.flatMap(({ leadId }) => leadId ?? []), status })
  if (rows.length > 0) tx.count('deliveries', 'excluded', rows.length)
}

/** Cancels some of what was queued before the URL was cleared; answers how many. */
export const cancelCleared = (tx: Tx, owners: Owners, limit: number): Promise<number> =>
  cancel(tx, owners, { which: isCancelled, limit })

/** Holds some of what waits for disabled endpoints and is not under way; later claims do the rest. */
export async function holdWaiting(tx: Tx, owners: Owners): Promise<void> {
  if (owners.ownerIds.length === 0) return
  const waiting = sql<boolean>`d.state = 'pending' and d.event <> 'person.erased' and not ${isUnderWay}`
  await sql`
    update delivery set state = 'held'
    where team_id = ${owners.teamId} and id = any(${chosenOf(owners, waiting, movedAtOnce)})`.execute(tx.db)
}

/** Releases some of what owners hold, with a fresh schedule; answers how many. */
async function release(tx: Tx, owners: Owners, which: RawBuilder<boolean>): Promise<number> {
  const held = sql<boolean>`${isHeld} and ${which} and not ${isCancelled}`
  const { numAffectedRows } = await sql`
    update delivery set state = 'pending', attempts = 0, unexpected_failures = 0, due_at = ${tx.now}
    where team_id = ${owners.teamId} and id = any(${chosenOf(owners, held, movedAtOnce)})`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Releases what endpoints, which are locked, have held. What is beyond some thousands is released by the clock, which cannot tell what was
 * parked before the endpoint was saved: that goes at once.
 */
export async function releaseHeld(tx: Tx, owners: Owners): Promise<number> {
  const parked = await release(tx, owners, isParked)
  return parked + (await releaseUnparked(tx, owners))
}

/** The same without what is parked. */
export const releaseUnparked = (tx: Tx, owners: Owners): Promise<number> =>
  release(tx, owners, sql<boolean>`not ${isParked}`)

/** Sources by id, as events name them. */
export async function findSources(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, DeliverySource>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('source')
    .select(['id', 'type', 'username'])
    .where('team_id', '=', teamId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
