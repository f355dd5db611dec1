/** Which outside world a database belongs to: invented and real people must never mix (G2). */
import { sql, type Kysely } from 'kysely'
import { queryValue } from './query.ts'
import type { Database } from './schema.ts'

/** Runs single statements. */
export type StatementRunner = { query(text: string): Promise<unknown> }

/** Rewrites a value unchanged, to check that the database accepts writes. */
export async function probeWrite(pool: StatementRunner): Promise<void> {
  await pool.query('update service_world set kind = kind')
}

/** Records the world of a new database; throws when it was used with the other one. */
export async function claimWorld(db: Kysely<Database>, kind: 'sandbox' | 'real'): Promise<void> {
  await sql`insert into service_world (only_row, kind) values (true, ${kind}) on conflict do nothing`.execute(db)
  const stored = (await queryValue<string>(db)`select kind from service_world`)!
  if (stored === kind) return
  throw new Error(
    stored === 'sandbox'
      ? 'This database holds people of the sandbox network, so it cannot be ' +
          'used with a real vendor: set another LES_DATA_DIR or DATABASE_URL'
      : 'This database holds people of the real network, so it cannot be used with the sandbox: set another LES_DATA_DIR or DATABASE_URL',
  )
}
