/**
 * The whole service in this process, with the sandbox network, a real PostgreSQL and a clock that tests move. One per test file;
 * every test makes its own teams. Nothing sleeps: `advance` moves time, `drain` does all due work.
 */
import { randomBytes } from 'node:crypto'
import type { World as SandboxWorld } from '@les/sandbox'
import { createClient, type Client } from '@les/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { compose, type Overrides, type Service } from '../../src/composition/compose.ts'
import { drained } from '../../src/composition/tasks.ts'
import type { Config } from '../../src/config/config.ts'
import type { PoolTimeouts } from '../../src/platform/db/open.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { neverHeld } from '../providers/never-held.ts'
import { openLog, type Log } from '../../src/platform/log.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import type { Mail } from '../../src/sign-in/index.ts'
import type { Undeclared } from '../../src/edge/calls.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { handlesOf, nextNumber } from './handles.ts'
import { fastClock } from './fast-clock.ts'
import { openInbox, type Inbox } from './inbox.ts'
import { findWrongTotals, type ReadLists } from './lists.ts'
import { long, statementNames, validated } from './amount.ts'
import { openValidator, type Judge } from './described.ts'
import { findDrift } from './oracle.ts'
import { suspendTeams, resumeTeams } from './suspend-teams.ts'
import { testShards } from './shards.ts'

/** An HTTP answer. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any; readonly text: string }

/** Optional parts of a request. */
export type Sending = {
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly raw?: string | Uint8Array
}

/** A team as a scenario uses it. */
export type Team = {
  readonly id: string
  readonly apiKey: string
  readonly signingSecret: string
  readonly client: Client
  /** A request below `/api/v1` with this team's key. */
  call(method: string, path: string, body?: unknown, sending?: Sending): Promise<Answer>
  get(path: string, sending?: Sending): Promise<Answer>
  post(path: string, body?: unknown, sending?: Sending): Promise<Answer>
  put(path: string, body?: unknown, sending?: Sending): Promise<Answer>
  del(path: string, sending?: Sending): Promise<Answer>
  balance(): Promise<number>
  /** Changes the team through the operator API. */
  change(change: Record<string, unknown>): Promise<Answer>
}

/** The world of a test file. */
export type World = {
  readonly service: Service
  readonly database: TestDatabase
  readonly network: SandboxWorld
  readonly url: string
  /** Makes a team; with `beside`, in the same shard as that team, where teams take turns and share companies. */
  team(settings?: Record<string, unknown>, how?: { readonly beside?: Team }): Promise<Team>
  readonly teams: readonly Team[]
  /** Runs `work` in a team's shard, for tests that call parts of the service directly. */
  inShardOf<T>(team: Pick<Team, 'id'>, work: () => Promise<T>): Promise<T>
  /** Runs a background unit of work in a team's shard. */
  unit<T>(team: Pick<Team, 'id'>, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The schema with a team's tables, for what views do not allow: locks, triggers, constraints. */
  shardOf(team: Pick<Team, 'id'>): Promise<string>
  operator(method: string, path: string, body?: unknown): Promise<Answer>
  now(): Promise<Date>
  /** Moves service time, for example by `24h`, `90s` or `5d`, and does the work that is due then. */
  advance(by: string): Promise<void>
  move(by: string): Promise<void>
  drain(): Promise<{ processed: number; byKind: Record<string, number>; busy?: boolean }>
  /**
   * Starts a drain in the background, to act while a vendor's answer is held; the next `drain` or `advance` waits for it. A drain
   * does one unit after another: start two for two concurrent units.
   */
  beginDrain(): void
  /** Runs the clock's periodic tasks once, for tests that move time during a drain. */
  tick(): Promise<void>
  /** Runs one periodic task in every shard; returns how much it did. */
  runTask(name: string): Promise<number>
  settle(): Promise<void>
  /** Mails the service has sent; `service.signIn.settled()` waits for those still being sent. */
  readonly mails: Mail[]
  /** Refusals an operation gave without declaring them; one fails the test. */
  readonly undeclared: Undeclared[]
  /** Calls that do not match the API description (checked in the long run); one fails the test. */
  readonly violations: string[]
  inbox(): Promise<Inbox>
  arm(point: FaultPoint, times?: number): Promise<void>
  /** A unique handle of a person with a unique name. */
  handle(prefix?: string): string
  close(): Promise<void>
}

/** Options of a world. */
export type WorldOptions = {
  readonly config?: Partial<Config>
  readonly overrides?: Overrides
  /** True: the circuit breaker holds vendor accounts, as in production; else a failure affects only its own request. */
  readonly breaker?: boolean
  readonly log?: Log
}

/**
 * For worlds worked by `drain` and `advance` alone. Workers would compete with the drain, a third of the database load of such a
 * file, so only the long run has them.
 */
export const drainOnlyUnlessLongRun: Partial<Config> = long ? {} : { roles: ['http'] }

/** For worlds without workers in any run: the tests examine what a drain leaves over or its order, or claim work themselves. */
export const drainOnly: Partial<Config> = { roles: ['http'] }

const units: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Seconds of a duration such as `24h`. */
export function seconds(duration: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m|h|d)$/.exec(duration)
  if (!match) throw new Error(`not a duration: ${duration}`)
  return Number(match[1]) * units[match[2]!]!
}

