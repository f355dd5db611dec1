import { chmod, mkdir, open, readFile, readlink, stat, truncate, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  buildSocketDir,
  buildSocketPath,
  ensureCluster,
  prepareSocketDir,
  readPassword,
  socketPort,
  user,
  type EmbeddedPaths,
} from './embedded-cluster.ts'
import {
  buildPostmasterPath,
  clearStaleLockFile,
  findPostmaster,
  isAlive,
  isPostmaster,
  stopPostmaster,
} from './embedded-process.ts'
import {
  EmbeddedPostgresError,
  cannotRun,
  chooseRunner,
  errorCode,
  findBinaries,
  type Runner,
  type StartedBy,
} from './embedded-programs.ts'

export type Connection = { host: string; port: number; user: string; password: string; database: string }

type Server = {
  pid: number
  client: pg.Client
  connection: Connection
  startedBy: StartedBy
  reattached: boolean
}

/** Options of a start; `socketDir` keeps the address of an earlier start in this process. */
export type ServerOptions = {
  paths: EmbeddedPaths
  settings: Record<string, string>
  socketDir: string | null
  log: (message: string, fields?: Record<string, unknown>) => void
}

const database = 'les'
const maxServerLogBytes = 10 * 1024 * 1024
const reportEveryMs = 10_000

/** Attaches to the running server of the folder or starts one; retries while another start or stop is settling. */
export async function bringUpServer(options: ServerOptions): Promise<Server> {
  const { dataDir } = options.paths
  // Root's server runs as another user, who must pass through this folder; secret files in it have modes of their own.
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700
  await mkdir(dataDir, { recursive: true, mode }).catch((cause: unknown) => {
    throw cannotRun(`the data folder ${dataDir} cannot be made`, cause)
  })
  // Earlier versions made the folder readable for others. A folder of another user is left alone.
  const { uid, mode: before } = await stat(dataDir)
  if (uid === process.geteuid?.() && (before & 0o077 & ~mode) !== 0) await chmod(dataDir, mode)
  for (let attempt = 0; attempt < 10; attempt++) {
    const running = await findPostmaster(options.paths.cluster)
    const server = running === null ? await launch(options) : await attach(options, running.pid)
    if (server !== null) return server
  }
  throw new EmbeddedPostgresError(
    `The database in ${dataDir} keeps starting and stopping; see ${options.paths.serverLog}`,
  )
}

