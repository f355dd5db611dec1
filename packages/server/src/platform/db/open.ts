/** Opens the database: one pool, numbers as numbers, sessions in UTC. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { guardOutsideUnits } from './unit-of-work.ts'
import { namingClient, type StatementNames } from './prepared.ts'
import type { Database } from './schema.ts'
import { ShardedPool } from './sharded-pool.ts'

/** Where the database is: a URL, or the embedded server's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password: string
      readonly database: string
    }

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

/** How long connections of a pool may take, in milliseconds: for a statement (0: for ever), for a lock, and to get one at all. */
export type PoolTimeouts = { readonly statementMs: number; readonly lockMs: number; readonly connectMs: number }

/** The timeouts of each kind of use. Without any of these (migrations, tools) a statement may take as long as it takes. */
export const poolTimeouts = {
  requests: { statementMs: 8_000, lockMs: 5_000, connectMs: 5_000 },
  work: { statementMs: 30_000, lockMs: 20_000, connectMs: 10_000 },
  health: { statementMs: 2_000, lockMs: 1_000, connectMs: 2_000 },
} as const satisfies Record<string, PoolTimeouts>

const withoutTimeouts: PoolTimeouts = { statementMs: 0, lockMs: 20_000, connectMs: 10_000 }

/** Connection settings as node-postgres wants them. */
export function clientConfig(
  connection: ConnectionSettings,
  { statementMs, lockMs }: PoolTimeouts = withoutTimeouts,
): pg.ClientConfig {
  return {
    ...connection,
    application_name: 'lead-engagement-service',
    // Statements take milliseconds; a server that compiles them to machine code first (as packaged ones do) takes seconds for each.
    options: `-c timezone=UTC -c jit=off -c lock_timeout=${lockMs} -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=60000`,
  }
}

// A server that is paused, or a network that swallows packets, ends no statement: then the driver gives up this much later.
const silenceMs = 5_000

// PostgreSQL otherwise plans a named statement anew for the values of its first five times.
const preparedForAnyValue = ' -c plan_cache_mode=force_generic_plan'

/** Opens a pool of at most `poolSize` connections; `onError` hears of connections lost while idle. */
export function openDatabase(
  connection: ConnectionSettings,
  options: {
    poolSize: number
    poolTimeouts?: PoolTimeouts
    names?: StatementNames
    /** There are several shards: a connection is lent out looking at that of the caller. */
    isSharded?: boolean
    onError: (error: Error) => void
  },
): OpenDatabase {
  const { statementMs, connectMs, ...rest } = options.poolTimeouts ?? withoutTimeouts
  const names = options.names ?? 'marked'
  const silence = statementMs === 0 ? {} : { query_timeout: statementMs + silenceMs }
  const config = clientConfig(connection, { statementMs, connectMs, ...rest })
  const pool = new (options.isSharded ? ShardedPool : pg.Pool)({
    ...config,
    ...(names === 'all' ? { options: `${config.options}${preparedForAnyValue}` } : {}),
    ...silence,
    Client: namingClient(names),
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMs,
  })
  pool.on('error', options.onError)
  // The pool listens to idle connections alone: one lost between two statements of a transaction would end the process.
  // Its next statement fails instead.
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
