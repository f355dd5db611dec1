import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'

/** Deletes the kept pages of a team; they live for an hour, and can be read again. */
export async function erasePages(tx: Tx, teamId: string): Promise<void> {
  await sql`delete from vendor_page where team_id = ${teamId}`.execute(tx.db)
}
