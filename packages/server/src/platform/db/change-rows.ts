/** Changes of stored rows that a migration asks for: in batches, a transaction each, going on where the last start was ended. */
import { sql } from 'kysely'
import { type ChangeOfSchema, migrations } from '../../../migrations/index.ts'
import type { Reader } from './unit-of-work.ts'

const changes = (Object.values(migrations) as readonly ChangeOfSchema[]).flatMap(({ batches }) =>
  Object.entries(batches ?? {}),
)

/** The names of all of them, as `data_migration` has those that began. */
export const rowChanges: readonly string[] = changes.map(([name]) => name)

/**
 * Runs what has not finished, at most so many batches; answers whether all is done. Several processes at once share the work: each
 * batch is claimed by locking its row of `data_migration`.
 */
export async function changeRows(db: Reader, most: number = Number.POSITIVE_INFINITY): Promise<boolean> {
  let left = most
  for (const [name, statementOf] of changes) {
    await sql`insert into data_migration (name, place, finished) values (${name}, '{}', false)
      on conflict do nothing`.execute(db)
    const { rows } = await sql<{ finished: boolean }>`select finished from data_migration where name = ${name}`.execute(
      db,
    )
    let finished = rows[0]?.finished ?? true
    for (; !finished && left > 0; left--) {
      const batch = await sql.raw<{ finished: boolean }>(statementOf(name)).execute(db)
      finished = batch.rows[0]?.finished ?? true
    }
    if (!finished) return false
  }
  return true
}
