import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import { cannotRun } from './embedded-error.ts'

/** How the PostgreSQL programs are run: as ourselves, as another user, or in a user namespace where we are not root. */
export type StartedBy = 'plain' | 'uid' | 'unshare'

/** Runs PostgreSQL's programs as a user PostgreSQL accepts; `owner` is who must own its files, seen from here. */
export type Runner = {
  startedBy: StartedBy
  owner: { uid: number; gid: number }
  start(program: 'initdb' | 'postgres', args: string[], stdio: StdioOptions): ChildProcess
  /** Runs any program of the system in the same way. */
  run(path: string, args: string[], stdio: StdioOptions): ChildProcess
}

// initdb insists on a user with a name, and "nobody" has one on every Linux.
const nobody = 65534
const namespaced = ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']

/** Picks the first way of running PostgreSQL that works for these programs and this data folder; refuses with what to do when none does. */
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
    failures.push(
      `as user ${candidate.owner.uid}${candidate.startedBy === 'unshare' ? ' in a user namespace' : ''}: ${failure}`,
    )
  }
  throw cannotRun(
    `${me.uid === 0 ? 'PostgreSQL refuses to run as root, and no other way works' : 'its programs do not start'} (${failures.join('; ')})`,
  )
}

function buildRunner(binaries: Binaries, startedBy: StartedBy, owner: { uid: number; gid: number }): Runner {
  const libraries = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  // A clean environment: PGPORT, PGDATA, LC_ALL and their kind would change the server's behaviour.
  const env: NodeJS.ProcessEnv = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: 'UTC',
    ...(binaries.libraryPath === null ? {} : { [libraries]: binaries.libraryPath }),
  }
  const identity = process.geteuid?.() === 0 && owner.uid !== 0 ? owner : {}
  const run: Runner['run'] = (path, args, stdio) => {
    const [command, all] = startedBy === 'unshare' ? ['unshare', [...namespaced, path, ...args]] : [path, args]
    // Detached: Ctrl-C at a terminal reaches the whole process group, and the service must stop its database itself.
    return spawn(command, all, { cwd: '/', env, stdio, detached: true, ...identity })
  }
  return { startedBy, owner, run, start: (program, args, stdio) => run(join(binaries.bin, program), args, stdio) }
}

/** Null when the user may enter the folder, has a name and can run the programs; else what went wrong. */
async function tryRunner(runner: Runner, folder: string): Promise<string | null> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe']
  try {
    const refused = await runForFailure(
      runner.run('/bin/sh', ['-c', 'cd "$1" && id -un >/dev/null', 'sh', folder], stdio),
    )
    return refused ?? (await runForFailure(runner.start('postgres', ['--version'], stdio)))
  } catch (error) {
    return String(error)
  }
}

/** Waits for a program's end; null when it succeeded, else what it said or why it did not start. */
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
