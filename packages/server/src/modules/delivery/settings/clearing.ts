/**
 * Ending what waits for a webhook whose URL is cleared (G134). The generation of the webhook moves on, and what was queued in an earlier
 * one is over for reads and claims from then on. The request itself ends some thousands of its rows, a periodic task the rest. What is
 * queued for a URL that is set again is of the new generation.
 */
import { sql } from 'kysely'
import type { Condition } from '../../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import { sampleTeamId } from '../../../platform/sample-team.ts'
import { eachTeam, type RoundDeps } from '../../../platform/work/index.ts'
import { clearWebhookStatus, setWebhookStatus } from '../../leads/index.ts'
import { cancelCleared, isCancelled, lockLeads, movedAtOnce, setCancelled } from '../deliveries.ts'
import { deleteReceiver } from '../team-wide/receivers.ts'
import { findWebhook, lockWebhooks, markEnding } from './store.ts'

/** Whose webhook it is. */
type Owner = { readonly teamId: string; readonly ownerId: string }

/** How many leads, and deliveries, the unit of work that clears may still end itself; of several owners together. */
export type Room = { left: number }

/** As much as one unit of work has. */
export const roomOfUnit = (left = movedAtOnce): Room => ({ left })

/**
 * Clears the URL of an owner whose source is locked; `save` writes the settings without it. An attempt under way keeps its lease: should
 * the receiver accept it, that is what happened.
 */
export async function clearWebhook(
  tx: Tx,
  owner: Owner,
  { room, save }: { readonly room: Room; readonly save: () => Promise<void> },
): Promise<void> {
  const { left } = room
  // Leads first, by the order of locks: a lead being offered right now is either seen here or sees the URL gone.
  const leads = left === 0 ? 0 : await clearWebhookStatus(tx, owner, { limit: left, which: 'all' })
  await save()
  const deliveries = await cancelCleared(tx, { teamId: owner.teamId, ownerIds: [owner.ownerId] }, left)
  if (Math.max(leads, deliveries) >= left) await markEnding(tx, owner, true)
  room.left -= Math.max(leads, deliveries)
}

/** Cancels some of what was queued for an owner before its URL was cleared, with the state of its leads; answers how much. */
export async function endCleared(tx: Tx, { teamId, ownerId }: Owner, limit = movedAtOnce): Promise<number> {
  const { rows: found } = await sql<{ id: string; leadId: string | null }>`
    select d.id, d.lead_id as "leadId" from delivery d
    where d.team_id = ${teamId} and d.owner_id = ${ownerId} and ${isCancelled} limit ${limit}`.execute(tx.db)
  if (found.length === 0) return 0
  await lockLeads(
    tx,
    teamId,
    found.map(({ leadId }) => leadId),
  )
  // One to a receiver of the team says nothing about the webhook of its lead.
  const { rows: cancelled } = await sql<{ leadId: string | null }>`
    update delivery set ${setCancelled(tx)}
    where team_id = ${teamId} and id = any(array(
      select d.id from delivery d
      where d.team_id = ${teamId} and d.id = any(${found.map(({ id }) => id)}::uuid[]) and ${isCancelled}
      order by d.id for update of d))
    returning case when source_id is null then lead_id end as "leadId"`.execute(tx.db)
  const leadIds = cancelled.flatMap(({ leadId }) => leadId ?? [])
  await setWebhookStatus(tx, { teamId, leadIds, status: 'no_webhook' })
  return found.length
}

/** Ends some of what was queued and captured for an owner before its URL was cleared; false when nothing of it is left. */
async function endNext(tx: Tx, owner: Owner, limit: number): Promise<boolean> {
  const deliveries = await endCleared(tx, owner, limit)
  const kind = (await findWebhook(tx.db, owner.teamId, owner.ownerId))?.kind
  if (kind === 'destination' || kind === 'hook') return deliveries >= limit || !(await deleteReceiver(tx, owner))
  const leads = await clearWebhookStatus(tx, owner, { limit, which: 'cleared' })
  if (Math.max(deliveries, leads) >= limit) return true
  await lockWebhooks(tx, owner.teamId, [owner.ownerId])
  await markEnding(tx, owner, false)
  return false
}

/** Owners that are asked for at once, and units of work for one in one round: other tasks of the clock wait meanwhile. */
const ownersAsked = 100
const batchesARound = 20
/** Rows that one unit of work ends: a lead is written to each of its many indexes, and its locks are waited for. */
const defaultBatch = 1_000

/** True when some webhook was cleared and not all that waited for it is ended. */
export const clearingsDue = (): Condition =>
  sql<boolean>`exists (select 1 from webhook where ending and team_id <> ${sampleTeamId}::uuid)`

async function listEnding(db: Reader, without: readonly string[]): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select team_id as "teamId", owner_id as "ownerId" from webhook
    where ending and team_id <> all(${[...without]}::uuid[]) order by team_id, owner_id limit ${ownersAsked}`.execute(
    db,
  )
  return rows
}

/** What ending works with. `batch` replaces the number of rows of one unit of work, in tests. */
type ClearingDeps = RoundDeps & { readonly faultPoint: FaultPointHook; readonly batch?: number }

/** Ends what waited for webhooks whose URL was cleared, some for each; answers how many units of work that took. */
export function giveUpCleared(deps: ClearingDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'give up what waited for cleared webhooks',
    onceEach: true,
    find: (_now, without) => listEnding(deps.db, without),
    forTeam: async (teamId, its) => {
      let units = 0
      for (const { ownerId } of its)
        for (let more = true, batches = 0; more && batches < batchesARound; batches++, units++)
          more = await deps.unitOfWork(async (tx) => {
            const goesOn = await endNext(tx, { teamId, ownerId }, deps.batch ?? defaultBatch)
            await deps.faultPoint('webhook.clearing')
            return goesOn
          })
      return units
    },
  })
}
