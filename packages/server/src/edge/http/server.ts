/**
 * The HTTP server. Fastify holds sockets, time-outs and graceful shutdown; each surface comes through one route and our own
 * matcher, in a hook that runs before Fastify reads bodies (it would answer 415 and 413 by itself, G130).
 */
import { METHODS } from 'node:http'
import { basePath, sessionBasePath } from '@les/contract'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { resultsPath, type ReceivePost } from '../../modules/results/index.ts'
import type { StatementRunner } from '../../platform/db/world.ts'
import type { EdgeMetrics } from '../calls.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import { openPlaces } from '../../platform/places.ts'
import { makeDispatch, type DispatchParts } from '../dispatch.ts'
import { isMetadata, makeDashboard, mountPages, type DashboardParts } from '../dashboard/index.ts'
import { exportPath, type ExportFile } from '../../modules/delivery/index.ts'
import { makeMcp, mcpPath, type McpParts } from '../mcp/index.ts'
import { makeOperator, operatorPath, type OperatorParts } from '../operator/index.ts'
import { failureReply } from '../reply.ts'
import { makeApi } from './api.ts'
import { makeEnvelope, watched, type Envelope, type Serve } from './envelope.ts'
import { mountFiles } from './files.ts'
import { live, makeReady } from './health.ts'
import { makeOutreachHook } from './outreach-hook.ts'
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
import { answerUnreadable, guardServer, type HeadersFor, type Unreadable } from './socket.ts'
import { serveExports } from './stream.ts'
import { isUnder } from './target.ts'

export type HttpParts = Omit<DispatchParts, 'concurrencyLimiters'> & {
  readonly healthPool: StatementRunner
  readonly metrics: EdgeMetrics
  readonly tracing?: Tracing
  /** The outside world is the sandbox: every reply says so. */
  readonly sandbox: boolean
  readonly roles: readonly string[]
  /** False for a worker process: it serves only health and the operator surface. */
  readonly serveApi: boolean
  readonly operator: OperatorParts
  /** A separate port for the operator surface, which the main port then does not serve. */
  readonly operatorPort?: number | null
  readonly publicUrl?: string | null
  readonly securityContact?: string | null
  /** Left out, nobody can sign in. */
  readonly dashboard?: DashboardParts & {
    readonly tools: McpParts['signIn']
    readonly pagesFolder: string
    readonly downloadsFolder: string
  }
  readonly receiveOutreachPost?: ReceivePost
  readonly exports?: (path: string) => Promise<ExportFile | null>
  readonly connections?: ConnectionBounds
}

/** An open server; it listens after `listen`. */
export type HttpServer = {
  address(): string
  /** The URL of the operator surface: the same, unless it has its own port. */
  operatorAddress(): string
  listen(port: number, host: string): Promise<void>
  /** Stops accepting, finishes running requests, cuts silent callers off within 10 s; may be called again. */
  close(): Promise<void>
  readonly app: FastifyInstance
}

/** The path that Fastify routes by: one for each surface; our own matcher does the rest. */
function routedAs(url: string): string {
  for (const prefix of [basePath, operatorPath, mcpPath, sessionBasePath, resultsPath])
    if (isUnder(url, prefix)) return prefix
  return isMetadata(url) ? sessionBasePath : url
}

function addressOf({ server }: FastifyInstance): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server does not listen')
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
}

const unreachable = () => {
  throw new Error('answered before')
}

