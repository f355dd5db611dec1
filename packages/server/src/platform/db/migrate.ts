/** Forward-only migrations at boot, under Kysely's lock, so that several first boots at once are safe. */
import { Migrator, type Migration } from 'kysely/migration'
import { sql, type Kysely } from 'kysely'
import { migrations } from '../../../migrations/index.ts'
import { changeRows } from './change-rows.ts'
import type { Database } from './schema.ts'

const applying = (statements: readonly string[]): Migration => ({
  up: async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

/** Brings the schema, then the rows up to date; throws with the failing migration's name, and refuses a schema newer than this program. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, { statements }]) => [name, applying(statements)])),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return changeRows(db)
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  throw new Error(
    failed
      ? `migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}`
      : `the database schema does not fit this program: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )
}
