/** Sends deliveries that are not under way again: the same body and id, with a new signature (WHK-14); at most one attempt at a time. */
import { sql } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { uuidFrom } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import { findExcluded, setWebhookStatus } from '../leads/index.ts'
import { findActiveSource } from '../sources/index.ts'
import { isCancelled, lockLeads } from './deliveries.ts'
import { listOfExcludedPosts } from './excluded-posts.ts'
import { isReplayable, maxReplayed, replayableStates, type EndedDelivery } from './rules/replay.ts'
import { findWebhook, lockWebhooks, rearmWebhook } from './settings/store.ts'
import { releaseHeld } from './waiting.ts'

type Replayed = EndedDelivery & {
  readonly id: string
  readonly ownerId: string
  readonly leadId: string | null
  readonly sourceId: string | null
}

type ReplayQuery = {
  readonly teamId: string
  readonly ownerId: string
  readonly states: readonly string[]
  readonly since: Date
  readonly after: string | null
}

type Ended = { readonly id: string; readonly leadId: string | null }

/** Sends one delivery again; refuses like `findReplayable`, and `no_webhook`. */
export async function replayDelivery(tx: Tx, teamId: string, id: string): Promise<void> {
  const found = await findReplayable(tx.db, teamId, id)
  const again = await sendAgain(tx, { teamId, ownerId: found.ownerId, deliveries: [found], states: replayableStates })
  if (again === 0) refuse('not_replayable', {}, 'This delivery is on its way or over by now, or its person is excluded')
}

/** The endpoint of the delivery to replay; refuses what `replayDelivery` refuses. */
export async function findOneReplay(db: Reader, teamId: string, id: string): Promise<{ ownerId: string }> {
  const { ownerId } = await findReplayable(db, teamId, id)
  if ((await findWebhook(db, teamId, ownerId))?.url == null) return refuse('no_webhook')
  return { ownerId }
}

/** Sends up to `maxReplayed` again, oldest first; `next` is the cursor. Refuses `not_found` (untracked source), `no_webhook`. */
export async function replayDeliveries(tx: Tx, rests: ReplayQuery): Promise<{ replayed: number; next: string | null }> {
  await requireTracked(tx.db, rests)
  const listed = await listEndedDeliveries(tx.db, rests, maxReplayed + 1)
  const deliveries = listed.slice(0, maxReplayed)
  const replayed = await sendAgain(tx, { ...rests, deliveries })
  return { replayed, next: listed.length > maxReplayed ? deliveries.at(-1)!.id : null }
}

/** The ids that a replay would take now, at most 10,000; refuses what `replayDeliveries` refuses. */
export async function findReplay(db: Reader, rests: ReplayQuery): Promise<{ ids: string[]; more: boolean }> {
  await requireTracked(db, rests)
  if ((await findWebhook(db, rests.teamId, rests.ownerId))?.url == null) return refuse('no_webhook')
  const listed = await listEndedDeliveries(db, rests, maxReplayed + 1)
  return { ids: listed.slice(0, maxReplayed).map(({ id }) => id), more: listed.length > maxReplayed }
}

type NamedDeliveries = Pick<ReplayQuery, 'teamId' | 'ownerId' | 'states'> & { readonly ids: readonly string[] }

/** Sends the named deliveries again that are still in one of the states; returns how many. Refuses like `replayDeliveries`. */
export async function resendAll(tx: Tx, named: NamedDeliveries): Promise<number> {
  const { teamId, ownerId, ids } = named
  await requireTracked(tx.db, named)
  const { rows: deliveries } = await sql<Ended>`
    select id, lead_id as "leadId" from delivery
    where team_id = ${teamId} and owner_id = ${ownerId} and id = any(${ids}::uuid[])`.execute(tx.db)
  return sendAgain(tx, { ...named, deliveries })
}

type ReplaySelection = Pick<ReplayQuery, 'teamId' | 'ownerId' | 'states'> & { readonly deliveries: readonly Ended[] }

/**
 * Locks leads, endpoint, deliveries, in that order, and makes those still in the states pending. A disabled endpoint is enabled
 * and releases all it holds. An attempt under way keeps its lease; nothing is sent before it ends.
 */
