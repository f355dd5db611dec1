/** Forgetting what vendors have answered. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'

/** Forgets every page that is kept for a team: they live for an hour, and are asked for again. */
export async function erasePages(tx: Tx, teamId: string): Promise<void> {
  await sql`delete from vendor_page where team_id = ${teamId}`.execute(tx.db)
}