/** Every method that Node parses, so that a method without a route gets an answer and not a closed connection. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

function makeSurfaces(parts: HttpParts & DispatchParts, draining: () => boolean) {
  const dispatch = makeDispatch(parts)
  return {
    api: makeApi(parts, dispatch),
    operator: makeOperator(parts.operator),
    mcp: makeMcp({ ...parts, dispatch, signIn: parts.dashboard?.tools ?? null }),
    dashboard: parts.dashboard && makeDashboard({ ...parts, ...parts.dashboard }, dispatch),
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

const watchOf = ({ tracing = noTracing, log, system }: HttpParts) => ({ tracing, log, system })

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const everything = (app: FastifyInstance, url: string, onRequest: Answer) =>
  app.route({ method: methods, url, onRequest, handler: unreachable })

function mountAll(app: FastifyInstance, parts: HttpParts, surfaces: Surfaces, envelope: Envelope): void {
  const { dashboard, publicUrl = null, securityContact = null } = parts
  const { send, sendStreaming } = envelope
  const get = (url: string, serve: Serve) =>
    app.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => send(request, reply, serve) })
  get('/livez', live)
  get('/readyz', surfaces.ready)
  if (!parts.serveApi) return
  const watch = watchOf(parts)
  const api = watched(watch, 'api', surfaces.api)
  const mcp = watched(watch, 'mcp', surfaces.mcp.serve)
  everything(app, basePath, (request, reply) => send(request, reply, api))
  everything(app, mcpPath, (request, reply) => sendStreaming(request, reply, mcp))
  if (parts.receiveOutreachPost) {
    const hook = watched(watch, 'hook', makeOutreachHook(parts.receiveOutreachPost))
    everything(app, resultsPath, (request, reply) => send(request, reply, hook))
  }
  if (surfaces.dashboard) {
    const pages = watched(watch, 'dashboard', surfaces.dashboard.serve)
    everything(app, sessionBasePath, (request, reply) => sendStreaming(request, reply, pages))
  }
  if (parts.exports) {
    const files = watched(watch, 'api', serveExports(parts.exports))
    app.route({
      method: ['GET', 'HEAD'],
      url: `${exportPath}/*`,
      handler: (request, reply) => sendStreaming(request, reply, files),
    })
  }
  const origin = () => dashboard?.publicOrigin() ?? addressOf(app)
  const downloadsFolder = dashboard?.downloadsFolder ?? ''
  mountFiles(app, { nowMs: parts.system.nowMs, publicUrl, origin, securityContact, downloadsFolder }, envelope)
  if (dashboard)
    mountPages(app, { folder: dashboard.pagesFolder, isHttps: () => dashboard.publicOrigin().startsWith('https:') })
}

/** Makes an app that does not listen yet; what `mount` adds comes before the 404 hook. */
function openApp(
  envelope: Envelope,
  { log }: Pick<HttpParts, 'log'>,
  connections: ConnectionBounds,
  mount: (app: FastifyInstance) => void,
): FastifyInstance {
  const { newRequestId, commonHeaders, nowhere, send } = envelope
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
    frameworkErrors: (_error, request, reply) => void send(request, reply, nowhere),
    clientErrorHandler: (error, socket) => {
      // Fastify types `rawPacket` as its JSON form; it is a Buffer.
      answerUnreadable(error as unknown as Unreadable, socket, headersFor)
    },
  })
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  mount(app)
  app.addHook('onRequest', async (request, reply) => (request.is404 ? await send(request, reply, nowhere) : undefined))
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, ({ requestId }) => failureReply(error, requestId, log)),
  )
  guardServer(app.server, headersFor, connections)
  return app
}

export function openHttp(given: HttpParts): HttpServer {
  const placesOfTeams = () => openPlaces({ ...teamConcurrency, system: given.system })
  const parts = { ...given, concurrencyLimiters: { reads: placesOfTeams(), writes: placesOfTeams() } }
  let draining = false
  const surfaces = makeSurfaces(parts, () => draining)
  const envelope = makeEnvelope({ ...parts, draining: () => draining })
  const operate = watched(watchOf(parts), 'operator', surfaces.operator)
  const mountOperator = (to: FastifyInstance) =>
    everything(to, operatorPath, (request, reply) => envelope.sendStreaming(request, reply, operate))
  const { operatorPort = null } = parts
  const app = openApp(envelope, parts, parts.connections ?? connectionBounds, (to) => {
    mountAll(to, parts, surfaces, envelope)
    if (operatorPort === null) mountOperator(to)
  })
  // A listener of its own: what the public address forwards can never reach it.
  const operatorApp = operatorPort === null ? app : openApp(envelope, parts, operatorConnectionBounds, mountOperator)
  const apps = [...new Set([app, operatorApp])]

  const closeAll = async (): Promise<void> => {
    draining = true
    surfaces.dashboard?.close()
    const done = new AbortController()
    const ended = Promise.all([...apps.map((each) => each.close()), surfaces.mcp.close()]).finally(() => done.abort())
    const within = (ms: number) => Promise.race([ended, parts.system.expire(ms, done.signal).catch(() => {})])
    await within(closeMs)
    for (const { server } of apps) server.closeAllConnections()
    // A handler may still wait for a vendor: nobody is left to answer, and its lease expires.
    await within(lastMs)
  }
  let closed: Promise<void> | undefined
  return {
    app,
    address: () => addressOf(app),
    operatorAddress: () => addressOf(operatorApp),
    listen: async (port, host) => {
      await app.listen({ port, host })
      if (operatorPort !== null) await operatorApp.listen({ port: operatorPort, host })
    },
    close: () => (closed ??= closeAll()),
  }
}
