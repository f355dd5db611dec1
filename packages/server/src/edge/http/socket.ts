/** Guards Node's server: unparsable requests, tunnels, pipelining, unread answers. Refusals are JSON, never a bare reset. */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { asAsked, type Asked } from './rate-headers.ts'
import type { ConnectionBounds } from './server-bounds.ts'

type RequestHeaders = { readonly requestId: string; readonly headers: Readonly<Record<string, string>> }

/** Gives a request its id and the headers of its answer. */
export type HeadersFor = (asked: Asked) => RequestHeaders

/** Node's error for bytes that are no request, and the bytes it was reading. */
export type Unreadable = { readonly code?: string; readonly rawPacket?: Buffer }

/** Method and target in unparsed bytes; null when they cannot be read, or belong to one of several requests. */
function askedIn(bytes: Buffer | undefined): Asked {
  const text = bytes?.subarray(0, maxSniffedBytes).toString('latin1') ?? ''
  const first = /^([A-Za-z]+) (\S+)(?: HTTP\/|$)/.exec(text)
  const lines = text.match(/^[A-Za-z]+ \S+ HTTP\//gm) ?? []
  return first !== null && lines.length <= 1 ? { method: first[1]!, url: first[2]! } : null
}
const maxSniffedBytes = 65_536

function write(
  socket: Duplex,
  { status, body: said }: { status: number; body: Readonly<Record<string, unknown>> },
  { requestId, headers }: RequestHeaders,
): void {
  if (!socket.writable || socket.destroyed) return
  const body = JSON.stringify({ ...said, requestId })
  const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`)
}

const known: Record<string, [status: number, error: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** Refused connections, with the bytes they had sent by then; what follows is dropped, up to `maxRefusedBytes`. */
const refused = new WeakMap<Socket, number>()
const maxRefusedBytes = 8 * 1_048_576
const drainRefusedMs = 2_000

/** True when a refused connection sends more than the rest of its request. */
function sendsOn(socket: Socket): boolean {
  return socket.bytesRead - (refused.get(socket) ?? 0) > maxRefusedBytes
}

/** Answers bytes that are not HTTP: 400, 408 when they came too slowly, 431 when the head is too large. */
export function answerUnreadable(error: Unreadable, socket: Socket, headersFor: HeadersFor): void {
  if (refused.has(socket)) {
    // Node reports every further chunk. Destroying the socket now would reset the connection and lose the answer.
    if (sendsOn(socket) || error.code === 'ECONNRESET') socket.destroy()
    return
  }
  const { _httpMessage: running } = socket as { _httpMessage?: Pick<ServerResponse, 'headersSent' | 'req'> | null }
  if (error.code === 'ECONNRESET' || !socket.writable || running?.headersSent) {
    socket.destroy()
    return
  }
  refused.set(socket, socket.bytesRead)
  socket.setTimeout(drainRefusedMs, () => socket.destroy())
  socket.on('data', () => void (sendsOn(socket) && socket.destroy()))
  const [status, text] = known[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
  write(
    socket,
    { status, body: { error: text } },
    headersFor(running ? asAsked(running.req) : askedIn(error.rawPacket)),
  )
  socket.resume()
}

/** True for a request with several `Host` headers: a proxy may have used another one than we do (RFC 9112, 3.2). */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}

function refuse(response: ServerResponse, error: string, headersFor: HeadersFor): void {
  const { requestId, headers } = headersFor(asAsked(response.req))
  const body = JSON.stringify({ error, requestId })
  const length = String(Buffer.byteLength(body))
  response.writeHead(400, { ...headers, 'content-length': length, connection: 'close' }).end(body)
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void
type Waiting = { readonly isSafe: boolean; readonly serve: () => void }
type PipelineQueue = { underWay: number; changing: boolean; readonly waiting: Waiting[] }

/** Limits of pipelining. Node hands over up to 1,400 requests at once, whose answers fill memory if nobody reads them. */
const pipelined = { atOnce: 4, waiting: 100 }

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** Only safe requests of a connection run concurrently (RFC 9112, 9.3.2); a change runs alone, so that later requests see it. */
const mayBeServed = ({ underWay, changing }: PipelineQueue, { isSafe }: Waiting): boolean =>
  underWay === 0 || (isSafe && !changing && underWay < pipelined.atOnce)

/** Ends a connection when no byte of its answer has left for `ms`; waiting handlers and quiet streams go on. */
function endUnread(response: ServerResponse, ms: number): void {
  response.setTimeout(ms, () => {
    if (response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0) response.destroy()
    // Node's timer fires once, and restarts only with the next byte.
    else if (!response.writableFinished) response.setTimeout(ms)
  })
}

/** Serves the requests of each connection in order; a connection that has too many waiting is closed, and they are dropped. */
function serveInTurn(server: Server, headersFor: HeadersFor, unreadMs: number): void {
  const listeners = server.listeners('request') as Serve[]
  const queues = new WeakMap<Socket, PipelineQueue>()
  const refusedConnections = new WeakSet<Socket>()
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    endUnread(response, unreadMs)
    // Node still parses what follows a refused request on its connection; it must not be served.
    if (refusedConnections.has(socket)) return
    if (namesTwoHosts(request)) {
      refusedConnections.add(socket)
      return refuse(response, 'The request names its host twice', headersFor)
    }
    const queue = queues.get(socket) ?? { underWay: 0, changing: false, waiting: [] }
    queues.set(socket, queue)
    const isSafe = safeMethods.includes(request.method ?? '')
    const serve = () => {
      queue.underWay++
      queue.changing = !isSafe
      response.once('close', () => {
        queue.underWay--
        while (queue.waiting.length > 0 && mayBeServed(queue, queue.waiting[0]!)) queue.waiting.shift()!.serve()
      })
      for (const each of listeners) each.call(server, request, response)
    }
    const asked = { isSafe, serve }
    if (queue.waiting.length === 0 && mayBeServed(queue, asked)) serve()
    else if (queue.waiting.length < pipelined.waiting) queue.waiting.push(asked)
    else {
      queue.waiting.length = 0
      socket.destroy()
    }
  })
}

/**
 * Serves each connection in order and limits connections and unread answers. Refuses tunnels and requests with two hosts, ignores
 * unknown expectations, and answers callers who closed their half after asking (`nc -N`).
 */
export function guardServer(server: Server, headersFor: HeadersFor, { connections, unreadMs }: ConnectionBounds): void {
  serveInTurn(server, headersFor, unreadMs)
  server.maxConnections = connections
  // Idle kept-alive connections make room for the next one.
  server.on('drop', () => server.closeIdleConnections())
  // Node's own switch: without it, a caller's half-close drops the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connect', (request, socket: Duplex) => {
    socket.on('error', () => {})
    const { requestId, headers } = headersFor(asAsked(request))
    const body = { error: 'This service is not a proxy', code: 'method_not_allowed', allowed: [] }
    write(socket, { status: 405, body }, { requestId, headers: { ...headers, allow: '' } })
    socket.resume()
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
