import pg from 'pg'
import { findRunningDatabase, findMasterKey } from '../../backup/place.ts'
import { major, majorOf, buildPaths } from '../../platform/db/embedded-cluster.ts'
import { migrationNames, refuseLaterSchema } from '../../platform/db/migrate.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from '../../platform/db/open.ts'
import { bad, ok, skipped, warn, type Check, type Finding } from '../check.ts'
import { fingerprintOf, opensCheck } from '../../platform/secrets.ts'

/** The most that one process opens (docs/scaling.md). */
const connectionsOfAProcess = 33
const oldestMajor = 15
const newestMajor = 18

const restOf = (text: string): string => text.replace(/:\/\/[^@/]*@/, '://…@')

/** Null when the embedded database does not run: only a start changes that. */
async function onDatabase<T>(
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
      ? bad(`PostgreSQL ${major}`, `use PostgreSQL ${oldestMajor} to ${newestMajor}`)
      : ok(`PostgreSQL ${major}, ${used} of ${most} connections in use`),
    ...(replica ? [bad('it only reads', 'set DATABASE_URL to the primary server')] : []),
    ...(free < connectionsOfAProcess
      ? [
          warn(
            `${free} connections are left, and a process opens up to ${connectionsOfAProcess}`,
            'raise max_connections, or run fewer processes',
          ),
        ]
      : []),
  ]
}

async function judgeSchema(client: pg.Client, laid: boolean): Promise<Finding> {
  if (!laid) return ok('the schema is not laid out yet: the first start does')
  const done = (await client.query<{ name: string }>('select name from kysely_migration order by name')).rows
  const names = done.map(({ name }) => name)
  try {
    refuseLaterSchema(names)
    const missing = migrationNames.filter((name) => !names.includes(name))
    if (missing.length > 0) return ok(`the next start makes ${missing.length} migrations, from ${missing[0]} on`)
    return ok('the schema is that of this version')
  } catch (error) {
    return bad((error as Error).message, 'start the later version again, or restore a backup from before it')
  }
}

/** A cluster of another major version cannot be started. */
async function judgeEmbedded(dataDir: string): Promise<Finding | null> {
  const found = await majorOf(buildPaths(dataDir))
  if (found === null || found === major) return null
  return bad(
    `the embedded database is of PostgreSQL ${found}, this version comes with ${major}`,
    'start the version of the service that made it; to move on, take a backup there and restore it here (docs/backup.md)',
  )
}

export const database: Check = {
  name: 'database',
  about: 'reached, supported, writable, enough connections, and the schema',
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
        return [...judge(rows[0]!), await judgeSchema(client, rows[0]!.laid)]
      })
      return found ?? [skipped('the embedded database does not run: the service starts it')]
    } catch (error) {
      return [
        bad(
          `it is not reached: ${restOf(error instanceof Error ? error.message : String(error))}`,
          'see that DATABASE_URL names a server this machine reaches, with a user that may sign in',
        ),
      ]
    }
  },
}

export const masterKey: Check = {
  name: 'master key',
  about: 'opens the value that was sealed at the first start',
  run: async ({ config }) => {
    const key = await findMasterKey(config)
    if (key === null) return [ok('there is none yet: the first start makes and keeps one')]
    const sealed = await onDatabase(await findRunningDatabase(config), async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('public.master_key_check') is not null as there`,
      )
      if (!rows[0]!.there) return []
      return (
        await client.query<{ fingerprint: string; sealed: Buffer }>('select fingerprint, sealed from master_key_check')
      ).rows
    })
    const fingerprint = fingerprintOf(key)
    if (sealed === null || sealed.length === 0)
      return [skipped(`nothing sealed is there to try it on (fingerprint ${fingerprint})`)]
    return opensCheck(key, sealed[0]!.sealed)
      ? [ok(`it opens what is sealed (fingerprint ${fingerprint}): keep a copy of it beside the backups`)]
      : [
          bad(
            `this one has the fingerprint ${fingerprint}, the database was sealed under ${sealed[0]!.fingerprint}`,
            'set LES_MASTER_KEY to the key that was used before, or put the file master-key of the data folder back',
          ),
        ]
  },
}
