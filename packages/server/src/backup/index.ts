/**
 * `les-server backup` and `restore`, with pg_dump and pg_restore. A backup is a folder with `database.dump` (custom format) and
 * `backup.json`. It never contains the master key, nor sessions, tokens and consents, which must not come back to life.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs, promisify } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { programEnvironment, readProcessConfig } from '../config/env.ts'
import { parseWords, report, UsageError, type Output } from '../commands/report.ts'
import { checkMasterKey } from '../modules/accounts/index.ts'
import { systemClock } from '../platform/clock.ts'
import { exists } from '../platform/db/embedded-cluster.ts'
import { syncFolder } from '../platform/local-secrets.ts'
import { migrate, readMadeMigrations, refuseLaterSchema } from '../platform/db/migrate.ts'
import { openDatabase, type ConnectionSettings, type OpenDatabase } from '../platform/db/open.ts'
import { machineIds } from '../platform/random.ts'
import { fingerprintOf } from '../platform/secrets.ts'
import { findDatabase, findMasterKey } from './place.ts'
import { endSignIns, signInTables, listAccess } from './sign-ins.ts'

type Write = Output['out']

const usage = {
  backup: `les-server backup --to FOLDER: takes a backup with pg_dump while the service runs

  FOLDER is made; it must not be there yet. It needs pg_dump of the database's major version or a later one.
  The master key is not in it: keep a copy of it in another place.
`,
  restore: `les-server restore --from FOLDER [--check]: puts a backup into an empty database with pg_restore
les-server restore: after a database was put back by other means (a copied data folder, pgBackRest)

  Both sign everybody out and list the API keys, members and invitations that work again.

  --check   only reads the backup and says whether it is whole
`,
} as const

const dumpName = 'database.dump'
const manifestName = 'backup.json'

const manifestSchema = z.object({
  madeAt: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  sha256: z.string(),
  masterKeyFingerprint: z.string().nullable(),
})

type Manifest = z.infer<typeof manifestSchema>

const copyInstead =
  'or stop the service and copy the whole data folder (docs/backup.md), which needs no programs of PostgreSQL'

/** The password is passed by the environment, where other users of the machine cannot see it. */
async function runClient(
  program: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  connection?: ConnectionSettings,
): Promise<string> {
  const environment = programEnvironment()
  const target: string[] = []
  if (connection && 'connectionString' in connection) {
    const [, before, password, after] = /^(\w+:\/\/[^:@/?#]*):([^@/?#]*)(@.*)$/s.exec(connection.connectionString) ?? []
    target.push(`--dbname=${before === undefined ? connection.connectionString : `${before}${after}`}`)
    if (password !== undefined) environment.PGPASSWORD = decodeURIComponent(password)
  } else if (connection) {
    target.push(`--dbname=${connection.database}`)
    environment.PGHOST = connection.host
    environment.PGPORT = String(connection.port)
    environment.PGUSER = connection.user
    environment.PGPASSWORD = connection.password
  }
  try {
    const { stdout } = await promisify(execFile)(program, [...target, ...words], {
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT')
      throw new Error(
        `there is no program ${program} here: install the client programs of PostgreSQL (postgresql-client), ${copyInstead}`,
        { cause: error },
      )
    throw new Error(`${program} failed: ${stderr?.trim() || String(error)}`, { cause: error })
  }
}

/** pg_dump cannot read a server that is later than itself. */
async function refuseOldPgDump(serverMajor: number): Promise<void> {
  const version = (await runClient('pg_dump', ['--version'])).trim()
  const major = Number(/\) (\d+)/.exec(version)?.[1])
  if (major < serverMajor)
    throw new Error(
      `the database is of PostgreSQL ${serverMajor}, and this is ${version}: put pg_dump ${serverMajor} or later ` +
        `first in PATH (postgresql-client-${serverMajor}), ${copyInstead}`,
    )
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const openFor = (connection: ConnectionSettings): OpenDatabase =>
  openDatabase(connection, { poolSize: 2, onError: () => {} })

/** Takes a backup; the folder gets its name once everything is on disk. */
export async function backup(config: Config, to: string, write: Write): Promise<void> {
  if (await exists(to)) throw new Error(`${to} is there already: name a folder that is not`)
  const key = await findMasterKey(config)
  const place = await findDatabase(config)
  const database = openFor(place.connection)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(`${to}.unfinished-`)
  try {
    const { rows } = await sql<{ version: string; number: number }>`
      select current_setting('server_version') as version, current_setting('server_version_num')::integer as number
      `.execute(database.bare)
    await refuseOldPgDump(Math.floor(rows[0]!.number / 10_000))
    const manifest: Omit<Manifest, 'sha256'> = {
      madeAt: new Date(systemClock.nowMs()).toISOString(),
      postgres: rows[0]!.version,
      migrations: [...(await readMadeMigrations(database.bare))],
      masterKeyFingerprint: key === null ? null : fingerprintOf(key),
    }
    const dump = join(draft, dumpName)
    const form = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments', `--file=${dump}`]
    const without = signInTables.map((table) => `--exclude-table-data=sign_in."${table}"`)
    await runClient('pg_dump', [...form, ...without], place.connection)
    await chmod(dump, 0o600)
    const text = `${JSON.stringify({ ...manifest, sha256: await digestOf(dump) }, null, 1)}\n`
    await writeFile(join(draft, manifestName), text, { mode: 0o600, flush: true })
    await rename(draft, to)
    await syncFolder(dirname(to))
    write(
      `${to}: the database as of ${manifest.madeAt}.\n` +
        `THE MASTER KEY IS NOT IN THIS BACKUP (fingerprint ${manifest.masterKeyFingerprint ?? 'unknown'}): without it no ` +
        'stored credential, signing secret or sign-in can be opened. ' +
        'Keep LES_MASTER_KEY, or the file master-key of the data folder, in another place.\n',
    )
  } finally {
    await rm(draft, { recursive: true, force: true })
    await database.close()
    await place.close()
  }
}

/** Reads a backup's manifest and verifies the dump's checksum; throws when it is incomplete, changed or of a later version. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new Error(`${folder} is no finished backup: it has no ${manifestName}`)
  })
  const manifest = manifestSchema.parse(JSON.parse(text))
  const dump = join(folder, dumpName)
  if ((await digestOf(dump)) !== manifest.sha256)
    throw new Error(`${dump} is damaged: its checksum is not the one in ${manifestName}`)
  refuseLaterSchema(manifest.migrations)
  return manifest
}

/** Throws, before any row is restored, when the master key is not the backup's. */
async function refuseOtherKey(config: Config, { masterKeyFingerprint: wanted }: Manifest): Promise<void> {
  const key = await findMasterKey(config)
  const found = key === null ? null : fingerprintOf(key)
  if (wanted === null || wanted === found) return
  throw new Error(
    `the backup was sealed under the master key with the fingerprint ${wanted}, and ` +
      `${found === null ? 'there is none here' : `the one here has the fingerprint ${found}`}: set LES_MASTER_KEY to it` +
      `${config.databaseUrl === null ? ', or put it into the data folder as the file master-key' : ''}`,
  )
}

/** After any restore: signs everybody out, and lists who has access, for people to review. */
async function finishRestore(config: Config, database: OpenDatabase, write: Write): Promise<void> {
  await migrate(database.bare)
  await endSignIns(database)
  write(await listAccess(database))
  const key = await findMasterKey(config)
  if (key === null) return
  await checkMasterKey(database.bare, key, machineIds().bytes)
  write('The master key opens what is sealed in it.\n')
}

/** Restores a backup into an empty database; without one, finishes a restore by other means. */
export async function restore(config: Config, from: string | null, write: Write): Promise<void> {
  const manifest = from === null ? null : await checkBackup(from)
  if (manifest) await refuseOtherKey(config, manifest)
  const place = await findDatabase(config)
  const database = openFor(place.connection)
  try {
    if (manifest) {
      const used = await sql`select 1 from pg_tables where schemaname in ('public', 'sign_in') limit 1`.execute(
        database.bare,
      )
      if (used.rows.length > 0)
        throw new Error('the database is not empty: restore into another DATABASE_URL or LES_DATA_DIR')
      const form = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
      await runClient('pg_restore', [...form, join(from!, dumpName)], place.connection)
      await sql`analyze`.execute(database.bare)
      write(`restored the database as of ${manifest.madeAt}\n`)
    }
    await finishRestore(config, database, write)
  } finally {
    await database.close()
    await place.close()
  }
}

const options = {
  backup: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  restore: { from: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
} as const
type Options = { to?: string; from?: string; check?: boolean; help?: boolean }

async function run(name: 'backup' | 'restore', words: readonly string[], write: Write): Promise<void> {
  const parse = () => parseArgs({ args: [...words], options: options[name] }).values as Options
  const { to, from, check, help } = parseWords(usage[name], parse)
  if (help) {
    write(usage[name])
  } else if (name === 'backup') {
    if (to === undefined) throw new UsageError(usage.backup)
    await backup(readProcessConfig(), resolve(to), write)
  } else if (check) {
    if (from === undefined) throw new UsageError(usage.restore)
    const manifest = await checkBackup(resolve(from))
    await runClient('pg_restore', ['--list', join(resolve(from), dumpName)])
    write(`${from} is whole: the database as of ${manifest.madeAt}\n`)
  } else {
    await restore(readProcessConfig(), from === undefined ? null : resolve(from), write)
  }
}

/** Returns 0, or 1 when it failed, or 2 for an invalid command line. */
export const runBackupCommand = (
  name: 'backup' | 'restore',
  words: readonly string[],
  { out, err }: Output,
): Promise<number> => report(name, { err }, () => run(name, words, out))
