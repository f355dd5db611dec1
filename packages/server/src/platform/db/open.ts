import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { guardOutsideUnits } from './unit-of-work.ts'
import { namingClient, type StatementNames } from './prepared.ts'
import type { Database } from './schema.ts'
import { ShardedPool } from './sharded-pool.ts'

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
  /** For reads outside units of work; any use inside one throws. */
  readonly root: Kysely<Database>
  /** For `unitOfWork` and migrations only. */
  readonly bare: Kysely<Database>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// bigint as a number: every count and amount is far below 2^53.
pg.types.setTypeParser(20, Number)

/** Milliseconds for a statement (0: no limit), for a lock, and to get a connection. */
export type PoolTimeouts = { readonly statementMs: number; readonly lockMs: number; readonly connectMs: number }

/** Timeouts by use; migrations and tools have none of these. */
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
    // Statements take milliseconds; JIT compilation, on in packaged servers, would take seconds each.
    options: `-c timezone=UTC -c jit=off -c lock_timeout=${lockMs} -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=60000`,
  }
}

// A paused server or lossy network ends no statement, so the driver gives up this much after the statement timeout.
const silenceMs = 5_000

// By default PostgreSQL plans a named statement again for each of its first five executions.
const preparedForAnyValue = ' -c plan_cache_mode=force_generic_plan'

/** Opens a pool of at most `poolSize` connections; `onError` receives losses of idle ones. */
export function openDatabase(
  connection: ConnectionSettings,
  options: {
    poolSize: number
    poolTimeouts?: PoolTimeouts
    names?: StatementNames
    /** Connections are lent out with the search path of the caller's shard. */
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
  // The pool listens only to idle connections: without this, losing one inside a transaction would crash the process. Its next
  // statement fails instead.
  pool.on('connect', (client) => client.on('error', () => {}))
  const bare = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  let closed: Promise<void> | undefined
  return { bare, root: bare.withPlugin(guardOutsideUnits), pool, close: () => (closed ??= bare.destroy()) }
}
