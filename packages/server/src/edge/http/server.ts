/**
 * The HTTP server: Fastify holds the sockets, the time-outs and the graceful end; `/api/v1` and `/operator` each come through
 * one route and our own matcher, in a hook that runs before Fastify looks at bodies (it would answer 415 and 413 by itself, G130).
 */
import { METHODS, type IncomingMessage } from 'node:http'
import { basePath, sessionBasePath } from '@les/contract'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Probed } from '../../platform/db/world.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { uuidFrom } from '../../platform/random.ts'
import { Refusal } from '../../platform/refusal.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import { openConcurrencyLimiter } from '../../platform/concurrency-limiter.ts'
import { makeDispatch, type Dispatch, type DispatchParts } from '../dispatch.ts'
import { isMetadata, makeDashboard, mountPages, type DashboardParts } from '../dashboard/index.ts'
import { makeMcp, mcpPath, type McpParts } from '../mcp/index.ts'
import { makeOperator, operatorPath, type OperatorParts } from '../operator/index.ts'
import { failureReply, refusalReply, type Reply } from '../reply.ts'
import { makeApi } from './api.ts'
import { discardBody } from './body.ts'
import { documentsOf } from './documents.ts'
import { makeDocs, pageHeaders } from './docs.ts'
import { makeDownloads } from './downloads.ts'
import { live, makeReady } from './health.ts'
import { openOperatorListener } from './operator-listener.ts'
import { represent } from './represent.ts'
import { closeMs, headBounds, lastMs, requestTimeoutMs, teamConcurrency } from './server-bounds.ts'
import { asRequest, type Surface } from './observed.ts'
import { answerUnreadable, guardServer } from './socket.ts'
import { isUnder } from './target.ts'
import { textHeaders, wellKnownFiles } from './well-known.ts'

