/** The database: reached, of a version that is supported, writable, with connections enough, on a schema this program can work with. */
import pg from 'pg'
import { findRunningDatabase } from '../../backup/place.ts'
import { major, majorOf, upgradeHangs } from '../../platform/db/embedded-cluster.ts'
import { buildPaths } from '../../platform/db/embedded-paths.ts'
import { largeIndexes } from '../../../migrations/large-indexes.ts'
import { rowChanges } from '../../platform/db/change-rows.ts'
import { migrationNames } from '../../platform/db/migrate.ts'
import { judgeLater } from '../../platform/db/later-schema.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from '../../platform/db/open.ts'
import type { Check, Finding } from '../check.ts'

/** What a process opens at most (docs/scaling.md). */
const connectionsOfAProcess = 33
const oldestMajor = 15
const newestMajor = 18

const restOf = (text: string): string => text.replace(/:\/\/[^@/]*@/, '://…@')

/** Runs something on a connection to the database; null when the embedded one does not run, which only a start changes. */
export async function onDatabase<T>(
  connection: ConnectionSettings | null,
  run: (client: pg.Client) => Promise<T>,
): Promise<T | null> {
  if (connection === null) return null
  const client = new pg.Client({ ...clientConfig(connection, poolTimeouts.requests), connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end().catch(() => {})
  }
}

type Facts = { version: number; most: number; used: number; replica: boolean; laid: boolean }

function judge({ version, most, used, replica }: Facts): Finding[] {
  const major = Math.floor(version / 10_000)
  const free = most - used
  return [
    major < oldestMajor || major > newestMajor
      ? {
          level: 'bad',
          text: `PostgreSQL ${major}`,
          advice: `use PostgreSQL ${oldestMajor} to ${newestMajor}`,
        }
      : { level: 'ok', text: `PostgreSQL ${major}, ${used} of ${most} connections in use` },
    ...(replica
      ? [{ level: 'bad', text: 'it only reads', advice: 'set DATABASE_URL to the primary server' } satisfies Finding]
      : []),
    ...(free < connectionsOfAProcess
      ? [
          {
            level: 'warn',
            text: `${free} connections are left, and a process opens up to ${connectionsOfAProcess}`,
            advice: 'raise max_connections, or run fewer processes',
          } satisfies Finding,
        ]
      : []),
  ]
}

async function judgeSchema(client: pg.Client, laid: boolean): Promise<Finding> {
  if (!laid) return { level: 'ok', text: 'the schema is not laid out yet: the first start does' }
  const done = (await client.query<{ name: string }>('select name from kysely_migration order by name')).rows
  const list = (await client.query<{ there: boolean }>(`select to_regclass('schema_break') is not null as there`)).rows
  const breaks = list[0]!.there
    ? (await client.query<{ migration: string }>('select migration from schema_break')).rows.map((row) => row.migration)
    : null
  const names = done.map(({ name }) => name)
  try {
    const later = judgeLater(names, migrationNames, breaks)
    const missing = migrationNames.filter((name) => !names.includes(name))
    if (missing.length > 0)
      return { level: 'ok', text: `the next start makes ${missing.length} migrations, from ${missing[0]} on` }
    return later.length > 0
      ? {
          level: 'warn',
          text: `the schema is that of a later version (${later.join(', ')})`,
          advice: 'finish the upgrade, or leave it so while you go back',
        }
      : { level: 'ok', text: 'the schema is that of this version' }
  } catch (error) {
    return {
      level: 'bad',
      text: (error as Error).message,
      advice: 'start the later version again, or restore a backup from before it',
    }
  }
}

/** Rows that a release changes, whose change has not finished. */
async function judgeChanges(client: pg.Client): Promise<Finding[]> {
  const { rows: there } = await client.query<{ there: boolean }>(
    `select to_regclass('data_migration') is not null as there`,
  )
  if (!there[0]!.there) return []
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where name not in (select d.name from data_migration d where d.finished)',
    [rowChanges],
  )
  if (rows.length === 0) return []
  return [
    {
      level: 'warn',
      text: `changes of stored rows are not finished: ${rows.map(({ name }) => name).join(', ')}`,
      advice: 'the clock makes them beside the service: see that a process with that role runs',
    },
  ]
}

type Unfinished = { name: string; state: 'missing' | 'half made' | 'being built' }

/** Indexes of large tables that are missing, and any index that a build left half made. */
async function judgeIndexes(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Unfinished>(
    `with found as (
       select c.relname as name, i.indisvalid as valid, b.pid is not null as building
       from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_stat_progress_create_index b on b.index_relid = i.indexrelid
       where c.relnamespace = 'public'::regnamespace)
     select name, case when found.building then 'being built' when found.valid is null then 'missing' else 'half made' end as state
     from unnest($1::text[]) as name full join found using (name) where found.valid is not true order by name`,
    [Object.keys(largeIndexes)],
  )
  if (rows.length === 0) return []
  const waits = rows.every(({ state }) => state === 'being built')
  return [
    {
      level: 'warn',
      text: `indexes are not there yet: ${rows.map(({ name, state }) => `${name} (${state})`).join(', ')}`,
      advice: waits
        ? 'wait: nothing that is promised needs them'
        : 'the clock makes them beside the service; les-server indexes --build makes them now',
    },
  ]
}

/** What the files of the embedded database say: one of another major version, or an upgrade that was ended, keeps it from starting. */
export async function judgeEmbedded(dataDir: string): Promise<Finding | null> {
  const paths = buildPaths(dataDir)
  const found = await majorOf(paths)
  const advice = 'les-server upgrade-database, with the service stopped and a backup taken (docs/deploy.md)'
  if (await upgradeHangs(paths))
    return { level: 'bad', text: 'an upgrade of the embedded database was ended at its last step', advice }
  if (found === null || found === major) return null
  return {
    level: 'bad',
    text: `the embedded database is of PostgreSQL ${found}, this version comes with ${major}`,
    advice: Number(found) > Number(major) ? 'start the later version of the service again' : advice,
  }
}

/** The check of the database. */
export const database: Check = {
  name: 'database',
  about: 'reached, supported, writable, enough connections, the schema, and what an upgrade has not finished',
  run: async ({ config }) => {
    const files = config.databaseUrl === null ? await judgeEmbedded(config.dataDir) : null
    if (files !== null) return [files]
    const connection = await findRunningDatabase(config)
    try {
      const found = await onDatabase(connection, async (client) => {
        const { rows } = await client.query<Facts>(
          `select current_setting('server_version_num')::int as version, current_setting('max_connections')::int as most,
                  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
                  pg_is_in_recovery() as replica,
                  to_regclass('public.kysely_migration') is not null as laid`,
        )
        return [
          ...judge(rows[0]!),
          await judgeSchema(client, rows[0]!.laid),
          ...(rows[0]!.laid ? [...(await judgeChanges(client)), ...(await judgeIndexes(client))] : []),
        ]
      })
      return found ?? [{ level: 'skipped', text: 'the embedded database does not run: the service starts it' }]
    } catch (error) {
      return [
        {
          level: 'bad',
          text: `it is not reached: ${restOf(error instanceof Error ? error.message : String(error))}`,
          advice: 'see that DATABASE_URL names a server this machine reaches, with a user that may sign in',
        },
      ]
    }
  },
}
