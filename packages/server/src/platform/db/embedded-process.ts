import { execFile } from 'node:child_process'
import { link, readFile, readlink, realpath, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'

/** The file in which a running server records its process and socket. */
export function buildPostmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** Socket folder and port appear shortly after the pid. */
type PostmasterFile = { pid: number; socketDir: string | null; port: number | null }

/** Null when the text names no process. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim())
  // A single-user server writes its pid negated.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  const port = Number.parseInt(lines[3] ?? '', 10)
  return { pid, socketDir: lines[4] || null, port: Number.isSafeInteger(port) && port > 0 ? port : null }
}

/** The running server of a cluster, from `postmaster.pid`; null without one. */
export async function findPostmaster(cluster: string): Promise<PostmasterFile | null> {
  const file = await readText(buildPostmasterPath(cluster))
  if (file === null) return null
  const described = parsePostmasterFile(file)
  return described !== null && (await isPostmaster(described.pid, cluster)) ? described : null
}

/** True while `pid` is this cluster's server, and not another program that reuses the id. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return (await commandLine(pid)).includes(cluster)
  // A server's working folder is its cluster. A zombie has none, and one that is unreadable is not ours.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  return folder !== null && folder === (await realpath(cluster).catch(() => cluster))
}

/** True when the process exists and we may signal it; our server runs as us, and root may signal all. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function commandLine(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'command=', '-p', String(pid)], (_error, stdout) => resolve(stdout))
  })
}

/** Moves a lock file of another program or a zombie aside, since the server would not start. A newer file stays. */
export async function clearStaleLockFile(path: string, cluster: string): Promise<boolean> {
  const judged = await readText(path)
  const described = judged === null ? null : parsePostmasterFile(judged)
  if (described === null || !isAlive(described.pid) || (await isPostmaster(described.pid, cluster))) return false
  const aside = `${path}.stale-${process.pid}`
  try {
    await rename(path, aside)
  } catch {
    return false
  }
  const unchanged = (await readText(aside)) === judged
  if (!unchanged) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
  return unchanged
}

async function readText(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null)
}

/** Stops the server without losing data and waits for its end; after 30 s with harder signals. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ]
  for (const [signal, waitLimitMs] of steps) {
    if (!(await isPostmaster(pid, cluster))) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await waitUntilGone(pid, cluster, waitLimitMs)) return
  }
  throw new Error(`The embedded PostgreSQL (process ${pid}) did not stop`)
}

async function waitUntilGone(pid: number, cluster: string, waitLimitMs: number): Promise<boolean> {
  const until = performance.now() + waitLimitMs
  while (await isPostmaster(pid, cluster)) {
    if (performance.now() > until) return false
    await sleep(10)
  }
  return true
}
