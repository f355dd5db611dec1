/** Sending again what has come to rest: the same bytes under the same id, signed anew (WHK-14). At most one attempt at a time, as ever. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { uuidFrom } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import { findExcluded, markPushed } from '../leads/index.ts'
import { findActiveSource } from '../sources/index.ts'
import { isCancelled, lockLeads, releaseHeld } from './deliveries.ts'
import { listOfExcludedPosts } from './excluded-posts.ts'
import { isReplayable, maxReplayed, replayableStates, type EndedDelivery } from './rules/replay.ts'
import { findWebhook, lockWebhooks, rearmWebhook } from './settings/store.ts'

/**
 * Sends one delivery again; refuses `not_found`, `not_replayable` for what is on its way, given up or of an untracked
 * source, and `no_webhook`.
 */
export async function replayDelivery(tx: Tx, teamId: string, id: string): Promise<void> {
  const found = (await findDelivery(tx.db, teamId, id)) ?? refuse('not_found', {}, 'No such delivery')
  if (found.emptied)
    refuse('not_replayable', {}, 'What this delivery sent is no longer kept: read the lead itself with GET /leads')
  if (!isReplayable(found)) refuse('not_replayable')
  if (found.sourceId === null && !(await findActiveSource(tx.db, teamId, { id: found.ownerId })))
    refuse('not_replayable', {}, 'The source of this delivery is no longer tracked')
  const again = await sendAgain(tx, { teamId, ownerId: found.ownerId, deliveries: [found], states: replayableStates })
  if (again === 0) refuse('not_replayable', {}, 'This delivery is on its way or over by now, or its person is excluded')
}

/**
 * Sends again what rests at an endpoint, at most 10,000 at once, the one made first at the head; `next` says where to
 * go on. Refuses `not_found` for a source that is not tracked, and `no_webhook`.
 */
