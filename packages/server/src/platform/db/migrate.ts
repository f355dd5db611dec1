/**
 * Forward-only migrations at boot, under Kysely's lock, so that several first boots at once are safe. A program also starts on the
 * schema of a later one, unless a migration that it does not know says that this breaks what came before it: so a release can be
 * rolled out process by process, and taken back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration'
import { sql, type Kysely } from 'kysely'
import { migrations, type ChangeOfSchema } from '../../../migrations/index.ts'
import { changeRows } from './change-rows.ts'
import { errorCode } from './embedded-error.ts'
import { buildPlannedIndexes, unlessThere } from './indexes-ahead.ts'
import { indexSmallTables } from './indexes.ts'
import { judgeLater } from './later-schema.ts'
import type { Database } from './schema.ts'

/** The names of the migrations this program knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/**
 * A change waits this long for a table that others use: whoever comes after it waits too, and PostgreSQL looks for a deadlock only
 * after a second. Then it lets go of everything and is tried again, for a minute.
 */
const lockTimeout = '500ms'
const tries = 100
const pauseMs = 250

const applying = (name: string, { statements, breaks }: ChangeOfSchema, made: ReadonlySet<string>): Migration => ({
  up: async (db) => {
    await sql.raw(`set local lock_timeout = '${lockTimeout}'`).execute(db)
    for (const statement of statements) await sql.raw(unlessThere(statement, made)).execute(db)
    if (breaks === true) await sql`insert into schema_break (migration) values (${name})`.execute(db)
  },
})

/** Stands for a migration of a later program that has run already. */
const doneLater: Migration = { up: async () => Promise.reject(new Error('a migration of a later program')) }

const exists = async (db: Kysely<Database>, table: string): Promise<boolean> =>
  (await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(db)).rows[0]!.there

/** The migrations that were made in this database, in the order in which they were; null where none was ever looked for. */
async function madeOnes(db: Kysely<Database>): Promise<readonly string[] | null> {
  if (!(await exists(db, 'kysely_migration'))) return null
  const made = await sql<{ name: string }>`select name from kysely_migration order by timestamp, name`.execute(db)
  return made.rows.map(({ name }) => name)
}

/** Those of them that this program does not know; throws when it cannot work on what they made. */
async function laterOnes(db: Kysely<Database>, made: readonly string[]): Promise<readonly string[]> {
  if (made.every((name) => migrationNames.includes(name))) return []
  const breaks = (await exists(db, 'schema_break'))
    ? (await sql<{ migration: string }>`select migration from schema_break`.execute(db)).rows.map(
        ({ migration }) => migration,
      )
    : null
  return judgeLater(made, migrationNames, breaks)
}

/**
 * Nothing is missing, and all was made in the order of the names. The migrator would find the same, after reading every column of
 * every table to see whether its own two are there: a fifth of what a start costs.
 */
const isComplete = (made: readonly string[], later: readonly string[]): boolean => {
  const wanted = [...migrationNames, ...later].sort()
  return made.length === wanted.length && wanted.every((name, at) => made[at] === name)
}

/** A lock that was not to be had in time, or a deadlock: undone, and tried again. */
const metOthers = (error: unknown): boolean => ['55P03', '40P01'].includes(errorCode(error))

/** Makes the changes that are missing, each in a transaction of its own, beside programs that work on the tables meanwhile. */
async function stepByStep(migrator: Migrator): Promise<MigrationResultSet> {
  for (let attempt = 1; ; ) {
    const made = await migrator.migrateUp()
    if (made.error !== undefined) {
      if (!metOthers(made.error) || attempt++ === tries) return made
      await sleep(pauseMs)
    } else if (made.results?.length === 0) return made
  }
}

async function run(db: Kysely<Database>, upTo: string | null): Promise<void> {
  const made = await madeOnes(db)
  const later = await laterOnes(db, made ?? [])
  if (upTo === null && isComplete(made ?? [], later)) return
  const indexes = upTo === null ? await buildPlannedIndexes(db) : new Set<string>()
  const known = Object.entries<ChangeOfSchema>(migrations).map(
    ([name, change]) => [name, applying(name, change, indexes)] as const,
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries([...known, ...later.map((name) => [name, doneLater])]) },
  })
  // Nobody works on a database that is not laid out yet: all at once.
  const { error, results } =
    upTo !== null
      ? await migrator.migrateTo(upTo)
      : await (made === null ? migrator.migrateToLatest() : stepByStep(migrator))
  if (!error) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  const busy = metOthers(error) ? ' (others work on its tables without a pause: start again when they do less)' : ''
  const reason = `${error instanceof Error ? error.message : String(error)}${busy}`
  throw new Error(
    failed ? `migration ${failed} failed: ${reason}` : `the database schema does not fit this program: ${reason}`,
    { cause: error },
  )
}

/** Rows of small databases are changed at the start, those of large ones by the clock beside the service: 40,000 rows take some seconds. */
const batchesAtStart = 4

/**
 * Brings the schema, then the rows up to date; throws with the failing migration's name, and refuses a schema this
 * program cannot work on.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await run(db, null)
  await changeRows(db, batchesAtStart)
  await indexSmallTables(db)
}

/** Lays an empty database out as it was after the migration of that name; rows are left as they are. */
export const migrateTo = (db: Kysely<Database>, name: string): Promise<void> => run(db, name)
