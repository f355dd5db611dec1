/**
 * `npm run soak -- --minutes 120`: the service as processes of its own, on an embedded PostgreSQL and the synthetic network, under mixed
 * load: reads, tracking, settings, captures and deliveries. Prints memory and answers every minute. `--kill` runs two processes of each
 * role and kills one of each every minute; `--pause-ms` is the rest of each of the four callers between two calls. Ctrl-C ends it early,
 * with its figures. Ends with 1 on a 5xx, on memory that grows, or on a lead that was not delivered.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startSandbox } from '../../packages/sandbox/src/index.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded.ts'
import { urlOf } from '../../packages/server/test/world/database-url.ts'
import { grown, middle, shortestMs, type Reading } from './memory.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    kill: { type: 'boolean', default: false },
    teams: { type: 'string', default: '10' },
    'pause-ms': { type: 'string', default: '20' },
  },
})
const minuteMs = 60_000
const lengthMs = Number(values.minutes) * minuteMs
const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
const token = 'operator-token-of-the-soak-run'
const area = await mkdtemp(join(tmpdir(), 'les-soak-'))

const postgres = await startEmbeddedPostgres({
  dataDir: join(area, 'db'),
  log: () => {},
  settings: { max_connections: '300' },
})
const databaseUrl = urlOf(postgres.connection)
const sandbox = await startSandbox({ now: () => new Date() })

/** Leads that the receiver has, by the id of their delivery. */
const received = new Set<string>()
const receiver = createServer((request, response) => {
  received.add(String(request.headers['x-service-delivery'] ?? request.headers['webhook-id']))
  request.resume().on('end', () => response.end('ok'))
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/leads`

type Running = { readonly roles: string; child: ChildProcess; url: string | null; readonly readings: Reading[] }
const settings = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  PORT: '0',
  DATABASE_URL: databaseUrl,
  LES_DATA_DIR: join(area, 'data'),
  LES_MASTER_KEY: randomBytes(32).toString('base64'),
  LES_OPERATOR_TOKEN: token,
  LES_HARVESTAPI_URL: sandbox.addresses.harvestapi,
  LES_HARVESTAPI_KEY: 'x',
  LES_ALLOW_PRIVATE_DESTINATIONS: '1',
  LES_LOG_LEVEL: 'error',
}

/** Starts a process; resolves when it says that it serves or works. */
async function launch(running: Pick<Running, 'roles'> & Partial<Running>): Promise<Running> {
  const child = spawn(process.execPath, [main], {
    cwd: area,
    // A group of its own: Ctrl-C is for this run, which ends its processes itself.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...settings, LES_ROLES: running.roles },
  })
  const made: Running = Object.assign(running, { child, url: null, readings: running.readings ?? [] }) as Running
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`a process with the roles ${running.roles} ended with ${code}: ${text.slice(-500)}`)),
    )
    child.stdout!.on('data', (chunk: Buffer) => {
      if (text.length < 100_000) text += chunk.toString()
      made.url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? null
      if (made.url !== null) resolve()
    })
    // A worker or a clock tells nobody when it is ready.
    if (!running.roles.includes('http')) void pause(5_000).then(resolve)
  })
  child.removeAllListeners('exit')
  return made
}

const groups = values.kill ? ['http', 'worker', 'clock'] : ['http,worker,clock']
const processes: Running[] = []
for (const roles of groups) for (let n = 0; n < (values.kill ? 2 : 1); n++) processes.push(await launch({ roles }))
const urls = () =>
  processes.flatMap(({ url, child }) => (url !== null && child.exitCode === null && !child.killed ? [url] : []))

const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
const wrong: string[] = []
let turn = 0

/** One call; null when the connection broke, as it does when its process is killed. */
async function call(
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown> | null> {
  const open = urls()
  const url = open[turn++ % Math.max(1, open.length)]
  if (url === undefined) return null
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(path.startsWith('/operator') ? { authorization: `Bearer ${token}` } : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    count(`${Math.floor(response.status / 100)}xx`)
    if (response.status >= 500)
      wrong.push(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`)
    return response.status < 300 ? answer : null
  } catch {
    count('broken')
    return null
  }
}

const teams: { key: string; sources: string[] }[] = []
for (let n = 0; n < Number(values.teams); n++) {
  const made = await call('', 'POST', '/operator/teams', {
    name: `Soak ${n}`,
    credits: 1_000_000,
    limits: { reads: 100_000, writes: 100_000, untrackedPosts: 10 },
  })
  teams.push({ key: String(made!.apiKey), sources: [] })
}