const baseConfig: Config = {
  port: 0,
  host: '127.0.0.1',
  roles: ['http', 'worker', 'clock'],
  databaseUrl: null,
  shards: testShards,
  dataDir: '/nonexistent',
  masterKey: randomBytes(32),
  operatorToken: 'operator-token-of-the-tests',
  securityContact: null,
  vendors: { kind: 'sandbox' },
  allowPrivateDestinations: true,
  signUp: 'open',
  agentEnabled: true,
  keywordCutoverAt: new Date('2026-11-01T00:00:00.000Z'),
  clock: { mode: 'manual', start: new Date('2026-11-21T09:00:00.000Z') },
  faults: true,
  seedDemo: false,
  metricsPort: null,
  operatorPort: null,
  logLevel: process.env.LES_TEST_LOG ?? 'silent',
  publicUrl: null,
  trustedProxies: [],
  mail: null,
}

// A slow test machine must not look like database trouble; tests of the real timeouts pass their own.
const patientTimeouts: PoolTimeouts = { statementMs: 60_000, lockMs: 45_000, connectMs: 45_000 }

/** Sends a request; a JSON body is parsed. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
  through: typeof fetch = fetch,
): Promise<Answer> {
  const response = await through(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: body as string }),
  })
  const text = await response.text()
  let parsed: unknown = text
  try {
    parsed = JSON.parse(text)
  } catch {
    // Not JSON: the scenario gets the text.
  }
  return { status: response.status, headers: response.headers, body: parsed, text }
}

function teamOf(
  url: string,
  made: { team: { id: string }; apiKey: string; signingSecret: string },
  operator: World['operator'],
  through: typeof fetch,
): Team {
  const call: Team['call'] = (method, path, body, sending = {}) => {
    const key = sending.key === undefined ? made.apiKey : sending.key
    const headers = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sending.headers,
    }
    return send(
      `${url}/api/v1${path}`,
      method,
      headers,
      sending.raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      through,
    )
  }
  return {
    id: made.team.id,
    apiKey: made.apiKey,
    signingSecret: made.signingSecret,
    client: createClient({ baseUrl: url, apiKey: made.apiKey, retry: false, fetch: through }),
    call,
    get: (path, sending) => call('GET', path, undefined, sending),
    post: (path, body, sending) => call('POST', path, body, sending),
    put: (path, body, sending) => call('PUT', path, body, sending),
    del: (path, sending) => call('DELETE', path, undefined, sending),
    balance: async () => (await call('GET', '/credits')).body.balance,
    change: (change) => operator('PATCH', `/operator/teams/${made.team.id}`, change),
  }
}

/** Makes a world; `close` ends it. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const config: Config = { ...baseConfig, ...options.config }
  const database = await freshDatabase({ shards: config.shards ?? 1, seesAll: true })
  const mails: Mail[] = []
  const undeclared: Undeclared[] = []
  const sendMail = async (mail: Mail): Promise<void> => void mails.push(mail)
  const told = { onUndeclared: (found: Undeclared) => void undeclared.push(found) }
  const service = await compose(config, options.log ?? openLog(config.logLevel), {
    connection: database.connection,
    poolSize: 12,
    requestTimeouts: patientTimeouts,
    signInLimits: null,
    statementNames,
    system: fastClock,
    sendMail,
    alone: true,
    ...(options.breaker ? {} : { breaker: neverHeld }),
    ...told,
    ...options.overrides,
  })
  await service.start()
  const url = service.http.address()
  const judge: Judge | undefined = validated ? await openValidator() : undefined
  const inboxes: Inbox[] = []
  const teams: Team[] = []
  const operator: World['operator'] = (method, path, body) =>
    send(
      `${url}${path}`,
      method,
      { authorization: `Bearer ${service.operatorToken}`, 'content-type': 'application/json' },
      body === undefined ? undefined : JSON.stringify(body),
    )
  const succeed = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await operator(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const newTeam = async (settings: Record<string, unknown>): Promise<Team> => {
    // Scenarios make many calls within one minute of a stopped clock.
    const limits = { reads: 100_000, writes: 100_000, untrackedPosts: 10 }
    const team = teamOf(
      url,
      (await succeed('POST', '/operator/teams', { name: `Team ${nextNumber()}`, limits, ...settings })).body,
      operator,
      judge?.fetch ?? fetch,
    )
    teams.push(team)
    return team
  }
  const shardOf: World['shardOf'] = async ({ id }) => {
    const { rows } = await database.pool.query('select shard from team where id = $1', [id])
    return rows[0].shard
  }
  const move = async (by: string): Promise<void> => {
    await succeed('POST', '/operator/clock', { advanceSeconds: seconds(by) })
  }
  const drainOnce = async () => (await succeed('POST', '/operator/drain')).body
  const begun: ReturnType<typeof drainOnce>[] = []
  const drain = async () => {
    await Promise.all(begun.splice(0))
    return drainOnce()
  }
  return {
    service,
    database,
    get network() {
      if (!service.sandbox) throw new Error('this world has no sandbox')
      return service.sandbox.world
    },
    url,
    operator,
    team: async (settings = {}, { beside } = {}) => {
      for (;;) {
        const team = await newTeam(settings)
        // The service places each new team in the shard with the fewest teams.
        if (beside === undefined || (await shardOf(team)) === (await shardOf(beside))) return team
      }
    },
    teams,
    inShardOf: ({ id }, work) => service.shards.ofTeam(id, work),
    unit: ({ id }, work) => service.shards.ofTeam(id, () => service.unitOfWork(work)),
    shardOf,
    now: async () => new Date((await succeed('GET', '/operator/clock')).body.now),
    move,
    drain,
    beginDrain: () => {
      const drain = drainOnce()
      // Callers that await the drain get its error.
      drain.catch(() => {})
      begun.push(drain)
    },
    tick: async () => {
      for (const task of drained(service.tasks)) await task.run()
    },
    runTask: async (name) => {
      const tasks = service.tasks.filter((task) => task.name === name)
      if (tasks.length === 0) throw new Error(`no task: ${name}`)
      let done = 0
      for (const task of tasks) done += await task.run()
      return done
    },
    settle: async () => void (await Promise.allSettled(begun.splice(0))),
    advance: async (by) => {
      await move(by)
      await drain()
    },
    mails,
    undeclared,
    violations: judge?.violations ?? [],
    inbox: async () => {
      const inbox = await openInbox()
      inboxes.push(inbox)
      return inbox
    },
    arm: async (point, times = 1) => {
      await succeed('PUT', `/operator/faults/${encodeURIComponent(point)}`, { times, action: 'fail' })
    },
    handle: handlesOf(() => service.sandbox?.world),
    close: async () => {
      service.sandbox?.world.clearFaults()
      service.sandbox?.world.release()
      await Promise.allSettled(begun)
      for (const inbox of inboxes) await inbox.close()
      await service.stop()
      await database.drop()
      expect(undeclared, 'refusals that their operations do not declare').toEqual([])
      expect(judge?.violations ?? [], 'calls that are not as the description has them').toEqual([])
    },
  }
}

/** How many of a file's teams, the last ones, have their lists paged to the end when the file is done. */
const teamsRead = 2

