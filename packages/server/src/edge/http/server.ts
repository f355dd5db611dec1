/**
 * The HTTP server: Fastify holds the sockets, the time-outs and the graceful end; `/api/v1` and `/operator` each come through
 * one route and our own matcher, in a hook that runs before Fastify looks at bodies (it would answer 415 and 413 by itself, G130).
 */
import { METHODS } from 'node:http'
import { basePath, sessionBasePath } from '@les/contract'
import fastify, { type FastifyInstance } from 'fastify'
import type { SystemClock } from '../../platform/clock.ts'
import type { Probed } from '../../platform/db/world.ts'
import type { EdgeMetrics } from '../metrics.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import { openConcurrencyLimiter } from '../../platform/concurrency-limiter.ts'
import { makeDispatch, type Dispatch, type DispatchParts } from '../dispatch.ts'
import { isMetadata, makeDashboard, mountPages, type DashboardParts } from '../dashboard/index.ts'
import { makeMcp, mcpPath, type McpParts } from '../mcp/index.ts'
import { makeOperator, operatorPath, type OperatorParts } from '../operator/index.ts'
import { failureReply, type Reply } from '../reply.ts'
import { makeApi } from './api.ts'
import { makeEnvelope, type Envelope, type Serve } from './envelope.ts'
import { mountFiles } from './files.ts'
import { live, makeReady } from './health.ts'
import { openOperatorListener } from './operator-listener.ts'
import { represent } from './represent.ts'
import {
  closeMs,
  connectionBounds,
  headBounds,
  lastMs,
  operatorConnectionBounds,
  requestTimeoutMs,
  teamConcurrency,
  type ConnectionBounds,
} from './server-bounds.ts'
import { asRequest, type Surface } from './observed.ts'
import { answerUnreadable, guardServer, type HeadersFor, type Unreadable } from './socket.ts'
import { serveStreaming } from './streaming.ts'
import { isUnder } from './target.ts'

/** What the server is made of. */
export type HttpParts = Omit<DispatchParts, 'concurrencyLimiters'> & {
  /** Connections that only the question of readiness uses. */
  readonly healthPool: Probed
  readonly metrics: EdgeMetrics
  /** Off when left out. */
  readonly tracing?: Tracing
  /** The outside world is the sandbox: every reply says so. */
  readonly sandbox: boolean
  readonly roles: readonly string[]
  /** False for a process that only works: it serves health and the operator surface alone. */
  readonly serveApi: boolean
  readonly operator: OperatorParts
  /** A port of its own for the operator surface, which the other then does not serve; left out or null: none. */
  readonly operatorPort?: number | null
  /** Where the service is reached from outside; left out: the description names no address. */
  readonly publicUrl?: string | null
  /** Where holes are told, as a URI. */
  readonly securityContact?: string | null
  /** Left out: nobody signs in here. */
  readonly dashboard?: DashboardParts & {
    readonly tools: McpParts['signIn'] /** Where the built pages lie. */
    readonly pagesFolder: string
    /** Where the archives lie that callers install. */
    readonly downloadsFolder: string
  }
  readonly toolServer?: McpParts['toolServer']
  /** Left out: what a service holds. */
  readonly connections?: ConnectionBounds
}

/** A server, opened but not listening. */
export type HttpServer = {
  /** Where it listens, as a URL. */
  address(): string
  /** Where the operator surface is, as a URL: the same, unless it has a port of its own. */
  operatorAddress(): string
  listen(port: number, host: string): Promise<void>
  /** Stops accepting, finishes what is under way, ends within 10 s whoever is silent; may be called again. */
  close(): Promise<void>
  /** Fastify, for surfaces plugged in beside these before `listen` (dashboard, agent tools). */
  readonly app: FastifyInstance
  readonly dispatch: Dispatch
}

/** The address a surface is routed by: each comes through one route, and our own matcher goes on from there. */
function routedAs(url: string): string {
  for (const prefix of [basePath, operatorPath, mcpPath, sessionBasePath]) if (isUnder(url, prefix)) return prefix
  return isMetadata(url) ? sessionBasePath : url
}

/** Where a server listens, as a URL. */
function addressOf({ server }: FastifyInstance): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server does not listen')
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
}

const unreachable = () => {
  throw new Error('answered before')
}

/** Every method a server of the machine reads, so that those no route takes are answered and not cut off. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/** What of the server answers requests. */
function makeSurfaces(parts: HttpParts & DispatchParts, draining: () => boolean) {
  const dispatch = makeDispatch(parts)
  return {
    dispatch,
    api: makeApi(parts, dispatch, parts.metrics),
    operator: makeOperator(parts.operator),
    mcp: makeMcp({ ...parts, dispatch, signIn: parts.dashboard?.tools ?? null }),
    dashboard: parts.dashboard && makeDashboard({ ...parts, ...parts.dashboard }, dispatch, parts.metrics),
    ready: makeReady({
      pool: parts.healthPool,
      system: parts.system,
      sandbox: parts.sandbox,
      roles: parts.roles,
      draining,
    }),
  }
}

type Surfaces = ReturnType<typeof makeSurfaces>