let authors = 0
/** What a team does next, by chance. */
async function act(team: (typeof teams)[number]): Promise<void> {
  const chance = Math.random()
  const source = team.sources[Math.floor(Math.random() * team.sources.length)]
  if (chance < 0.03 || source === undefined) {
    const author = `soak-author-${++authors}`
    sandbox.world.seedPost({ author, reactions: 20, comments: 3 })
    if (await call(team.key, 'POST', '/api/v1/enrich/profile', { username: author, saveTrackedProfile: true })) {
      await call(team.key, 'PUT', `/api/v1/profile/${author}/webhook`, { webhookUrl: hook })
      team.sources.push(author)
    }
  } else if (chance < 0.1)
    await call(team.key, 'PUT', `/api/v1/profile/${source}/icp`, {
      rules: [{ column: 'jobTitle', operator: 'contains', value: 'a' }],
    })
  else if (chance < 0.15)
    await call(team.key, 'PATCH', `/api/v1/profile/${source}`, {
      creditCapPerSync: 100 + Math.floor(Math.random() * 100),
    })
  else if (chance < 0.5) await call(team.key, 'GET', '/api/v1/leads?limit=50')
  else if (chance < 0.65) await call(team.key, 'GET', '/api/v1/sources?limit=20')
  else if (chance < 0.8) await call(team.key, 'GET', `/api/v1/profile/${source}/sync`)
  else await call(team.key, 'GET', '/api/v1/credits')
}

let endMs = Date.now() + lengthMs
// Ended by hand it still waits for what is on its way, prints its figures, and leaves no process behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (endMs = Date.now()))
const load = Promise.all(
  Array.from({ length: 4 }, async (_, lane) => {
    for (let n = lane; Date.now() < endMs; n++) {
      await act(teams[n % teams.length]!)
      await pause(Number(values['pause-ms']))
    }
  }),
)

const megabytes = (pid: number | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
const startMs = Date.now()
let kills = 0
for (let minute = 0; Date.now() < endMs; ) {
  await pause(5_000)
  for (const one of processes) one.readings.push({ atMs: Date.now() - startMs, megabytes: megabytes(one.child.pid) })
  if (Date.now() - startMs < (minute + 1) * minuteMs) continue
  minute += 1
  const memory = processes.map(({ roles, readings }) => `${roles} ${Math.round(middle(readings.slice(-12)))} MB`)
  console.log(
    `minute ${minute}: ${memory.join(', ')}; ${[...counts].map(([what, n]) => `${n} ${what}`).join(', ')}; ` +
      `${received.size} deliveries${kills > 0 ? `; ${kills} kills` : ''}`,
  )
  if (!values.kill || Date.now() >= endMs - 30_000) continue
  for (const roles of groups) {
    const mine = processes.filter((one) => one.roles === roles)
    const victim = mine[minute % mine.length]!
    victim.child.kill('SIGKILL')
    kills += 1
    // Begun anew beside its twin; what it held is taken over when its leases run out.
    await launch(Object.assign(victim, { readings: [] }))
  }
}
await load
const ranMs = Date.now() - startMs

/** Deliveries that are still on their way. */
const database = new pg.Client({ connectionString: databaseUrl })
await database.connect()
const waiting = async (): Promise<{ open: number; sent: number }> =>
  (
    await database.query<{ open: number; sent: number }>(
      `select (count(*) filter (where state in ('pending', 'sending')))::int as open,
         (count(*) filter (where state = 'sent'))::int as sent
       from delivery`,
    )
  ).rows[0]!
const patienceMs = Date.now() + 5 * minuteMs
let left = await waiting()
while (left.open > 0 && Date.now() < patienceMs) {
  await pause(2_000)
  left = await waiting()
}
const missing = left.open + Math.max(0, left.sent - received.size)
await database.end()
for (const { child } of processes) child.kill('SIGTERM')
await pause(3_000)
for (const { child } of processes) child.kill('SIGKILL')
receiver.close()
await sandbox.close()
await postgres.stop()
await rm(area, { recursive: true, force: true })

// A process that is killed every minute shows nothing of its memory, nor one that has just begun.
const isJudged = !values.kill && ranMs >= shortestMs
const growing = isJudged ? processes.filter(({ readings }) => grown(readings)).map(({ roles }) => roles) : []
const memory = !isJudged
  ? 'memory not judged'
  : growing.length > 0
    ? `memory grows: ${growing.join(', ')}`
    : 'memory does not grow'
console.log(
  `${Math.round(ranMs / minuteMs)} minutes: ${[...counts].map(([what, n]) => `${n} ${what}`).join(', ')}; ` +
    `${received.size} deliveries received, ${missing} missing; ${kills} kills; ${memory}`,
)
for (const line of wrong.slice(0, 20)) console.error(line)
process.exit(wrong.length > 0 || growing.length > 0 || missing > 0 ? 1 : 0)
