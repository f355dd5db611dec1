/** What benchmarks of whole installations share: real processes of the service on one database and one synthetic network. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startSandbox } from '../packages/sandbox/src/index.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { urlOf } from '../packages/server/test/world/database-url.ts'

const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const token = 'operator-token-of-the-benchmarks'

/** A process of the service; `url` is empty for one that serves nothing. */
export type Running = { readonly child: ChildProcess; readonly url: string }

/** A team made over HTTP. */
export type Team = { readonly id: string; readonly key: string }

/** A database, a network and a receiver; processes of the service come and go. */
export async function openInstallation(area: string, settings: Record<string, string> = {}) {
  const dataDir = join(area, 'database')
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { max_connections: '300', wal_level: 'replica', ...settings },
  })
  const sandbox = await startSandbox({ now: () => new Date() })
  let received = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const pool = new pg.Pool({ ...postgres.connection, max: 3 })
  pool.on('error', () => {})
  const running = new Set<Running>()
  const masterKey = randomBytes(32).toString('base64')
  // A benchmark that fails, or is ended, leaves no process behind, and no files: they may lie in the machine's memory.
  const leave = () => {
    for (const { child } of running) child.kill('SIGKILL')
    process.kill(Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
    rmSync(area, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', leave)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

  const start = async (roles: string, more: Record<string, string> = {}): Promise<Running> => {
    const child = spawn(process.execPath, [main], {
      cwd: area,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        PORT: '0',
        DATABASE_URL: urlOf(postgres.connection),
        LES_DATA_DIR: join(area, 'data'),
        LES_MASTER_KEY: process.env.LES_MASTER_KEY ?? masterKey,
        LES_OPERATOR_TOKEN: token,
        LES_HARVESTAPI_URL: sandbox.addresses.harvestapi,
        LES_HARVESTAPI_KEY: 'x',
        LES_ALLOW_PRIVATE_DESTINATIONS: '1',
        LES_ROLES: roles,
        ...more,
      },
    })
    let text = ''
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`a process with the roles ${roles} ended with ${code}: ${text}`)))
      child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length > 200_000) return
        text += chunk
        const line = text.split('\n').find((one) => one.includes('"msg":"started"') && one.endsWith('}'))
        if (line) resolve((JSON.parse(line) as { address?: string }).address ?? '')
      })
    })
    child.removeAllListeners('exit')
    const made = { child, url }
    running.add(made)
    child.once('exit', () => running.delete(made))
    return made
  }
  const stop = async (some: readonly Running[]): Promise<void> => {
    for (const { child } of some) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  return {
    area,
    dataDir,
    postgres,
    sandbox,
    pool,
    start,
    stop,
    hook: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/leads`,
    received: () => received,
    close: async () => {
      process.off('exit', leave)
      await stop([...running])
      await pool.end()
      await sandbox.close()
      receiver.close()
      receiver.closeAllConnections()
      await postgres.stop()
    },
  }
}

/** An open installation. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** What a call of these answers. */
type Answer = { readonly team: { readonly id: string }; readonly apiKey: string }

/** One call; anything but success ends the benchmark. */
export async function call(
  url: string,
  { key }: { readonly key?: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? { authorization: `Bearer ${token}` } : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** A team whose limits are out of the way. */
export async function makeTeam(url: string, name: string): Promise<Team> {
  const limits = { reads: 100_000, writes: 100_000, untrackedPosts: 10 }
  const { team, apiKey } = await call(url, {}, 'POST', '/operator/teams', {
    name,
    credits: 100_000_000,
    limits,
    vendorCallsPerDay: 100_000_000,
  })
  return { id: team.id, key: apiKey }
}

const statOf = async (pid: string): Promise<{ parent: string; seconds: number } | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (text === '') return undefined
  // Fields of proc(5) behind the name: the second is the parent, the 12th and 13th are user and system time in hundredths.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: fields[1]!, seconds: (Number(fields[11]) + Number(fields[12])) / 100 }
}

/** Seconds of processor time of a process and of all that it has started. */
export async function secondsOf(pid: number): Promise<number> {
  const all = new Map<string, { parent: string; seconds: number }>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await statOf(name)
    if (stat) all.set(name, stat)
  }
  const inside = (id: string): boolean =>
    id === String(pid) || (all.has(id) && all.get(id)!.parent !== '0' && inside(all.get(id)!.parent))
  return [...all].reduce((sum, [id, { seconds }]) => (inside(id) ? sum + seconds : sum), 0)
}

/** The process id of the database of a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Resident memory of a process in MB. */
export async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** Seconds of processor time by part: this process (network, receiver, callers) and whatever is named. */
export async function sharesOf(parts: Readonly<Record<string, readonly number[]>>): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage()
  const shares: Record<string, number> = { 'this benchmark': (user + system) / 1e6 }
  for (const [name, pids] of Object.entries(parts)) {
    shares[name] = 0
    for (const pid of pids) shares[name] += await secondsOf(pid)
  }
  return shares
}

/** What each part spent between two readings. */
export const spentBetween = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]))

/** Microseconds of each part for one of `count` things, as a line of text. */
export const eachOf = (spent: Record<string, number>, count: number): string =>
  Object.entries(spent)
    .map(([name, seconds]) => `${name} ${count === 0 ? '-' : Math.round((seconds / count) * 1e6)} us`)
    .join(', ')
