/** What Node hands over raw: requests its parser refuses, and tunnels. They get JSON too, and never a bare reset. */
import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

function write(
  socket: Duplex,
  status: number,
  error: string,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable || socket.destroyed) return
  const body = JSON.stringify({ error, requestId })
  const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`)
}

const known: Record<string, [status: number, error: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** Connections that were refused, with how much they had sent by then; what they still send is read and dropped, within reason. */
const refused = new WeakMap<Socket, number>()
const lingerBytes = 8 * 1_048_576
const lingerMs = 2_000

/** True once a refused connection is none that its caller merely has not finished writing to. */
function sendsOn(socket: Socket): boolean {
  return socket.bytesRead - (refused.get(socket) ?? 0) > lingerBytes
}

/** Answers what cannot be read as HTTP: 400, 408 when it came too slowly, 431 when its head is too large. */
export function answerUnreadable(
  error: { readonly code?: string },
  socket: Socket,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (refused.has(socket)) {
    // Node reports every further chunk. Destroying now would reset the connection and take the answer with it.
    if (sendsOn(socket) || error.code === 'ECONNRESET') socket.destroy()
    return
  }
  const { _httpMessage: running } = socket as { _httpMessage?: { headersSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || running?.headersSent) {
    socket.destroy()
    return
  }
  refused.set(socket, socket.bytesRead)
  socket.setTimeout(lingerMs, () => socket.destroy())
  socket.on('data', () => void (sendsOn(socket) && socket.destroy()))
  const [status, text] = known[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
  write(socket, status, text, requestId, headers)
  socket.resume()
}

/** Refuses tunnels, treats an unknown expectation like none, and answers callers who closed their half after asking (`nc -N`). */
export function guardServer(
  server: Server,
  headersFor: () => { requestId: string; headers: Readonly<Record<string, string>> },
): void {
  // Node's own switch, without which the end of a request's bytes drops its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => {})
    const { requestId, headers } = headersFor()
    write(socket, 405, 'This service is not a proxy', requestId, headers)
    socket.resume()
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
