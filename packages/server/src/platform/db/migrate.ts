/** Migrations at the start of a process, forward only, under Kysely's lock: several first starts at once are safe. */
import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '../../../migrations/index.ts'
import type { Database } from './schema.ts'

/** The names of the migrations this program knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** The migrations that were made in this database, in order; empty for one that is not laid out yet. */
export async function readMadeMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    db,
  )
  if (!rows[0]!.there) return []
  const made = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return made.rows.map(({ name }) => name)
}

/** Throws, in words, for a database that a later version of the service has changed. */
export function refuseLaterSchema(made: readonly string[]): void {
  const later = made.filter((name) => !migrationNames.includes(name))
  if (later.length > 0)
    throw new Error(
      `The database was changed by a later version of the service (${later.join(', ')}): ` +
        `start that version, or restore a backup from before it`,
    )
}

/** Brings the schema up to date. Throws with the failing migration's name, and refuses the schema of a later version. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const made = await readMadeMigrations(db)
  refuseLaterSchema(made)
  // The migrator reads every column of every table first, a fifth of what a start costs.
  if (made.length === migrationNames.length) return
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, { statements }]) => [
            name,
            {
              up: async (tx) => {
                for (const statement of statements) await sql.raw(statement).execute(tx)
              },
            },
          ]),
        ),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(failed ? `migration ${failed} failed: ${reason}` : `the database could not be migrated: ${reason}`, {
    cause: error,
  })
}
