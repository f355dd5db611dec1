import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** Takes deleted leads out of the queues; the ledger stays. */
export async function deleteQueuedLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue where team_id = ${teamId} and lead_id = any(${[...leadIds]}::uuid[])`.execute(
    tx.db,
  )
}