/** Adds the routes of the surfaces; answers with the operator's own listener, where it has one. */
function mountSurfaces({
  app,
  parts,
  surfaces,
  envelope,
}: {
  readonly app: FastifyInstance
  readonly parts: HttpParts
  readonly surfaces: Surfaces
  readonly envelope: Envelope
}) {
  const { api, operator, mcp, dashboard } = surfaces
  const watch = { tracing: parts.tracing ?? noTracing, log: parts.log, system: parts.system }
  const everything = (url: string, onRequest: ReturnType<typeof serveStreaming>) =>
    app.route({ method: methods, url, onRequest, handler: unreachable })
  const watched =
    (surface: Surface, serve: Serve): Serve =>
    (raw, target, requestId) =>
      asRequest(watch, {
        about: { surface, raw, requestId },
        serve: () => serve(raw, target, requestId),
        statusOf: (answer) => answer.status,
      })
  if (parts.serveApi) {
    everything(basePath, (request, reply) => envelope.send(request, reply, watched('api', api)))
    const asJson = ({ status, headers, body }: Reply) => ({ status, headers, payload: JSON.stringify(body) })
    everything(mcpPath, serveStreaming(envelope, watch, { surface: 'mcp', serve: mcp.serve, write: asJson }))
    if (dashboard)
      everything(
        sessionBasePath,
        serveStreaming(envelope, watch, { surface: 'dashboard', serve: dashboard.serve, write: represent }),
      )
  }
  const serveOperator = watched('operator', operator)
  if (parts.operatorPort != null)
    return openOperatorListener(
      { ...envelope, isOperator: (url) => isUnder(url, operatorPath), serve: serveOperator },
      { ...headBounds, requestTimeout: requestTimeoutMs, connections: operatorConnectionBounds },
    )
  everything(operatorPath, (request, reply) => envelope.send(request, reply, serveOperator))
  return undefined
}

/** Adds what belongs to no surface: files and pages, the questions of an orchestrator, and what no route serves. */
function mountTheRest(app: FastifyInstance, parts: HttpParts, { ready }: Surfaces, envelope: Envelope): void {
  const { dashboard, publicUrl = null, securityContact = null } = parts
  const { send, nowhere } = envelope
  const origin = () => dashboard?.publicOrigin() ?? addressOf(app)
  if (parts.serveApi) {
    const downloadsFolder = dashboard?.downloadsFolder ?? ''
    mountFiles(app, { nowMs: parts.system.nowMs, publicUrl, origin, securityContact, downloadsFolder }, envelope)
  }
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (request, reply) => send(request, reply, live) })
  app.route({ method: ['GET', 'HEAD'], url: '/readyz', handler: (request, reply) => send(request, reply, ready) })
  if (parts.serveApi && dashboard)
    mountPages(app, { folder: dashboard.pagesFolder, isHttps: () => dashboard.publicOrigin().startsWith('https:') })
  app.addHook('onRequest', async (request, reply) => (request.is404 ? await send(request, reply, nowhere) : undefined))
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, (_raw, _url, requestId) => failureReply(error, requestId, parts.log)),
  )
}

/** What is open to callers. */
interface Open {
  readonly app: FastifyInstance
  readonly surfaces: Surfaces
  readonly operatorListener: ReturnType<typeof mountSurfaces>
  readonly system: SystemClock
}

/** Lets what is under way end, for so long; then whoever is silent is cut off. */
async function closeAll({ app, surfaces, operatorListener, system }: Open): Promise<void> {
  surfaces.dashboard?.close()
  const done = new AbortController()
  const ended = Promise.all([app.close(), surfaces.mcp.close(), operatorListener?.close()]).finally(() => done.abort())
  const within = (ms: number) => Promise.race([ended, system.expire(ms, done.signal).catch(() => {})])
  await within(closeMs)
  app.server.closeAllConnections()
  operatorListener?.cut()
  // A handler may still wait for a vendor: nobody is left to answer, and what it holds is given back by its lease.
  await within(lastMs)
}

/** Does something at the first call; every call waits for it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** Makes the server. */
export function openHttp(given: HttpParts): HttpServer {
  const concurrencyLimiter = () => openConcurrencyLimiter({ ...teamConcurrency, system: given.system })
  const parts = { ...given, concurrencyLimiters: { reads: concurrencyLimiter(), writes: concurrencyLimiter() } }
  let draining = false
  const surfaces = makeSurfaces(parts, () => draining)
  const envelope = makeEnvelope({ ...parts, draining: () => draining })
  const { newRequestId, commonHeaders } = envelope
  const headersFor: HeadersFor = (asked) => {
    const requestId = newRequestId()
    return { requestId, headers: commonHeaders(requestId, asked) }
  }
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    http: headBounds,
    rewriteUrl: (raw) => routedAs(raw.url ?? '/'),
    frameworkErrors: (_error, request, reply) => void envelope.send(request, reply, envelope.nowhere),
    clientErrorHandler: (error, socket) => {
      // Fastify's type of the packet is that of its JSON.
      answerUnreadable(error as unknown as Unreadable, socket, headersFor)
    },
  })
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const operatorListener = mountSurfaces({ app, parts, surfaces, envelope })
  mountTheRest(app, parts, surfaces, envelope)
  guardServer(app.server, headersFor, parts.connections ?? connectionBounds)

  const close = once(() => {
    draining = true
    return closeAll({ app, surfaces, operatorListener, system: parts.system })
  })
  return {
    app,
    dispatch: surfaces.dispatch,
    address: () => addressOf(app),
    operatorAddress: () => operatorListener?.address() ?? addressOf(app),
    listen: async (port, host) => {
      await app.listen({ port, host })
      await operatorListener?.listen(parts.operatorPort!, host)
    },
    close,
  }
}
