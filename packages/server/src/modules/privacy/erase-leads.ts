import { queryColumn } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { notePeople } from '../accounts/index.ts'
import { completeSyncs, deleteDeliveriesOfLeads } from '../delivery/index.ts'
import { deleteLeads, type DeletedLead } from '../leads/index.ts'
import { deleteQueuedLeads } from '../outreach/index.ts'
import { countDeleted, lockSources } from '../sources/index.ts'

/** The deleted leads, and how many deliveries were deleted with them. */
type ErasedLeads = { readonly leads: readonly DeletedLead[]; readonly deliveries: number }

/**
 * Deletes leads for good, with their deliveries and queue rows; adjusts the counters of their sources and has agents judge their
 * people again. The ledger stays. Lock order: sources, leads, deliveries; a caller that needs the account locks it first.
 */
export async function eraseLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<ErasedLeads> {
  if (leadIds.length === 0) return { leads: [], deliveries: 0 }
  const sourceIds = await queryColumn<string>(tx.db)`
    select distinct source_id as "sourceId" from lead
    where team_id = ${teamId} and id = any(${[...leadIds]}::uuid[]) and source_id is not null`
  await lockSources(tx, teamId, sourceIds)
  const leads = await deleteLeads(tx, teamId, leadIds)
  await countDeleted(tx, teamId, leads)
  await notePeople(
    tx,
    teamId,
    leads.flatMap(({ sourceId, personUrn }) => (sourceId === null ? [] : [{ sourceId, personUrn }])),
  )
  await deleteQueuedLeads(tx, teamId, leadIds)
  const deliveries = await deleteDeliveriesOfLeads(tx, teamId, leadIds)
  // A sync may have waited only for the enrichment of these leads.
  await completeSyncs(tx, teamId, sourceIds)
  return { leads, deliveries }
}