/** What the server is made of. */
export type HttpParts = Omit<DispatchParts, 'concurrencyLimiters'> & {
  /** Connections that only the question of readiness uses. */
  readonly healthPool: Probed
  readonly metrics: Metrics
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

const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/

/** Makes the server. */
export function openHttp(given: HttpParts): HttpServer {
  const concurrencyLimiter = () => openConcurrencyLimiter({ ...teamConcurrency, system: given.system })
  const parts = { ...given, concurrencyLimiters: { reads: concurrencyLimiter(), writes: concurrencyLimiter() } }
  let draining = false
  const dispatch = makeDispatch(parts)
  const api = makeApi(parts, dispatch, parts.metrics)
  const operator = makeOperator(parts.operator)
  const mcp = makeMcp({ ...parts, dispatch, signIn: parts.dashboard?.tools ?? null })
  const dashboard = parts.dashboard && makeDashboard({ ...parts, ...parts.dashboard }, dispatch, parts.metrics)
  const ready = makeReady({
    pool: parts.healthPool,
    system: parts.system,
    sandbox: parts.sandbox,
    roles: parts.roles,
    draining: () => draining,
  })
  // Not `ids.uuid`: its counter keeps rows of one instant in order, and requests would reset it.
  const newRequestId = () => uuidFrom(parts.system.nowMs(), parts.ids.bytes(10))
  const commonHeaders = (requestId: string): Record<string, string> => ({
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(parts.sandbox ? { 'x-sandbox': 'true' } : {}),
    ...(draining ? { connection: 'close' } : {}),
  })

  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    http: headBounds,
    rewriteUrl: (raw) =>
      isUnder(raw.url ?? '', basePath)
        ? basePath
        : isUnder(raw.url ?? '', operatorPath)
          ? operatorPath
          : isUnder(raw.url ?? '', mcpPath)
            ? mcpPath
            : isUnder(raw.url ?? '', sessionBasePath) || isMetadata(raw.url ?? '')
              ? sessionBasePath
              : (raw.url ?? '/'),
    frameworkErrors: (_error, request, reply) => void send(request, reply, nowhere),
    clientErrorHandler: (error, socket) => {
      const requestId = newRequestId()
      answerUnreadable(error, socket, requestId, commonHeaders(requestId))
    },
  })

  const address = (): string => {
    const bound = app.server.address()
    if (bound === null || typeof bound === 'string') throw new Error('the server does not listen')
    return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
  }
  const requestIdOf = (raw: IncomingMessage): string => {
    const given = raw.headers['x-request-id']
    return typeof given === 'string' && saneRequestId.test(given) ? given : newRequestId()
  }
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    serve: (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply> | Reply,
  ): Promise<FastifyReply> => {
    const requestId = requestIdOf(request.raw)
    let answer: Reply
    try {
      answer = await serve(request.raw, request.originalUrl, requestId)
    } catch (error) {
      answer = failureReply(error, requestId, parts.log)
    }
    const { status, headers, payload } = await represent(answer, request.headers)
    return reply
      .code(status)
      .headers({ ...commonHeaders(requestId), ...headers })
      .send(payload)
  }
  const nowhere = async (raw: IncomingMessage, _url: string, requestId: string): Promise<Reply> => {
    await discardBody(raw)
    return refusalReply(new Refusal('no_such_endpoint'), requestId)
  }

  const methods = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const unreachable = () => {
    throw new Error('answered before')
  }
  const watch = { tracing: parts.tracing ?? noTracing, log: parts.log, system: parts.system }
  type Serve = (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply>
  const watched =
    (surface: Surface, serve: Serve): Serve =>
    (raw, target, requestId) =>
      asRequest(
        watch,
        { surface, raw, requestId },
        () => serve(raw, target, requestId),
        (answer) => answer.status,
      )
  const everything = (surface: Surface, url: string, serve: Serve) =>
    app.route({
      method: methods,
      url,
      onRequest: async (request, reply) => await send(request, reply, watched(surface, serve)),
      handler: unreachable,
    })
  if (parts.serveApi) everything('api', basePath, api)
  const serveMcp = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const requestId = requestIdOf(request.raw)
    // Set before the tools write: they stream, and know nothing of our headers. An address may hold a key: nobody is
    // told where a caller came from.
    for (const [name, value] of Object.entries({ ...commonHeaders(requestId), 'referrer-policy': 'no-referrer' }))
      reply.raw.setHeader(name, value)
    const refused = await asRequest(
      watch,
      { surface: 'mcp', raw: request.raw, requestId },
      () => mcp.serve(request.raw, reply.raw, request.originalUrl, requestId),
      (answer) => answer?.status ?? null,
    )
    if (refused === null) return reply.hijack()
    return reply
      .code(refused.status)
      .headers({ ...commonHeaders(requestId), 'referrer-policy': 'no-referrer', ...refused.headers })
      .send(JSON.stringify(refused.body))
  }
  if (parts.serveApi) app.route({ method: methods, url: mcpPath, onRequest: serveMcp, handler: unreachable })
  const serveDashboard = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const requestId = requestIdOf(request.raw)
    // For what writes its own answer: the sign-in library, streams of live updates, exports.
    for (const [name, value] of Object.entries({ ...commonHeaders(requestId), 'referrer-policy': 'no-referrer' }))
      reply.raw.setHeader(name, value)
    const answer = await asRequest(
      watch,
      { surface: 'dashboard', raw: request.raw, requestId },
      () => dashboard!.serve(request.raw, reply.raw, request.originalUrl, requestId),
      (given) => given?.status ?? null,
    )
    if (answer === null) return reply.hijack()
    const { status, headers, payload } = await represent(answer, request.headers)
    return reply
      .code(status)
      .headers({ ...commonHeaders(requestId), 'referrer-policy': 'no-referrer', ...headers })
      .send(payload)
  }
  if (parts.serveApi && dashboard)
    app.route({ method: methods, url: sessionBasePath, onRequest: serveDashboard, handler: unreachable })
  const { operatorPort = null } = parts
  const operatorListener =
    operatorPort === null
      ? undefined
      : openOperatorListener(
          {
            isOperator: (url) => isUnder(url, operatorPath),
            serve: watched('operator', operator),
            nowhere,
            requestIdOf,
            newRequestId,
            commonHeaders,
          },
          { ...headBounds, requestTimeout: requestTimeoutMs },
        )
  if (!operatorListener) everything('operator', operatorPath, operator)
  if (parts.serveApi) {
    const origin = () => parts.dashboard?.publicOrigin() ?? address()
    for (const [url, make] of documentsOf({ publicUrl: parts.publicUrl ?? null, origin }))
      app.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => send(request, reply, make) })
    const docs = makeDocs()
    const servePage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { type, body, etag } = await docs.page(request.routeOptions.url!)
      const headers = { ...pageHeaders, 'x-request-id': requestIdOf(request.raw), etag }
      if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send()
      return reply.headers({ ...headers, 'content-type': type }).send(body)
    }
    for (const file of wellKnownFiles({
      nowMs: parts.system.nowMs,
      origin,
      securityContact: parts.securityContact ?? null,
    })) {
      app.route({
        method: ['GET', 'HEAD'],
        url: file.path,
        handler: (request, reply) =>
          reply.headers({ ...textHeaders, 'x-request-id': requestIdOf(request.raw) }).send(file.text()),
      })
    }
    for (const url of docs.paths) app.route({ method: ['GET', 'HEAD'], url, handler: servePage })
    const downloads = makeDownloads(parts.dashboard?.downloadsFolder ?? '')
    const serveDownload = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { type, body, etag } = await downloads.file(request.routeOptions.url!)
      const headers = {
        ...textHeaders,
        'x-request-id': requestIdOf(request.raw),
        etag,
        'content-type': type,
        // Archive and checksum must be of one build.
        'cache-control': 'no-cache',
      }
      if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send()
      return reply.headers(headers).send(body)
    }
    for (const url of downloads.paths) app.route({ method: ['GET', 'HEAD'], url, handler: serveDownload })
  }
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (request, reply) => send(request, reply, live) })
  app.route({ method: ['GET', 'HEAD'], url: '/readyz', handler: (request, reply) => send(request, reply, ready) })
  if (parts.serveApi && parts.dashboard)
    mountPages(app, {
      folder: parts.dashboard.pagesFolder,
      isHttps: () => parts.dashboard!.publicOrigin().startsWith('https:'),
    })
  app.addHook('onRequest', async (request, reply) => (request.is404 ? await send(request, reply, nowhere) : undefined))
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, (_raw, _url, requestId) => failureReply(error, requestId, parts.log)),
  )
  guardServer(app.server, () => {
    const requestId = newRequestId()
    return { requestId, headers: commonHeaders(requestId) }
  })

  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    draining = true
    dashboard?.close()
    const done = new AbortController()
    const ended = Promise.all([app.close(), mcp.close(), operatorListener?.close()]).finally(() => done.abort())
    const within = (ms: number) => Promise.race([ended, parts.system.sleep(ms, done.signal).catch(() => {})])
    await within(closeMs)
    app.server.closeAllConnections()
    operatorListener?.cut()
    // A handler may still wait for a vendor: nobody is left to answer, and what it holds is given back by its lease.
    await within(lastMs)
  }
  return {
    app,
    dispatch,
    address,
    operatorAddress: () => operatorListener?.address() ?? address(),
    listen: async (port, host) => {
      await app.listen({ port, host })
      await operatorListener?.listen(operatorPort!, host)
    },
    close: () => (closed ??= close()),
  }
}
