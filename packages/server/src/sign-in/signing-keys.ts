/** The keys that sign access tokens: made by the library when there are none, and sealed under the master key. */
import { sql } from 'kysely'
import type { Tx } from '../platform/db/unit-of-work.ts'

/**
 * Forgets them when the master key changes: new ones are made at the next use. Access tokens that are out end, refresh
 * tokens stay good.
 */
export async function forgetSigningKeys(tx: Tx): Promise<void> {
  await sql`delete from sign_in.jwks`.execute(tx.db)
}
