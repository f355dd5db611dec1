import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError, errorCode } from './embedded-error.ts'

/** Where the embedded database is reached. */
export type Connection = { host: string; port: number; user: string; password: string; database: string }

/** The service's hold on its data folder: a connection with a session lock, which vanishes with the process. */
export type ServiceLock = { lost: Promise<void>; release(): Promise<void> }

// In the database "postgres", where nothing else takes advisory locks: "LES" in ASCII, and 1 for "the service".
const lockKey = [0x4c4553, 1]

/**
 * One connection to the administrative database; `unreachable` when nothing listens on the socket, `busy` while the
 * server starts, recovers or shuts down.
 */
export async function connect(to: Connection): Promise<pg.Client | 'unreachable' | 'busy'> {
  const client = new pg.Client({
    ...to,
    database: 'postgres',
    application_name: `les-server ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  })
  // The server's end is noticed by whoever waits on `lost`; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    const code = errorCode(error)
    if (code === '28P01' || code === '28000') {
      throw new EmbeddedPostgresError(
        `The database behind ${to.host} does not accept the password in the data folder: restore the file postgres-password`,
        { cause: error },
      )
    }
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'unreachable' : 'busy'
  }
}

/** Takes the service lock on this connection, or refuses because another service on the same folder holds it. */
export async function takeServiceLock(client: pg.Client, dataDir: string): Promise<ServiceLock> {
  // A service killed a moment ago may not have been noticed by the server yet.
  const until = performance.now() + 1_000
  while (!(await tryLock(client))) {
    if (performance.now() > until) {
      const holder = await findHolder(client)
      throw new EmbeddedPostgresError(
        `Another service${holder === null ? '' : ` (${holder})`} is running on the data folder ` +
          `${dataDir}. Stop it, or set LES_DATA_DIR to another folder, or give both the same DATABASE_URL.`,
      )
    }
    await sleep(25)
  }
  return {
    lost: new Promise((resolve) => client.once('end', () => resolve())),
    release: () => client.end().catch(() => undefined),
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', lockKey)
  return rows[0]?.taken === true
}

async function findHolder(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2`,
    lockKey,
  )
  return rows[0]?.name.replace('les-server', 'process') ?? null
}

/** Creates the service's own database when it is not there yet. */
export async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
}
