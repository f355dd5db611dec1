/** The operator surface on a port of its own (`LES_OPERATOR_PORT`), so that what the public address forwards can never reach it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { Reply } from '../reply.ts'
import { asAsked, type Asked } from './rate-headers.ts'
import { represent } from './represent.ts'
import type { ConnectionBounds } from './server-bounds.ts'
import { answerUnreadable, guardServer } from './socket.ts'

/** What the listener serves with. `serve` never throws; `nowhere` answers what is not of the operator's surface. */
export type OperatorListenerParts = {
  readonly isOperator: (url: string) => boolean
  readonly serve: (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply>
  readonly nowhere: (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply>
  readonly requestIdOf: (raw: IncomingMessage) => string
  readonly newRequestId: () => string
  readonly commonHeaders: (requestId: string, asked: Asked) => Record<string, string>
}

/** A listener, opened but not listening. */
export type OperatorListener = {
  /** Where it listens, as a URL. */
  address(): string
  listen(port: number, host: string): Promise<void>
  /** Stops accepting; calls under way end, idle connections are closed. */
  close(): Promise<void>
  /** Ends whatever is still connected. */
  cut(): void
}

/** Bounds on a request, in bytes and milliseconds. */
export type RequestBounds = {
  readonly maxHeaderSize: number
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
  readonly requireHostHeader: boolean
  readonly connections: ConnectionBounds
}

/** Opens it. */
export function openOperatorListener(
  parts: OperatorListenerParts,
  { connections, ...bounds }: RequestBounds,
): OperatorListener {
  const server = createServer({ ...bounds }, (raw, response) => {
    const requestId = parts.requestIdOf(raw)
    const url = raw.url ?? '/'
    const answer = parts.isOperator(url) ? parts.serve : parts.nowhere
    answer(raw, url, requestId)
      .then((reply) => represent(reply, raw.headers))
      .then(({ status, headers, payload }) =>
        response.writeHead(status, { ...parts.commonHeaders(requestId, asAsked(raw)), ...headers }).end(payload),
      )
      .catch(() => response.destroy())
  })
  // The interface is never served here, so nothing carries its headers.
  const headersFor = () => {
    const requestId = parts.newRequestId()
    return { requestId, headers: parts.commonHeaders(requestId, { method: 'GET', url: '/' }) }
  }
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    answerUnreadable(error, socket as Parameters<typeof answerUnreadable>[1], headersFor)
  })
  guardServer(server, headersFor, connections)
  return {
    address: () => {
      const bound = server.address()
      if (bound === null || typeof bound === 'string') throw new Error('the operator surface does not listen')
      return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
    cut: () => server.closeAllConnections(),
  }
}
