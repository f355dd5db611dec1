/** Opens the database: one pool, numbers as numbers, sessions in UTC. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { guardOutsideUnits } from './guard.ts'
import type { Database } from './schema.ts'

/** Where the database is: a URL, or the embedded server's socket. */
export type ConnectionSettings = { readonly connectionString: string } | { readonly host: string; readonly port: number; readonly user: string; readonly password: string; readonly database: string }

/** The opened database. */
export type OpenDatabase = {
  /** For reads outside units of work; every use inside one is an error. */
  readonly root: Kysely<Database>
  /** For `unitOfWork` and migrations only. */
  readonly bare: Kysely<Database>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// bigint: every count and amount here is far below 2^53.
pg.types.setTypeParser(20, Number)

/** Connection settings as node-postgres wants them. */
export function clientConfig(connection: ConnectionSettings): pg.ClientConfig {
  return { ...connection, application_name: 'lead-engagement-service', options: '-c timezone=UTC -c lock_timeout=20000 -c idle_in_transaction_session_timeout=60000' }
}

/** Opens a pool of at most `poolSize` connections; `onError` hears of connections lost while idle. */
export function openDatabase(connection: ConnectionSettings, options: { poolSize: number; onError: (error: Error) => void }): OpenDatabase {
  const pool = new pg.Pool({ ...clientConfig(connection), max: options.poolSize, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 10_000 })
  pool.on('error', options.onError)
  // The pool listens to idle connections alone: one lost between two statements of a transaction would end the process. Its next statement fails instead.
  pool.on('connect', (client) => client.on('error', () => {}))
  const bare = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  let closed: Promise<void> | undefined
  return {
    bare,
    root: bare.withPlugin(guardOutsideUnits),
    pool,
    close: () => (closed ??= bare.destroy()),
  }
}
