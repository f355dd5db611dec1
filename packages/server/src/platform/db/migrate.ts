/** Forward-only migrations at process start. Kysely's lock makes concurrent first starts safe. */
import { sql, type Kysely } from 'kysely'
import { queryColumn, queryValue } from './query.ts'
import { Migrator } from 'kysely/migration'
import { migrations, type Migration } from '../../../migrations/index.ts'
import { distributeShards, hasCitus } from './citus.ts'
import type { Database } from './schema.ts'
import { inShard, isShardName, onlyShard, shardName } from './shards.ts'

export const migrationNames: readonly string[] = Object.keys(migrations)

/** The migrations applied to a schema, in order; empty for a new one. */
export async function readMadeMigrations(db: Kysely<Database>, schema = onlyShard): Promise<readonly string[]> {
  const table = `${schema}.kysely_migration`
  if (!(await queryValue<boolean>(db)`select to_regclass(${table}) is not null as there`)) return []
  return queryColumn<string>(db)`select name from ${sql.table(table)} order by name`
}

/** Throws for a database that a later version of the service has changed. */
export function refuseLaterSchema(made: readonly string[]): void {
  const later = made.filter((name) => !migrationNames.includes(name))
  if (later.length > 0)
    throw new Error(
      `The database was changed by a later version of the service (${later.join(', ')}): ` +
        `start that version, or restore a backup from before it`,
    )
}

/** The shards of a database with several, in order; else empty. */
export const listShards = async (db: Kysely<Database>): Promise<readonly string[]> =>
  (await queryColumn<string>(db)`select nspname as name from pg_namespace order by nspname`).filter(isShardName)

/** Migrates to at least `shards` shards; returns their names. Throws for a later schema, or naming the migration that fails. */
export async function migrate(db: Kysely<Database>, shards = 1): Promise<readonly string[]> {
  const there = await listShards(db)
  if (there.length === 0 && shards === 1) {
    await migrateSchema(db, onlyShard, ({ shared, teams }) => [...shared, ...teams])
    return [onlyShard]
  }
  if (there.length === 0 && (await readMadeMigrations(db)).length > 0) await moveToFirstShard(db)
  await migrateSchema(db, onlyShard, ({ shared }) => shared)
  const names = Array.from({ length: Math.max(shards, there.length) }, (_, place) => shardName(place))
  for (const name of names) {
    await sql`create schema if not exists ${sql.id(name)}`.execute(db)
    await inShard(name, () => migrateSchema(db, name, ({ teams }) => teams))
  }
  if (await hasCitus(db)) await distributeShards(db, names)
  return names
}

const sharedTables: readonly string[] = Object.values(migrations).flatMap(({ shared }) =>
  shared.flatMap((text) =>
    [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+) \(/gm)].map(([, name]) => name!),
  ),
)

/** One transaction that touches no rows but `team`'s. No process may work on the database meanwhile. */
async function moveToFirstShard(db: Kysely<Database>): Promise<void> {
  const first = sql.id(shardName(0))
  await db.transaction().execute(async (tx) => {
    await sql`create schema ${first}`.execute(tx)
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
        and c.relname not like 'kysely%' and c.relname <> all(${[...sharedTables]}::text[])`.execute(tx)
    for (const { name } of rows) await sql`alter table public.${sql.id(name)} set schema ${first}`.execute(tx)
    for (const name of ['kysely_migration', 'kysely_migration_lock']) {
      await sql`create table ${first}.${sql.id(name)} (like public.${sql.id(name)} including all)`.execute(tx)
      await sql`insert into ${first}.${sql.id(name)} select * from public.${sql.id(name)}`.execute(tx)
    }
    await sql`update public.team set shard = ${shardName(0)}`.execute(tx)
  })
}

async function migrateSchema(
  db: Kysely<Database>,
  schema: string,
  statementsOf: (migration: Migration) => readonly string[],
): Promise<void> {
  const made = await readMadeMigrations(db, schema)
  refuseLaterSchema(made)
  // The migrator first reads every column of every table: a fifth of a start's time.
  if (made.length === migrationNames.length) return
  const migrator = new Migrator({
    db,
    ...(schema === onlyShard ? {} : { migrationTableSchema: schema }),
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, migration]) => [
            name,
            {
              up: async (tx) => {
                // Without the extension this setting has no effect.
                await sql`set local citus.enable_unsafe_triggers = on`.execute(tx)
                for (const statement of statementsOf(migration)) await sql.raw(statement).execute(tx)
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
