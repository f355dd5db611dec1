import { createHash, randomBytes } from 'node:crypto'
import { join, resolve, basename } from 'node:path'
import { constants, lchown, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { loadOrCreateSecret, readSecret, syncFolder, type LocalSecret } from '../local-secrets.ts'
import { EmbeddedPostgresError, cannotRun, errorCode, runForFailure, type Runner } from './embedded-programs.ts'
import { isAlive } from './embedded-process.ts'

export const socketPort = 5432

/** In bytes; the kernel's limit is 107 on Linux and 103 on macOS. */
const maxSocketPathBytes = 100

/** What the embedded database keeps in the data folder. */
export type EmbeddedPaths = {
  dataDir: string
  cluster: string
  /** A cluster without this file was never finished. */
  marker: string
  serverLog: string
  libraries: string
}

export function buildPaths(dataDir: string): EmbeddedPaths {
  const root = resolve(dataDir)
  return {
    dataDir: root,
    cluster: join(root, 'postgres'),
    marker: join(root, 'postgres', 'les-cluster.json'),
    serverLog: join(root, 'postgres.log'),
    libraries: join(root, 'postgres-lib'),
  }
}

/** The socket file of a server. */
export function buildSocketPath(socketDir: string, port: number = socketPort): string {
  return join(socketDir, `.s.PGSQL.${port}`)
}

/** Inside the data folder when the path fits, else a short one in `tempDir`, distinct per data folder and user. */
export function buildSocketDir(dataDir: string, tempDir: string, uid: number): { path: string; temporary: boolean } {
  const root = resolve(dataDir)
  const inside = join(root, 'socket')
  if (Buffer.byteLength(buildSocketPath(inside)) <= maxSocketPathBytes) return { path: inside, temporary: false }
  const hash = createHash('sha256').update(`${uid}\0${root}`).digest('hex').slice(0, 16)
  const short = join(tempDir, `les-${hash}`)
  // /tmp exists wherever Unix sockets do.
  const fits = Buffer.byteLength(buildSocketPath(short)) <= maxSocketPathBytes
  return { path: fits ? short : join('/tmp', `les-${hash}`), temporary: true }
}

/** PostgreSQL's major version; it opens no cluster of another one. */
export const major = '18'

/** The cluster's superuser. */
export const user = 'les'

type Log = (message: string, fields?: Record<string, unknown>) => void

/** Makes sure that a finished cluster of our major version exists and is the runner's; returns its password. */
export async function ensureCluster(paths: EmbeddedPaths, runner: Runner, log: Log): Promise<string> {
  await refuseOtherMajor(paths)
  const finished = await exists(paths.marker)
  const password = finished
    ? await readPassword(paths)
    : await loadOrCreateSecret(paths.dataDir, passwordSecret, randomBytes)
  if (!finished) await initialise(paths, runner, password, log)
  await giveTo(paths.cluster, runner.owner)
  return password
}

/** The major version that made the cluster; null without one. */
export async function majorOf(paths: EmbeddedPaths): Promise<string | null> {
  return (await readFile(join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim() || null
}

async function refuseOtherMajor(paths: EmbeddedPaths): Promise<void> {
  const version = await majorOf(paths)
  if (version === null || version === major) return
  throw new EmbeddedPostgresError(
    `The database in ${paths.cluster} was made by PostgreSQL ${version}, and this service comes with PostgreSQL ${major}. ` +
      'Start the version of the service that made it and take a backup with les-server backup, then restore it into another ' +
      'LES_DATA_DIR or DATABASE_URL (docs/backup.md).',
  )
}

const passwordSecret: LocalSecret = {
  name: 'postgres-password',
  make: (bytes) => bytes(32).toString('base64url'),
  judge: () => null,
}

/** Throws when the password's file is missing, since nothing else knows it. */
export async function readPassword({ cluster, dataDir }: EmbeddedPaths): Promise<string> {
  const path = join(dataDir, passwordSecret.name)
  const password = await readSecret(dataDir, passwordSecret).catch((error: unknown) => {
    throw errorCode(error) === '' ? error : cannotRun(`${path} cannot be read`, error)
  })
  if (password !== null) return password
  throw new EmbeddedPostgresError(`The password of the database in ${cluster} is missing: restore the file ${path}`)
}

/** Renames a finished draft, so that a crash never leaves half a cluster. */
async function initialise(paths: EmbeddedPaths, runner: Runner, password: string, log: Log): Promise<void> {
  const draft = join(paths.dataDir, `postgres.init-${process.pid}-${randomBytes(4).toString('hex')}`)
  const cluster = join(draft, 'cluster')
  try {
    await makeDraft(draft, password, runner)
    await runInitdb(runner, cluster, join(draft, 'password'), log)
    const marker = `${JSON.stringify({ madeBy: 'lead-engagement-service', major })}\n`
    await writeFile(join(cluster, basename(paths.marker)), marker, { flush: true })
    await rename(cluster, paths.cluster).catch(async (error: unknown) => {
      if (await exists(paths.marker)) return
      unless('ENOTEMPTY', 'EEXIST')(error)
      await moveUnfinishedAside(paths, log)
      await rename(cluster, paths.cluster)
    })
    await syncFolder(paths.dataDir)
  } catch (error) {
    // With a marker, another process finished first, and its cluster has the same password.
    if (!(await exists(paths.marker))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function makeDraft(draft: string, password: string, { owner }: Runner): Promise<void> {
  await mkdir(draft, { mode: 0o700 })
  const folder = await open(draft, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const file = await open(join(draft, 'password'), 'wx', 0o600)
  try {
    await file.writeFile(password)
    if (process.geteuid?.() !== 0) return
    await file.chown(owner.uid, owner.gid)
    await folder.chown(owner.uid, owner.gid)
  } finally {
    await Promise.all([file.close(), folder.close()])
  }
}

async function moveUnfinishedAside(paths: EmbeddedPaths, log: Log): Promise<void> {
  const aside = `${paths.cluster}.unfinished-${randomBytes(4).toString('hex')}`
  await rename(paths.cluster, aside)
  if (await exists(join(aside, basename(paths.marker)))) {
    // Another process finished between our check and our rename.
    await rename(aside, paths.cluster)
    return
  }
  log('an unfinished database was moved aside', { folder: aside })
}

async function runInitdb(runner: Runner, cluster: string, passwordFile: string, log: Log): Promise<void> {
  // The builtin provider's order never changes with the operating system, unlike libc's, so indexes survive updates. pg_trgm
  // still asks libc which characters are letters: under LC_CTYPE=C it ignores all but ASCII (ran).
  const collation = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = [`--pwfile=${passwordFile}`, '--auth-local=scram-sha-256', '--auth-host=scram-sha-256']
  const args = ['-D', cluster, '-U', user, '--data-checksums', '--no-instructions', ...access, ...collation]
  const failures: string[] = []
  for (const locale of ['C.UTF-8', 'en_US.UTF-8']) {
    const initdb = runner.start('initdb', [...args, `--lc-ctype=${locale}`], ['ignore', 'ignore', 'pipe'])
    log('a database is being made', { folder: cluster })
    const failure = await runForFailure(initdb)
    if (failure === null) return
    failures.push(failure)
    if (!failure.includes('locale')) break
    await rm(cluster, { recursive: true, force: true })
  }
  throw cannotRun(`initdb failed in ${cluster}: ${failures.join('; ')}`)
}

/** Gives a tree to a user; an ordinary user only checks. The folder comes last, so that a crash is noticed. */
async function giveTo(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  const { uid } = await stat(folder)
  if (uid === owner.uid) return
  if (process.geteuid?.() !== 0)
    throw cannotRun(`${folder} belongs to user ${uid}, not to the user of this service (${owner.uid})`)
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), owner.uid, owner.gid)
  await lchown(folder, owner.uid, owner.gid)
}

/** Call it only with the service lock: removes what crashed first starts left. */
export async function removeAbandonedDrafts(paths: EmbeddedPaths): Promise<void> {
  for (const name of await readdir(paths.dataDir)) {
    const draft =
      /^postgres\.init-(\d+)-/.exec(name) ?? /^(?:postgres-password|master-key|operator-token)\.(\d+)-/.exec(name)
    // The lock holder makes no more drafts: one with our process id is from an earlier container, which reuse ids.
    const abandoned = draft !== null && (Number(draft[1]) === process.pid || !isAlive(Number(draft[1])))
    if (abandoned) await rm(join(paths.dataDir, name), { recursive: true, force: true })
  }
}

/** Makes the socket's folder private. Refuses links and others' folders, but root may take over one in its data folder. */
export async function prepareSocketDir(path: string, owner: Runner['owner'], temporary: boolean): Promise<void> {
  const refuse = (problem: string): never => {
    throw new EmbeddedPostgresError(
      `The socket folder ${path} ${problem}: remove it, or set LES_DATA_DIR to a folder with a shorter path, or set DATABASE_URL`,
    )
  }
  await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'))
  // Checked and changed through one handle: nobody can swap in a link between.
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error: unknown) => refuse(`cannot be used (${errorCode(error)})`),
  )
  try {
    const { uid, mode } = await folder.stat()
    const me = process.geteuid?.() ?? 0
    const ours = uid === me || uid === owner.uid || (me === 0 && !temporary)
    if (!ours) refuse(`belongs to user ${uid}`)
    if (uid !== owner.uid) await folder.chown(owner.uid, owner.gid)
    if ((mode & 0o777) !== 0o700) await folder.chmod(0o700)
  } finally {
    await folder.close()
  }
}

function unless(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(errorCode(error))) throw error
  }
}

/** Whether something exists at the path; throws when that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false
      throw cannotRun(`${path} cannot be read`, error)
    },
  )
}
