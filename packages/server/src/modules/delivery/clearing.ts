/**
 * Giving up what waits for a webhook whose URL is cleared (G134). Some thousands are given up in the unit of work
 * that clears it. More than that the clock gives up, a batch a unit of work, and until it is done nothing is claimed for that owner: what
 * waited is cancelled for whoever reads it (`isCleared`), and what was queued since, for a URL that was set again, goes when all that
 * waited is gone.
 */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import {
  clearNextLeads,
  clearPendingWebhook,
  closeClearing,
  keepFromClearing,
  listClearings,
  listKept,
  lockClearing,
  noteClearedDeliveries,
  openClearing,
  type Clearing,
} from '../leads/index.ts'
import { lockWebhook, saveClearing } from './settings-store.ts'
import { cancelUnsent, isGivenUp, isUnsent, movedAtOnce } from './store.ts'

/** Whose webhook it is. */
type Owner = { readonly teamId: string; readonly ownerId: string }

/** How many leads, and deliveries, the unit of work that clears may still give up itself; of several owners together. */
export type Room = { left: number }

/** As much as one unit of work has. */
export const roomOfUnit = (left = movedAtOnce): Room => ({ left })

/**
 * Clears the URL of an owner whose source is locked; `save` writes the settings without it. What is under way keeps its lease: should
 * the receiver accept it, that is what happened.
 */
export async function clearWebhook(
  tx: Tx,
  owner: Owner,
  { room, save }: { readonly room: Room; readonly save: () => Promise<void> },
) {
  const { teamId, ownerId } = owner
  // By the order of locks: the clearing, then leads, so that a lead being offered right now is either seen here or sees the URL gone.
  const before = await lockClearing(tx, teamId, ownerId)
  const leads = await clearPendingWebhook(tx, owner, room.left)
  await save()
  const deliveries = await cancelUnsent(tx, owner, room.left)
  const isAll = leads <= room.left && deliveries <= room.left
  room.left -= Math.max(...[leads, deliveries].filter((found) => found <= room.left), 0)
  if (!isAll || before)
    await saveClearing(tx, owner, { from: before?.id ?? null, to: await openClearing(tx, teamId, ownerId) })
}

/** A delivery that was just queued, with the lead it is about. */
type Queued = { readonly id: string; readonly leadId?: string | null }

/** Keeps what was just queued for one owner from the clearing of its webhook, if one is under way. */
export async function keepQueued(
  tx: Tx,
  { teamId, clearing }: { readonly teamId: string; readonly clearing: string | null },
  queued: readonly Queued[],
): Promise<void> {
  if (clearing === null) return
  const ids = queued.flatMap(({ id, leadId }) => [id, ...(leadId == null ? [] : [leadId])])
  await keepFromClearing(tx, { teamId, clearingId: clearing, ids })
}

/** Those of some deliveries or leads of an owner that are none of what is being given up. */
export async function stillGoing<T extends { readonly id: string }>(
  db: Reader,
  { teamId, clearing }: { readonly teamId: string; readonly clearing: string | null },
  rows: readonly T[],
): Promise<readonly T[]> {
  if (clearing === null || rows.length === 0) return rows
  const kept = await listKept(db, { teamId, clearingId: clearing, ids: rows.map(({ id }) => id) })
  return rows.filter(({ id }) => kept.has(id))
}

/** Cancels the next deliveries of a clearing that is locked and has come past the leads; answers the last that it looked at. */
async function cancelNext(
  tx: Tx,
  { teamId, ownerId, deliveryId }: Clearing,
  limit: number,
): Promise<string | undefined> {
  const behind = deliveryId === null ? sql`true` : sql`id > ${deliveryId}`
  const { rows } = await sql<{ id: string; unsent: boolean }>`
    select d.id, ${isUnsent} as unsent from delivery d
    where team_id = ${teamId} and owner_id = ${ownerId} and ${behind} order by id limit ${limit}`.execute(tx.db)
  const unsent = rows.flatMap(({ id, unsent: is }) => (is ? [id] : []))
  if (unsent.length > 0) {
    // Locked first: what its pusher keeps is seen by the statement that comes after.
    await sql`select 1 from delivery where team_id = ${teamId} and id = any(${unsent}::uuid[]) order by id for update`.execute(
      tx.db,
    )
    await sql`
      update delivery d set state = 'cancelled', finished_at = ${tx.now}, awaits_enrichment = false
      where d.team_id = ${teamId} and d.id = any(${unsent}::uuid[]) and ${isGivenUp}`.execute(tx.db)
  }
  return rows.at(-1)?.id
}

/** Gives up the next of what waited for a cleared webhook; once nothing is left, answered by false, what was queued since may go. */
async function giveUpNext(tx: Tx, { teamId, ownerId }: Owner, limit: number): Promise<boolean> {
  const clearing = await lockClearing(tx, teamId, ownerId)
  if (!clearing) return false
  if (!clearing.leadsDone) {
    await clearNextLeads(tx, clearing, limit)
    return true
  }
  // By the order of locks; and nobody queues, holds or lets go of its deliveries meanwhile.
  await lockWebhook(tx, teamId, ownerId)
  const last = await cancelNext(tx, clearing, limit)
  if (last !== undefined) {
    await noteClearedDeliveries(tx, clearing, last)
    return true
  }
  await closeClearing(tx, clearing)
  await saveClearing(tx, clearing, { from: clearing.id, to: null })
  tx.enqueue('delivery', teamId)
  return false
}

/** Owners that are asked for at once, and units of work for one in one round: other tasks of the clock wait meanwhile. */
const ownersAsked = 100
const batchesARound = 20
/** Rows that one unit of work looks at: a lead is written to each of its many indexes, and its locks are waited for. */
const defaultBatch = 1_000

/** What giving up works with. `batch` replaces the number of rows of one unit of work, in tests. */
export type ClearingDeps = RoundDeps & { readonly faultPoint: FaultPointHook; readonly batch?: number }

/** Gives up what waited for webhooks whose URL was cleared, some for each; answers how many units of work that took. */
export function giveUpCleared(deps: ClearingDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'give up what waited for cleared webhooks',
    onceEach: true,
    find: (_now, without) => listClearings(deps.db, ownersAsked, without),
    forTeam: async (teamId, its) => {
      let units = 0
      for (const { ownerId } of its)
        for (let more = true, batches = 0; more && batches < batchesARound; batches++, units++)
          more = await deps.unitOfWork(async (tx) => {
            const goesOn = await giveUpNext(tx, { teamId, ownerId }, deps.batch ?? defaultBatch)
            await deps.faultPoint('webhook.clearing')
            return goesOn
          })
      return units
    },
  })
}