/**
 * The world of this test file. After every test it runs the oracle and rests the test's teams (`rest.ts`). At the end, in the
 * long run after every test, it pages the lists of teams with leads.
 */
export function useWorld(options: WorldOptions = {}): World {
  const holder: { world?: World } = {}
  const read: ReadLists = new Map()
  beforeAll(async () => {
    holder.world = await createWorld(options)
  })
  let before = 0
  beforeEach(() => {
    before = holder.world?.teams.length ?? 0
  })
  afterEach(async () => {
    const { world } = holder
    if (!world) return
    if (options.config?.vendors?.kind !== 'real') {
      world.network.clearFaults()
      world.network.release()
      await world.settle()
      await world.database.pool.query('delete from vendor_breaker')
    }
    // `splice` removes them, so that only the test that caused one fails.
    expect(world.undeclared.splice(0), 'refusals that their operations do not declare').toEqual([])
    expect(world.violations.splice(0), 'calls that are not as the description has them').toEqual([])
    expect(await findDrift(world.database.root)).toEqual([])
    if (long) expect(await findWrongTotals(world, world.teams, read)).toEqual([])
    else await suspendTeams(world, world.teams.slice(before))
  })
  afterAll(async () => {
    const { world } = holder
    const last = world?.teams.slice(-teamsRead) ?? []
    if (world && !long) await resumeTeams(world, last)
    const wrong = world && !long ? await findWrongTotals(world, last, read) : []
    await world?.close()
    expect(wrong).toEqual([])
  })
  return new Proxy({} as World, { get: (_target, property) => Reflect.get(holder.world!, property) })
}
