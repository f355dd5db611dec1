/** Real processes of the service on one database and one synthetic network, which stay while processes die and restart. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@les/sandbox'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { urlOf } from '../world/database-url.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { openInbox, type Inbox } from '../world/inbox.ts'
import { builtProgram } from './program.ts'

const token = 'operator-token-of-the-process-tests'
const startedAt = '2026-11-21T09:00:00.000Z'
const waitLimitMs = 60_000

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any }

/** A running process; `ended` resolves to the signal or exit code that ended it. */
export type Process = {
  readonly child: ChildProcess
  readonly url: string
  readonly log: () => Record<string, unknown>[]
  readonly ended: Promise<NodeJS.Signals | number | null>
}

export type Team = { readonly id: string; readonly key: string }

/** What stays while processes come and go. */
export type Stage = {
  readonly database: TestDatabase
  readonly sandbox: Sandbox
  readonly inbox: Inbox
  /** Starts a process and waits until it serves or works. */
  start(settings?: Record<string, string>): Promise<Process>
  /** Expires all leases: they last 60 to 120 s of system time, too long to wait for. */
  expireLeases(): Promise<void>
  ageLeases(byMs: number): Promise<void>
  /** Moves the network's time along with service time; the network shows nothing from its own future. */
  moveNetwork(to: string): void
  armedTimes(point: FaultPoint): Promise<number | undefined>
  handle(prefix: string): string
  close(): Promise<void>
}

/** Polls `look` until it returns something. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  everyMs = 25,
  longestMs = waitLimitMs,
): Promise<T> {
  const end = Date.now() + longestMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`not within ${longestMs} ms: ${what}`)
    await pause(everyMs)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends a request; rejects if no complete answer arrives. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Sends a team's request to a process. */
export const call = (
  url: string,
  team: Team,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => send(`${url}/api/v1${path}`, method, { 'x-api-key': team.key, ...headers }, body)

/** Sends an operator request; any failure fails the test. */
export async function operate(url: string, method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await send(`${url}/operator${path}`, method, { authorization: `Bearer ${token}` }, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Makes a team, by default with practically unlimited rates. */
export async function makeTeam(url: string, settings: Record<string, unknown> = {}): Promise<Team> {
  const { team, apiKey } = await operate(url, 'POST', '/teams', {
    name: 'A team',
    limits: { reads: 100_000, writes: 100_000, untrackedPosts: 10 },
    ...settings,
  })
  return { id: team.id, key: apiKey }
}

/** Arms a fault point for one crash. */
export const armCrash = (url: string, point: FaultPoint): Promise<unknown> =>
  operate(url, 'PUT', `/faults/${encodeURIComponent(point)}`, { times: 1, action: 'crash' })

/** Ages the leases of every table that has some, because a drain waits for any of them. */
async function ageLeases(pool: TestDatabase['pool'], byMs: number): Promise<void> {
  // On the tables themselves: the views over shards write whole rows and would undo what a worker has just counted.
  const { rows } = await pool.query<{ table: string; until: string }>(
    `select format('%I.%I', table_schema, table_name) as table, column_name as until
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and (column_name in ('lease_until_ms', 'leased_until_ms', 'look_ms')
       or table_name in ('idempotency_flight', 'company_lookup') and column_name = 'until_ms')`,
  )
  for (const { table, until } of rows)
    await pool.query(`update ${table} set ${until} = greatest(0, ${until} - $1) where ${until} is not null`, [byMs])
}

/** Expires all leases. */
export const expireLeases = (pool: TestDatabase['pool']): Promise<void> => ageLeases(pool, Number.MAX_SAFE_INTEGER)

export async function openStage(): Promise<Stage> {
  const [built, database, inbox, area] = [
    await builtProgram(),
    await freshDatabase({ seesAll: true }),
    await openInbox(),
    await mkdtemp(join(tmpdir(), 'les-process-')),
  ]
  // Service time stands still unless moved, and the network shares it.
  let networkTime = startedAt
  const sandbox = await startSandbox({ now: () => new Date(networkTime) })
  const ai = Object.fromEntries(
    Object.entries(sandbox.addresses.ai).map(([vendor, address]) => [`LES_${vendor.toUpperCase()}_URL`, address]),
  )
  const running = new Set<Process>()
  const masterKey = randomBytes(32).toString('base64')
  let handles = 0
  const start: Stage['start'] = async (settings = {}) => {
    const { PATH = '', HOME = '', TMPDIR } = process.env
    const child = spawn(process.execPath, [built.path], {
      cwd: area,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        HOME,
        ...(TMPDIR === undefined ? {} : { TMPDIR }),
        ...built.settings,
        PORT: '0',
        DATABASE_URL: urlOf(database.connection),
        LES_DATA_DIR: join(area, 'data'),
        LES_MASTER_KEY: masterKey,
        LES_OPERATOR_TOKEN: token,
        LES_HARVESTAPI_URL: sandbox.addresses.harvestapi,
        LES_HARVESTAPI_KEY: 'x',
        LES_OUTREACH_URL: sandbox.addresses.heyreach,
        ...ai,
        LES_FAULTS: '1',
        LES_CLOCK: 'manual',
        LES_CLOCK_START: startedAt,
        LES_ALLOW_PRIVATE_DESTINATIONS: '1',
        ...settings,
      },
    })
    const text = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
    const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number | null)
    const log = () =>
      text.err
        .split('\n')
        .flatMap((line) =>
          line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Record<string, unknown>] : [],
        )
    const started = await until(
      'a process that has started',
      () => {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended with ${child.signalCode ?? child.exitCode}: ${text.err}`)
        return log().find((line) => line.msg === 'started')
      },
      10,
    )
    const made: Process = { child, url: (started.address as string | undefined) ?? '', log, ended }
    running.add(made)
    void ended.then(() => running.delete(made))
    return made
  }
  return {
    database,
    sandbox,
    inbox,
    start,
    expireLeases: () => expireLeases(database.pool),
    ageLeases: (byMs) => ageLeases(database.pool, byMs),
    moveNetwork: (to) => {
      networkTime = to
    },
    armedTimes: async (point) =>
      (await database.pool.query<{ times: number }>('select times from armed_fault where name = $1', [point])).rows[0]
        ?.times,
    handle: (prefix) => `${prefix}-process-${++handles}`,
    close: async () => {
      sandbox.world.release()
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      await sandbox.close()
      await inbox.close()
      await database.drop()
      await rm(area, { recursive: true, force: true })
    },
  }
}