export async function replayDeliveries(tx: Tx, rests: ReplayQuery): Promise<{ replayed: number; next: string | null }> {
  const { teamId, ownerId, states } = rests
  if (!(await findActiveSource(tx.db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
  const listed = await listEndedDeliveries(tx.db, rests, maxReplayed + 1)
  const taken = listed.slice(0, maxReplayed)
  const replayed = await sendAgain(tx, { teamId, ownerId, deliveries: taken, states })
  return { replayed, next: listed.length > maxReplayed ? taken.at(-1)!.id : null }
}

/**
 * What a replay would take up, as it stands now, without touching it: at most 10,000, and whether there are more.
 * Refuses what `replayDeliveries` refuses.
 */
export async function findReplay(db: Reader, rests: ReplayQuery): Promise<{ ids: string[]; more: boolean }> {
  const { teamId, ownerId } = rests
  if (!(await findActiveSource(db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
  if ((await findWebhook(db, teamId, ownerId))?.url == null) return refuse('no_webhook')
  const listed = await listEndedDeliveries(db, rests, maxReplayed + 1)
  return { ids: listed.slice(0, maxReplayed).map(({ id }) => id), more: listed.length > maxReplayed }
}

/** The delivery that a replay of one would take up; refuses what `replayDelivery` refuses. */
export async function findOneReplay(db: Reader, teamId: string, id: string): Promise<{ ownerId: string }> {
  const found = (await findDelivery(db, teamId, id)) ?? refuse('not_found', {}, 'No such delivery')
  if (!isReplayable(found)) refuse('not_replayable')
  if (found.sourceId === null && !(await findActiveSource(db, teamId, { id: found.ownerId })))
    refuse('not_replayable', {}, 'The source of this delivery is no longer tracked')
  if ((await findWebhook(db, teamId, found.ownerId))?.url == null) return refuse('no_webhook')
  return { ownerId: found.ownerId }
}

/**
 * Sends again those of these deliveries that still rest in such a state; answers how many. Refuses `not_found` for a
 * source that is not tracked, and `no_webhook`.
 */
export async function resendAll(
  tx: Tx,
  {
    teamId,
    ownerId,
    ids,
    states,
  }: {
    readonly teamId: string
    readonly ownerId: string
    readonly ids: readonly string[]
    readonly states: readonly string[]
  },
): Promise<number> {
  if (!(await findActiveSource(tx.db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
  return sendAgain(tx, {
    teamId,
    ownerId,
    deliveries: await leadsOfDeliveries(tx.db, { teamId, ownerId, ids }),
    states,
  })
}

/**
 * Locks leads, endpoint and deliveries in their order, and lets go what still rests; a disabled endpoint is tried
 * again, with all that it holds, as when its URL is saved.
 */
export async function sendAgain(
  tx: Tx,
  {
    teamId,
    ownerId,
    deliveries,
    states,
  }: {
    readonly teamId: string
    readonly ownerId: string
    readonly deliveries: readonly { id: string; leadId: string | null }[]
    readonly states: readonly string[]
  },
): Promise<number> {
  await lockLeads(
    tx,
    teamId,
    deliveries.map(({ leadId }) => leadId),
  )
  const webhook = (await lockWebhooks(tx, teamId, [ownerId])).get(ownerId)
  if (webhook?.url == null) return refuse('no_webhook')
  const excluded = await findExcluded(
    tx.db,
    teamId,
    deliveries.flatMap(({ leadId }) => leadId ?? []),
  )
  const ofPosts = await listOfExcludedPosts(
    tx.db,
    teamId,
    deliveries.filter(({ leadId }) => leadId === null).map(({ id }) => id),
  )
  const again = await resend(tx, {
    teamId,
    ids: deliveries.flatMap(({ id, leadId }) => (excluded.has(leadId ?? '') || ofPosts.has(id) ? [] : id)),
    states,
    generation: webhook.generation,
  })
  await markPushed(
    tx,
    teamId,
    again.flatMap(({ leadId, isOwn }) => (isOwn ? (leadId ?? []) : [])),
  )
  // One that somebody has paused stays so: what is sent again waits with the rest.
  if (webhook.disabledAt !== null && webhook.disabledReason !== 'by_person' && again.length > 0) {
    await rearmWebhook(tx, teamId, ownerId)
    await releaseHeld(tx, { teamId, ownerIds: [ownerId] })
  }
  if (again.length > 0) tx.enqueue('delivery', teamId)
  return again.length
}

/** A delivery as a replay needs it. */
type Replayed = EndedDelivery & {
  readonly id: string
  readonly ownerId: string
  readonly leadId: string | null
  readonly sourceId: string | null
}

/** SQL: a delivery that ended so long ago that its bytes are kept no longer. Those of a lead that was never accepted are made anew. */
const emptied = sql<boolean>`(body is null and finished_at is not null
    and (state = 'sent' or event <> 'lead.detected'))`

/** Finds a delivery of a team. */
async function findDelivery(db: Reader, teamId: string, id: string): Promise<Replayed | undefined> {
  const { rows } = await sql<Replayed>`select id, owner_id as "ownerId", lead_id as "leadId",
      source_id as "sourceId", case when ${isCancelled} then 'cancelled' else state end as state,
      awaits_enrichment as "awaitsEnrichment", ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0]
}

/** What of an endpoint to send again: made at `since` or later, behind the delivery `after`. */
type ReplayQuery = {
  readonly teamId: string
  readonly ownerId: string
  readonly states: readonly string[]
  readonly since: Date
  readonly after: string | null
}

const nothing = new Uint8Array(10)

/** Deliveries that rest in these states, the one made first at the head. */
async function listEndedDeliveries(
  db: Reader,
  { teamId, ownerId, states, since, after }: ReplayQuery,
  limit: number,
): Promise<{ id: string; leadId: string | null }[]> {
  // Ids begin with the instant they were made at, so the index of an endpoint is in the order of time.
  const first = uuidFrom(since.getTime(), nothing)
  const { rows } = await sql<{ id: string; leadId: string | null }>`
    select id, lead_id as "leadId" from delivery d
    where team_id = ${teamId} and owner_id = ${ownerId} and id >= ${first} and id > ${after ?? first}
      and state = any(${states}::text[]) and not awaits_enrichment and not ${emptied} and not ${isCancelled}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** The leads of deliveries of an endpoint. */
async function leadsOfDeliveries(
  db: Reader,
  { teamId, ownerId, ids }: { readonly teamId: string; readonly ownerId: string; readonly ids: readonly string[] },
): Promise<{ id: string; leadId: string | null }[]> {
  const { rows } = await sql<{ id: string; leadId: string | null }>`
    select id, lead_id as "leadId" from delivery
    where team_id = ${teamId} and owner_id = ${ownerId} and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/**
 * Makes deliveries due at once that still rest, with their ids, their bytes and a schedule that begins anew; answers
 * which. An attempt under way keeps its lease, and nothing is sent before that ends.
 */
async function resend(
  tx: Tx,
  {
    teamId,
    ids,
    states,
    generation,
  }: {
    readonly teamId: string
    readonly ids: readonly string[]
    readonly states: readonly string[]
    readonly generation: number
  },
): Promise<{ id: string; leadId: string | null; isOwn: boolean }[]> {
  // Locked in id order, as by all who change many. An array and not a join: beside rows nobody has counted yet a join reads all for each.
  const { rows } = await sql<{ id: string; leadId: string | null; isOwn: boolean }>`
    with resting as materialized (
      select id, ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and state = any(${states}::text[])
        and not awaits_enrichment and not ${isCancelled} order by id for update of d)
    update delivery d
    set state = 'pending', generation = ${generation}, attempts = 0, unexpected_failures = 0, due_at = ${tx.now},
      finished_at = null, automatic = false,
      lead_status = case when d.state in ('sent', 'failed') then d.state else d.lead_status end
    where d.team_id = ${teamId} and d.id = any(array(select id from resting where not emptied))
    returning d.id, d.lead_id as "leadId", d.source_id is null as "isOwn"`.execute(tx.db)
  return rows
}