/** Connects to the database `postgres`. `unreachable`: nothing listens; `busy`: the server starts, recovers or shuts down. */
async function connect(to: Connection): Promise<pg.Client | 'unreachable' | 'busy'> {
  const client = new pg.Client({
    ...to,
    database: 'postgres',
    application_name: `les-server ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  })
  // The holder of `lost` notices the server's end; without a listener the event would crash the process.
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

async function attach(options: ServerOptions, pid: number): Promise<Server | null> {
  const { cluster, dataDir } = options.paths
  const password = await readPassword(options.paths)
  const report = startReport(options, 'waiting for the running database')
  let unreachableSince: number | null = null
  for (;;) {
    const running = await findPostmaster(cluster)
    if (running?.pid !== pid) return null
    const { socketDir, port } = running
    if (socketDir !== null && port !== null) {
      const connection = { host: socketDir, port, user, password, database }
      const client = await connect(connection)
      if (typeof client === 'object')
        return { pid, client, connection, startedBy: await recognise(cluster, pid), reattached: true }
      if (client === 'busy') unreachableSince = null
    }
    unreachableSince ??= performance.now()
    if (performance.now() - unreachableSince > 15_000) {
      // Not ended by us: it may still serve another service over older connections.
      throw new EmbeddedPostgresError(
        `A database server (process ${pid}) runs on the data folder ${dataDir}, but its socket in ` +
          `${socketDir ?? 'an unknown folder'} is gone. End it with "kill -INT ${pid}" and start again.`,
      )
    }
    report()
    await sleep(20)
  }
}

async function recognise(cluster: string, pid: number): Promise<StartedBy> {
  const readNamespace = (of: string): Promise<string> => readlink(`/proc/${of}/ns/user`).catch(() => '')
  if ((await readNamespace(String(pid))) !== (await readNamespace('self'))) return 'unshare'
  return (await stat(cluster)).uid === process.geteuid?.() ? 'plain' : 'uid'
}

/** Starts a server; null when another one turned out to be running. */
async function launch(options: ServerOptions): Promise<Server | null> {
  const { paths, log } = options
  const binaries = await findBinaries(paths.libraries)
  const runner = await chooseRunner(binaries, paths.dataDir)
  const password = await ensureCluster(paths, runner, log)
  // The server's user may not be able to enter root's TMPDIR.
  const temporary = runner.startedBy === 'uid' ? '/tmp' : tmpdir()
  const chosen = buildSocketDir(paths.dataDir, temporary, runner.owner.uid)
  const host = options.socketDir ?? chosen.path
  await prepareSocketDir(host, runner.owner, chosen.temporary)
  for (const lockFile of [buildPostmasterPath(paths.cluster), `${buildSocketPath(host)}.lock`]) {
    if (await clearStaleLockFile(lockFile, paths.cluster))
      log('removed a lock file whose process number belongs to another program', { file: lockFile })
  }

  const connection = { host, port: socketPort, user, password, database }
  const retryUntil = performance.now() + 10_000
  for (;;) {
    const outcome = await spawnServer(options, runner, connection)
    if (typeof outcome === 'object') return { ...outcome, connection, startedBy: runner.startedBy, reattached: false }
    if ((await findPostmaster(paths.cluster)) !== null) return null
    // The last processes of a killed server take a moment to notice its death.
    const lingering = outcome.includes('pre-existing shared memory block')
    if (!lingering || performance.now() > retryUntil) {
      throw new EmbeddedPostgresError(
        `The database in ${paths.dataDir} did not start (see ${paths.serverLog}; DATABASE_URL selects another database): ${outcome}`,
      )
    }
    await sleep(100)
  }
}

/** Starts the process and waits until it answers; a string is the reason why it ended instead. */
async function spawnServer(
  options: ServerOptions,
  runner: Runner,
  connection: Connection,
): Promise<Pick<Server, 'pid' | 'client'> | string> {
  const { paths } = options
  const serverLog = await openServerLog(paths.serverLog)
  const { size: logStart } = await serverLog.stat()
  const args = buildArguments(paths.cluster, connection.host, options.settings)
  const child = runner.start('postgres', args, ['ignore', serverLog.fd, serverLog.fd])
  let failure: string | null = null
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code, signal) => (failure ??= `it ended with ${signal ?? code}`))
  child.unref()
  await serverLog.close()

  const report = startReport(options, 'the database is starting (recovering after a crash can take a while)')
  try {
    for (;;) {
      await sleep(10)
      if (failure !== null)
        return `${failure}: ${(await readFile(paths.serverLog)).subarray(logStart).toString('utf8').slice(-2000).trim()}`
      const client = await connect(connection)
      // Another start's server may answer instead of ours, which is then about to end.
      if (typeof client === 'object' && child.pid !== undefined && (await isPostmaster(child.pid, paths.cluster)))
        return { pid: child.pid, client }
      if (typeof client === 'object') await client.end()
      report()
    }
  } catch (error) {
    if (child.pid !== undefined && isAlive(child.pid)) await stopPostmaster(child.pid, paths.cluster)
    throw error
  }
}

async function openServerLog(path: string): Promise<FileHandle> {
  const file = await open(path, 'a', 0o600)
  if ((await file.stat()).size > maxServerLogBytes) await truncate(path)
  return file
}

function buildArguments(cluster: string, socketDir: string, settings: Record<string, string>): string[] {
  const all: Record<string, string> = {
    listen_addresses: '',
    // Quoted because it is a list: the path may contain a comma or space.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(socketPort),
    cluster_name: 'les',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    // Error details quote row values, and erasing a person does not reach logs.
    log_error_verbosity: 'terse',
    // By default autovacuum looks once a minute: long enough for criteria to rewrite a whole table of leads.
    autovacuum_naptime: '15s',
    ...settings,
  }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function startReport({ log }: ServerOptions, message: string): () => void {
  const startedAt = performance.now()
  let nextMs = reportEveryMs
  return () => {
    const waitedMs = performance.now() - startedAt
    if (waitedMs < nextMs) return
    nextMs += reportEveryMs
    log(message, { waitedMs: Math.round(waitedMs) })
  }
}
