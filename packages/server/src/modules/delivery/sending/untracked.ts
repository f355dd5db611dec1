/**
 * Ending what is on its way to the webhook of a source that is no longer tracked (WHK-19, G52, FIX-04): such a delivery has failed, for
 * its push, its lead and the log alike, and only a new push sends it, once the source is tracked again. What was pushed from a deleted
 * keyword search still goes, unless it waits for an enrichment that will not come (C3).
 */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { setWebhookStatus } from '../../leads/index.ts'
import { isCancelled, isUnsent, lockLeads, movedAtOnce } from '../deliveries.ts'
import { offerLeads } from '../offers.ts'
import { tellsErased } from '../person-erased.ts'
import { listOthers } from '../same-engagement.ts'

/** SQL: delivery `d` ends with the tracking of its source `s`. */
export const endsUntracked = sql<boolean>`(${isUnsent} and not ${isCancelled} and not ${tellsErased}
  and (s.type <> 'keyword' or d.awaits_enrichment or not exists (select 1 from push_lead p
    where p.team_id = d.team_id and p.delivery_id = d.id)))`

/**
 * Ends what waits, is held or is under way of these sources, some thousands of it; the rest follows with the next claims or the clock. An
 * attempt under way keeps its lease: should the receiver accept it, it is sent, because it is. What another tracked source of the agent has
 * captured as well may go by that one. Answers how much.
 */
export async function endDeliveriesOf(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<number> {
  await endAwaitedSyncs(tx, teamId, sourceIds)
  const { rows: found } = await sql<{ id: string; leadId: string | null }>`
    select d.id, d.lead_id as "leadId" from delivery d
    join source s on s.team_id = d.team_id and s.id = d.owner_id and s.status = 'inactive'
    where d.team_id = ${teamId} and d.owner_id = any(${[...sourceIds]}::uuid[]) and ${endsUntracked}
    order by d.id limit ${movedAtOnce}`.execute(tx.db)
  if (found.length === 0) return 0
  // By the order of locks: leads, then deliveries.
  await lockLeads(
    tx,
    teamId,
    found.map(({ leadId }) => leadId),
  )
  const { rows: ended } = await sql<{ leadId: string | null }>`
    with locked as materialized (
      select d.id from delivery d
      where d.team_id = ${teamId} and d.id = any(${found.map(({ id }) => id)}::uuid[]) and ${isUnsent}
      order by d.id for update)
    update delivery d set state = 'failed', finished_at = ${tx.now}, awaits_enrichment = false
    from locked where d.team_id = ${teamId} and d.id = locked.id
    returning d.lead_id as "leadId"`.execute(tx.db)
  const leadIds = ended.flatMap(({ leadId }) => leadId ?? [])
  await setWebhookStatus(tx, { teamId, leadIds, status: 'failed' })
  await offerLeads(tx, teamId, await listOthers(tx.db, teamId, leadIds))
  return ended.length
}

/** Receivers of the team are not told of syncs whose enrichment will not end. */
async function endAwaitedSyncs(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<void> {
  await sql`
    update delivery set state = 'failed', finished_at = ${tx.now}, awaits_enrichment = false
    where team_id = ${teamId} and id = any(array(
      select d.id from delivery d join source s on s.team_id = d.team_id and s.id = d.source_id and s.status = 'inactive'
      where d.team_id = ${teamId} and d.source_id = any(${[...sourceIds]}::uuid[]) and d.event = 'sync.completed'
        and d.state = 'held' and d.awaits_enrichment
      order by d.id for update of d))`.execute(tx.db)
}

/** The same of one source, as untracking it asks. */
export const endDeliveries = async (tx: Tx, source: { readonly teamId: string; readonly id: string }): Promise<void> =>
  void (await endDeliveriesOf(tx, source.teamId, [source.id]))
