/** Changes of stored rows that a migration asks for: in batches, a transaction each, going on where the last start was ended. */
import { sql, type Kysely } from 'kysely'
import { type ChangeOfSchema, migrations } from '../../../migrations/index.ts'
import type { Database } from './schema.ts'

const changes = (Object.values(migrations) as readonly ChangeOfSchema[]).flatMap(({ batches }) =>
  Object.entries(batches ?? {}),
)

/** Runs what has not finished. Several starts at once share the work: each batch is claimed by locking its row of `data_migration`. */
export async function changeRows(db: Kysely<Database>): Promise<void> {
  for (const [name, statementOf] of changes) {
    await sql`insert into data_migration (name, place, finished) values (${name}, '{}', false) on conflict do nothing`.execute(
      db,
    )
    const { rows } = await sql<{ finished: boolean }>`select finished from data_migration where name = ${name}`.execute(
      db,
    )
    let finished = rows[0]?.finished ?? true
    while (!finished) {
      const batch = await sql.raw<{ finished: boolean }>(statementOf(name)).execute(db)
      finished = batch.rows[0]?.finished ?? true
    }
  }
}
