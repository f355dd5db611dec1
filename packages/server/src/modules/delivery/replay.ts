/** Sending again what has come to rest: the same bytes under the same id, signed anew (WHK-14). At most one attempt at a time, as ever. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { markPushed } from '../leads/index.ts'
import { findActiveSource } from '../sources/index.ts'
import { keepQueued } from './clearing.ts'
import { lockLeads } from './settle-store.ts'
import { findDelivery, leadsOfDeliveries, listEndedDeliveries, resend, type ReplayQuery } from './replay-store.ts'
import { isReplayable, mostReplayed, replayableStates } from './rules/replay.ts'
import { findWebhook, lockWebhook, rearmWebhook } from './settings-store.ts'
import { releaseHeld } from './store.ts'

export type { ReplayQuery } from './replay-store.ts'

/**
 * Sends one delivery again; refuses `not_found`, `not_replayable` for what is on its way, given up or of an untracked
 * source, and `no_webhook`.
 */
export async function replayDelivery(tx: Tx, teamId: string, id: string): Promise<void> {
  const found = (await findDelivery(tx.db, teamId, id)) ?? refuse('not_found', {}, 'No such delivery')
  if (found.emptied)
    refuse('not_replayable', {}, 'What this delivery sent is no longer kept: read the lead itself with GET /leads')
  if (!isReplayable(found)) refuse('not_replayable')
  if (!(await findActiveSource(tx.db, teamId, { id: found.ownerId })))
    refuse('not_replayable', {}, 'The source of this delivery is no longer tracked')
  const again = await sendAgain(tx, { teamId, ownerId: found.ownerId, deliveries: [found], states: replayableStates })
  if (again === 0) refuse('not_replayable')
}

/**
 * Sends again what rests at an endpoint, at most 10,000 at once, the one made first at the head; `next` says where to
 * go on. Refuses `not_found` for a source that is not tracked, and `no_webhook`.
 */
export async function replayDeliveries(tx: Tx, rests: ReplayQuery): Promise<{ replayed: number; next: string | null }> {
  const { teamId, ownerId, states } = rests
  if (!(await findActiveSource(tx.db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
  const listed = await listEndedDeliveries(tx.db, rests, mostReplayed + 1)
  const taken = listed.slice(0, mostReplayed)
  const replayed = await sendAgain(tx, { teamId, ownerId, deliveries: taken, states })
  return { replayed, next: listed.length > mostReplayed ? taken.at(-1)!.id : null }
}

/**
 * What a replay would take up, as it stands now, without touching it: at most 10,000, and whether there are more.
 * Refuses what `replayDeliveries` refuses.
 */
export async function findReplay(db: Reader, rests: ReplayQuery): Promise<{ ids: string[]; more: boolean }> {
  const { teamId, ownerId } = rests
  if (!(await findActiveSource(db, teamId, { id: ownerId }))) refuse('not_found', {}, 'No such tracked source')
  if ((await findWebhook(db, teamId, ownerId))?.url == null) return refuse('no_webhook')
  const listed = await listEndedDeliveries(db, rests, mostReplayed + 1)
  return { ids: listed.slice(0, mostReplayed).map(({ id }) => id), more: listed.length > mostReplayed }
}

/** The delivery that a replay of one would take up; refuses what `replayDelivery` refuses. */
export async function findOneReplay(db: Reader, teamId: string, id: string): Promise<{ ownerId: string }> {
  const found = (await findDelivery(db, teamId, id)) ?? refuse('not_found', {}, 'No such delivery')
  if (!isReplayable(found)) refuse('not_replayable')
  if (!(await findActiveSource(db, teamId, { id: found.ownerId })))
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
async function sendAgain(
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
    deliveries.flatMap(({ leadId }) => leadId ?? []),
  )
  const webhook = await lockWebhook(tx, teamId, ownerId)
  if (webhook?.url == null) return refuse('no_webhook')
  const again = await resend(tx, { teamId, ids: deliveries.map(({ id }) => id), states })
  await markPushed(
    tx,
    teamId,
    again.flatMap(({ leadId }) => leadId ?? []),
  )
  await keepQueued(tx, { teamId, clearing: webhook.clearing }, again)
  if (webhook.disabledAt !== null && again.length > 0) {
    await rearmWebhook(tx, teamId, ownerId)
    await releaseHeld(tx, teamId, ownerId)
  }
  if (again.length > 0) tx.enqueue('delivery', teamId)
  return again.length
}
