/** A service with only edge and accounts: real HTTP and PostgreSQL, a manual clock, and stub handlers for everything else. */
import { faultPoints } from '../../src/fault-points.ts'
import http from 'node:http'
import { Writable } from 'node:stream'
import type { OperationId } from '@les/contract'
import { afterAll, beforeAll } from 'vitest'
import { openHttp, type HttpParts, type HttpServer } from '../../src/edge/http/server.ts'
import {
  accountHandlers,
  type Handlers,
  type ReadContext,
  type WriteContext,
} from '../../src/modules/accounts/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { oneShard } from '../../src/platform/db/shards.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { makeUnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { openFaults } from '../../src/platform/faults.ts'
import { openLog } from '../../src/platform/log.ts'
import { openServiceMetrics, type ServiceMetrics } from '../../src/composition/metrics.ts'
import { machineIds } from '../../src/platform/random.ts'
import { refuse } from '../../src/platform/refusal.ts'
import { makeVault, type Vault } from '../../src/platform/secrets.ts'
import { manualServiceClock, type ServiceClock } from '../../src/platform/service-clock.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

/** An HTTP answer with its parsed body. */
export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string; body: Record<string, any> }

/** A stub handler; its context allows reads and writes. */
export type Stub = (input: Record<string, unknown>, context: ReadContext & WriteContext<unknown>) => Promise<unknown>

type Send = {
  key?: string | undefined
  headers?: Record<string, string | string[]> | undefined
  body?: unknown
  raw?: string | Buffer | undefined
}

/** The operator's token in tests. */
export const operatorToken = 'operator-token-of-the-tests'

/** A team made through the operator API. */
export type TestTeam = { id: string; key: string; secret: string }

/** The running service. */
export type LocalService = {
  readonly database: TestDatabase
  readonly server: HttpServer
  readonly vault: Vault
  readonly clock: ServiceClock
  readonly metrics: ServiceMetrics
  readonly stubs: Partial<Record<OperationId, Stub>>
  readonly logLines: string[]
  readonly clockMoves: { count: number }
  readonly url: string
  call(method: string, path: string, send?: Send): Promise<Answer>
  api(
    method: string,
    path: string,
    key: string | undefined,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  operate(method: string, path: string, body?: unknown): Promise<Answer>
  team(fields?: Record<string, unknown>): Promise<TestTeam>
  advance(seconds: number): Promise<void>
  stop(): Promise<void>
}

function stubbed(stubs: Partial<Record<OperationId, Stub>>, real: Partial<Handlers>): Handlers {
  const missing: Stub = async () => refuse('not_found')
  return new Proxy(real, {
    get: (target, id) => stubs[id as OperationId] ?? target[id as OperationId] ?? missing,
  }) as Handlers
}

/** Sends one request exactly as given. */
export function request(base: string, method: string, path: string, send: Send = {}): Promise<Answer> {
  const content = send.raw ?? (send.body === undefined ? undefined : JSON.stringify(send.body))
  const headers = {
    ...(send.key === undefined ? {} : { 'x-api-key': send.key }),
    ...(content === undefined || send.headers?.['transfer-encoding']
      ? {}
      : { 'content-length': String(Buffer.byteLength(content)) }),
    ...send.headers,
  }
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const sent = http.request(
      { host: hostname, port, method, path, headers, agent: false, setHost: true },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(content)
  })
}

/** Starts one on its own database. */
export async function startLocalService(
  options: {
    sandbox?: boolean
    faults?: boolean
    start?: string
    system?: HttpParts['system']
    operatorPort?: number
    connections?: HttpParts['connections']
  } = {},
): Promise<LocalService> {
  const database = await freshDatabase()
  const ids = machineIds()
  const vault = makeVault(ids.bytes(32), ids.bytes)
  const clock = await manualServiceClock(database.bare, new Date(options.start ?? '2026-06-01T12:00:00.000Z'))
  const logLines: string[] = []
  const log = openLog(
    'info',
    new Writable({ write: (chunk: Buffer, _encoding, done) => (logLines.push(chunk.toString()), done()) }),
  )
  const unitOfWork = makeUnitOfWork({
    db: database.bare,
    ids,
    serviceNow: clock.now,
    wake: () => {},
    onEffectError: () => {},
  })
  const stubs: Partial<Record<OperationId, Stub>> = {}
  const clockMoves = { count: 0 }
  const metrics = openServiceMetrics()
  // A separate pool: a unit of work that waits for a second connection of its own pool can wait forever.
  const faultPool = openDatabase(database.connection, { poolSize: 2, onError: () => {} })
  const faults = openFaults(faultPool.pool, {
    kill: () => {
      throw new Error('killed')
    },
  })
  const shards = oneShard
  const shared = { db: database.root, shards, unitOfWork, clock, vault, ids, log }
  const server = openHttp({
    ...shared,
    pool: database.pool,
    healthPool: database.pool,
    system: options.system ?? systemClock,
    handlers: stubbed(stubs, accountHandlers({ ids })),
    faultPoint: faults.faultPoint,
    namesErased: async (_db, said) => said.map(() => false),
    countBlocked: async () => 0,
    metrics,
    sandbox: options.sandbox ?? false,
    roles: ['http'],
    serveApi: true,
    operatorPort: options.operatorPort ?? null,
    ...(options.connections ? { connections: options.connections } : {}),
    operator: {
      ...shared,
      token: operatorToken,
      nowMs: () => systemClock.nowMs(),
      privacy: { erase: async () => [], list: async () => [] },
      costs: { vendors: async () => [], lines: async () => [], margins: async () => [] },
      drain: async () => ({ processed: 0, byKind: {} }),
      sendSample: async () => {
        throw new Error('no delivery here')
      },
      invite: async () => {
        throw new Error('no sign-in here')
      },
      endTeam: async () => ({ gone: false }),
      exportTeam: async () => {},
      onClockMoved: () => void clockMoves.count++,
      faults: (options.faults ?? true) ? { points: faultPoints, arm: faults.arm } : undefined,
    },
  })
  await server.listen(0, '127.0.0.1')
  const url = server.address()
  const call: LocalService['call'] = (method, path, send) => request(url, method, path, send)
  const operate: LocalService['operate'] = (method, path, body) =>
    request(server.operatorAddress(), method, `/operator${path}`, {
      body,
      headers: { authorization: `Bearer ${operatorToken}` },
    })
  return {
    database,
    server,
    vault,
    clock,
    metrics,
    stubs,
    logLines,
    clockMoves,
    url,
    call,
    operate,
    api: (method, path, key, body, headers) => call(method, `/api/v1${path}`, { key, body, headers }),
    team: async (fields = {}) => {
      const made = await operate('POST', '/teams', { name: 'A team', ...fields })
      if (made.status !== 201) throw new Error(`no team: ${made.text}`)
      return { id: made.body.team.id, key: made.body.apiKey, secret: made.body.signingSecret }
    },
    advance: async (seconds) => {
      const moved = await operate('POST', '/clock', { advanceSeconds: seconds })
      if (moved.status !== 200) throw new Error(`the clock did not move: ${moved.text}`)
    },
    stop: async () => {
      await server.close()
      await faultPool.close()
      await database.drop()
    },
  }
}

/** One service for a test file. */
export function useLocalService(options: Parameters<typeof startLocalService>[0] = {}): LocalService {
  const opened: { service?: LocalService } = {}
  beforeAll(async () => {
    opened.service = await startLocalService(options)
  })
  afterAll(() => opened.service?.stop())
  return new Proxy({} as LocalService, { get: (_target, name) => Reflect.get(opened.service!, name) })
}