export async function sendAgain(tx: Tx, { teamId, ownerId, deliveries, states }: ReplaySelection): Promise<number> {
  await lockLeads(tx, teamId, deliveries)
  const webhook = (await lockWebhooks(tx, teamId, [ownerId])).get(ownerId)
  if (webhook?.url == null) return refuse('no_webhook')
  const leadIds = deliveries.flatMap(({ leadId }) => leadId ?? [])
  const excluded = await findExcluded(tx.db, teamId, leadIds)
  const others = deliveries.filter(({ leadId }) => leadId === null).map(({ id }) => id)
  const ofPosts = await listOfExcludedPosts(tx.db, teamId, others)
  const ids = deliveries.flatMap(({ id, leadId }) => (excluded.has(leadId ?? '') || ofPosts.has(id) ? [] : id))
  // Locked in id order, like everywhere. An array, not a join: with estimated row counts a join reads all rows per id.
  const { rows: again } = await sql<{ ownLeadId: string | null }>`
    with resting as materialized (
      select id, ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and state = any(${states}::text[])
        and not awaits_enrichment and not ${isCancelled} order by id for update of d)
    update delivery d
    set state = 'pending', generation = ${webhook.generation}, attempts = 0, unexpected_failures = 0, due_at = ${tx.now},
      finished_at = null, automatic = false,
      lead_status = case when d.state in ('sent', 'failed') then d.state else d.lead_status end
    where d.team_id = ${teamId} and d.id = any(array(select id from resting where not emptied))
    returning case when d.source_id is null then d.lead_id end as "ownLeadId"`.execute(tx.db)
  if (again.length === 0) return 0
  const ownLeadIds = again.flatMap(({ ownLeadId }) => ownLeadId ?? [])
  await setWebhookStatus(tx, { teamId, leadIds: ownLeadIds, status: 'pending' })
  // An endpoint paused by a person stays paused; the replayed deliveries wait with the others.
  if (webhook.disabledAt !== null && webhook.disabledReason !== 'by_person') {
    await rearmWebhook(tx, teamId, ownerId)
    await releaseHeld(tx, { teamId, ownerIds: [ownerId] })
  }
  tx.enqueue('delivery', teamId)
  return again.length
}

/** SQL: the body of an ended delivery was purged. A lead never accepted is serialised again, so it does not count. */
const emptied = sql<boolean>`(body is null and finished_at is not null
    and (state = 'sent' or event <> 'lead.detected'))`

/** Refuses `not_found`, and `not_replayable` (under way, cancelled, emptied or of an untracked source). */
async function findReplayable(db: Reader, teamId: string, id: string): Promise<Replayed> {
  const { rows } = await sql<Replayed>`select id, owner_id as "ownerId", lead_id as "leadId",
      source_id as "sourceId", case when ${isCancelled} then 'cancelled' else state end as state,
      awaits_enrichment as "awaitsEnrichment", ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = ${id}`.execute(db)
  const found = rows[0] ?? refuse('not_found', {}, 'No such delivery')
  if (found.emptied)
    refuse('not_replayable', {}, 'What this delivery sent is no longer kept: read the lead itself with GET /leads')
  if (!isReplayable(found)) refuse('not_replayable')
  if (found.sourceId === null && !(await findActiveSource(db, teamId, { id: found.ownerId })))
    refuse('not_replayable', {}, 'The source of this delivery is no longer tracked')
  return found
}

async function requireTracked(db: Reader, { teamId, ownerId }: Pick<ReplayQuery, 'teamId' | 'ownerId'>): Promise<void> {
  if (!(await findActiveSource(db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
}

const nothing = new Uint8Array(10)

async function listEndedDeliveries(
  db: Reader,
  { teamId, ownerId, states, since, after }: ReplayQuery,
  limit: number,
): Promise<Ended[]> {
  // Ids start with their creation time, so the endpoint's index is in time order.
  const first = uuidFrom(since.getTime(), nothing)
  return queryAll<Ended>(db)`
    select id, lead_id as "leadId" from delivery d
    where team_id = ${teamId} and owner_id = ${ownerId} and id >= ${first} and id > ${after ?? first}
      and state = any(${states}::text[]) and not awaits_enrichment and not ${emptied} and not ${isCancelled}
    order by id limit ${limit}`
}
