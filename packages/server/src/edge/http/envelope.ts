/** What all answers share: a request id, headers, sending, a span, and a log line for those that may have changed something. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SystemClock } from '../../platform/clock.ts'
import { currentLogContext, withLogContext } from '../../platform/log-context.ts'
import type { Log } from '../../platform/log.ts'
import { uuidFrom, type Ids } from '../../platform/random.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Tracing } from '../../platform/tracing.ts'
import { failureReply, refusalReply, type Reply } from '../reply.ts'
import { discardBody } from './body.ts'
import { asAsked, rateHeadersOf, type Asked } from './rate-headers.ts'
import { represent } from './represent.ts'

/** While `draining`, connections close after their answer. */
type EnvelopeParts = {
  readonly system: SystemClock
  readonly ids: Ids
  readonly log: Log
  readonly sandbox: boolean
  readonly draining: () => boolean
}

/** A request as received; `response` is for surfaces that write their answer themselves. */
export type Incoming = {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly url: string
  readonly requestId: string
}

/** Serves a request; null when the answer was written already. */
export type Serve = (request: Incoming) => Promise<Reply | null> | Reply

type Send = (request: FastifyRequest, reply: FastifyReply, serve: Serve) => Promise<FastifyReply>

export type Envelope = {
  newRequestId(): string
  /** The caller's own id when it is well formed, else a new one. */
  requestIdOf(raw: IncomingMessage): string
  /** The headers of every answer; `asked` as for `rateHeadersOf`. */
  commonHeaders(requestId: string, asked: Asked): Record<string, string>
  readonly send: Send
  /** Like `send`, for surfaces that may write their answer themselves: the common headers are set first. */
  readonly sendStreaming: Send
  readonly nowhere: Serve
}

const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/

export function makeEnvelope(parts: EnvelopeParts): Envelope {
  // Not `ids.uuid`: its counter orders rows of one instant, and requests would reset it.
  const newRequestId = () => uuidFrom(parts.system.nowMs(), parts.ids.bytes(10))
  const requestIdOf = (raw: IncomingMessage): string => {
    const given = raw.headers['x-request-id']
    return typeof given === 'string' && saneRequestId.test(given) ? given : newRequestId()
  }
  const commonHeaders: Envelope['commonHeaders'] = (requestId, asked) => ({
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(parts.sandbox ? { 'x-sandbox': 'true' } : {}),
    ...(parts.draining() ? { connection: 'close' } : {}),
    ...rateHeadersOf(asked, new Date(parts.system.nowMs())),
  })
  const sender =
    (mayStream: boolean): Send =>
    async ({ raw, originalUrl: url, headers: asked }, reply, serve) => {
      const requestId = requestIdOf(raw)
      const ours = () => ({
        ...commonHeaders(requestId, asAsked(raw)),
        // An address may hold a key, so no page may pass it on.
        ...(mayStream ? { 'referrer-policy': 'no-referrer' } : {}),
      })
      if (mayStream) for (const [name, value] of Object.entries(ours())) reply.raw.setHeader(name, value)
      let answer: Reply | null
      try {
        answer = await serve({ raw, response: reply.raw, url, requestId })
      } catch (error) {
        answer = failureReply(error, requestId, parts.log)
      }
      if (answer === null) return reply.hijack()
      const { status, headers, payload } = await represent(answer, asked)
      return reply
        .code(status)
        .headers({ ...ours(), ...headers })
        .send(payload)
    }
  return {
    newRequestId,
    requestIdOf,
    commonHeaders,
    send: sender(false),
    sendStreaming: sender(true),
    nowhere: async ({ raw, requestId }) => {
      await discardBody(raw)
      return refusalReply(new Refusal('no_such_endpoint'), requestId)
    },
  }
}

type WatchParts = { readonly tracing: Tracing; readonly log: Log; readonly system: SystemClock }

/** Serves a surface inside a span, with the request id on every log line. */
export function watched(
  { tracing, log, system }: WatchParts,
  surface: 'api' | 'operator' | 'mcp' | 'dashboard' | 'hook',
  serve: Serve,
): Serve {
  const operation = () => String(currentLogContext().operation ?? 'none')
  return (request) => {
    const { raw, requestId } = request
    const method = raw.method ?? 'GET'
    const startedMs = system.nowMs()
    const work = async (): Promise<Reply | null> => {
      const answer = await serve(request)
      if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS')
        log.info('request', {
          surface,
          method,
          operation: operation(),
          status: answer?.status ?? null,
          elapsedMs: system.nowMs() - startedMs,
        })
      return answer
    }
    const { traceparent } = raw.headers
    return withLogContext({ requestId }, () =>
      tracing.around(
        `${surface} ${method}`,
        {
          role: 'request',
          attributes: { 'http.request.method': method, 'les.surface': surface },
          traceparent: Array.isArray(traceparent) ? traceparent[0] : traceparent,
          end: (answer) => ({
            name: `${surface} ${operation()}`,
            failed: answer !== null && answer.status >= 500,
            attributes: answer === null ? {} : { 'http.response.status_code': answer.status },
          }),
        },
        work,
      ),
    )
  }
}
