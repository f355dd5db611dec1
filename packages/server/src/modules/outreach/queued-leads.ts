/** Leads that are deleted wait for no campaign. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** Takes leads out of the queues of campaigns; who was sent stays known. */
export async function deleteQueuedLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue where team_id = ${teamId} and lead_id = any(${[...leadIds]}::uuid[])`.execute(
    tx.db,
  )
}
