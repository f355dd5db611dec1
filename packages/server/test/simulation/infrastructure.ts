/** Databases for simulations: migrated, without autovacuum (so that rows keep their places) and with fast deadlock detection. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from '../../src/platform/db/schema.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { clientConfig, openDatabase, type ConnectionSettings } from '../../src/platform/db/open.ts'
import { namingClient } from '../../src/platform/db/prepared.ts'
import { oneShardPath, eachTableOnce, testShards } from '../world/shards.ts'
import { inDatabase } from '../world/global-setup.ts'

export type Infrastructure = {
  readonly pool: pg.Pool
  /** For checks: its statements pass no places. */
  readonly db: Kysely<Database>
  empty(): Promise<void>
  close(): Promise<void>
}

/** The server for the databases and, if there is one, the name of a migrated template. */
type DatabaseServer = { readonly server: ConnectionSettings; readonly template?: string }

const kept = ['kysely_migration', 'kysely_migration_lock', 'service_world', 'service_clock']

/** Makes a database. */
export async function openInfrastructure({ server, template }: DatabaseServer, name: string): Promise<Infrastructure> {
  const asAdmin = async (...statements: string[]): Promise<void> => {
    const admin = new pg.Client(clientConfig(server))
    await admin.connect()
    try {
      for (const statement of statements) await admin.query(statement)
    } finally {
      await admin.end()
    }
  }
  await asAdmin(
    `drop database if exists ${name} with (force)`,
    `create database ${name}${template === undefined ? '' : ` template ${template} strategy file_copy`}`,
  )
  // Only a superuser may set this; otherwise a deadlock costs a second.
  await asAdmin(`alter database ${name} set deadlock_timeout = '60ms'`).catch(() => {})
  const connection = inDatabase(server, name)
  // The simulation leaves out the routing to shards: each seed uses a single shard of the template.
  if (testShards > 1 && template !== undefined)
    await asAdmin(`alter database ${name} set search_path = ${oneShardPath}`)
  const first = openDatabase(connection, { poolSize: 1, onError: () => {} })
  if (template === undefined) await migrate(first.bare)
  const { rows } = await first.pool.query<{ name: string; table: string }>(
    `select table_name as name, format('%I.%I', table_schema, table_name) as table
     from information_schema.tables
     where table_schema = any($1) and table_type = 'BASE TABLE' and table_name not like 'kysely%'`,
    [template === undefined ? ['public', 'sign_in'] : eachTableOnce],
  )
  for (const { table } of rows) await first.pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  await first.close()
  const config = clientConfig(connection)
  // A task that sleeps in a transaction sleeps as long as others work, on a busy machine more than a minute.
  const options = `${config.options ?? ''} -c idle_in_transaction_session_timeout=0`
  // Prepares the statements of checks: planning the oracle takes longer than running it.
  const Client = namingClient('marked')
  const pool = new pg.Pool({ ...config, options, max: 12, idleTimeoutMillis: 0, Client })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    pool,
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    empty: async () => {
      await pool.query(
        `truncate ${rows
          .filter(({ name }) => !kept.includes(name))
          .map(({ table }) => table)
          .join(', ')} cascade`,
      )
    },
    close: async () => {
      await pool.end()
      await asAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}
