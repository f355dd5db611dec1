/** A database for simulations: laid out, without autovacuum (so that rows stay where they were put), with quick deadlock detection. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from '../../src/platform/db/schema.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { clientConfig, openDatabase, type ConnectionSettings } from '../../src/platform/db/open.ts'
import { namingClient } from '../../src/platform/db/prepared.ts'
import { oneShardPath, eachTableOnce, testShards } from '../world/shards.ts'
import { inDatabase } from '../world/global-setup.ts'

/** A database of a simulation. */
export type Infrastructure = {
  readonly pool: pg.Pool
  /** For checks: no place is passed, no bug is planted. */
  readonly db: Kysely<Database>
  /** Empties it between seeds. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** Where databases are made: a server and, where somebody has laid one out already, the name of that one. */
export type Ground = { readonly server: ConnectionSettings; readonly template?: string }

const kept = ['kysely_migration', 'kysely_migration_lock', 'service_world', 'service_clock']

/** Makes one; `ddl` plants bugs in the schema. */
export async function openInfrastructure(
  { server, template }: Ground,
  name: string,
  ddl: readonly string[] = [],
): Promise<Infrastructure> {
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
  // Only an administrator may set it; without it a deadlock costs a second.
  await asAdmin(`alter database ${name} set deadlock_timeout = '60ms'`).catch(() => {})
  const connection = inDatabase(server, name)
  // A seed is about the parts, without what finds a team's shard: it lives in one of those that the template may have.
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
  for (const statement of ddl) await first.pool.query(statement)
  await first.close()
  const config = clientConfig(connection)
  // Who falls asleep in a transaction sleeps for as long as others work, which on a busy machine is more than a minute.
  const options = `${config.options ?? ''} -c idle_in_transaction_session_timeout=0`
  // What the checks ask is planned once: a plan of the oracle takes longer than its answer.
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
