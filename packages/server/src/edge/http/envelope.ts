/** What every answer of the server has in common: an id of its request, the headers that all carry, and how it is sent. */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SystemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { uuidFrom, type Ids } from '../../platform/random.ts'
import { Refusal } from '../../platform/refusal.ts'
import { failureReply, refusalReply, type Reply } from '../reply.ts'
import { discardBody } from './body.ts'
import { asAsked, rateHeadersOf, type Asked } from './rate-headers.ts'
import { represent } from './represent.ts'

/** What it is made of; `draining`: connections are closed after their answer. */
export type EnvelopeParts = {
  readonly system: SystemClock
  readonly ids: Ids
  readonly log: Log
  readonly sandbox: boolean
  readonly draining: () => boolean
}

/** From a raw request, the address as it was sent and the id of the request to a reply. */
export type Serve = (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply>

/** How requests are named and answers sent. */
export type Envelope = {
  newRequestId(): string
  /** The caller's own id where it is a sane one, else a new one. */
  requestIdOf(raw: IncomingMessage): string
  /** What every answer carries; `asked` as for `rateHeadersOf`. */
  commonHeaders(requestId: string, asked: Asked): Record<string, string>
  /** Serves a request and sends its answer; what fails is answered too. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    serve: (...asked: Parameters<Serve>) => Promise<Reply> | Reply,
  ): Promise<FastifyReply>
  /** Answers what no route serves. */
  readonly nowhere: Serve
}

const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/

/** Makes it. */
export function makeEnvelope(parts: EnvelopeParts): Envelope {
  // Not `ids.uuid`: its counter keeps rows of one instant in order, and requests would reset it.
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
  return {
    newRequestId,
    requestIdOf,
    commonHeaders,
    send: async (request, reply, serve) => {
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
        .headers({ ...commonHeaders(requestId, asAsked(request.raw)), ...headers })
        .send(payload)
    },
    nowhere: async (raw, _url, requestId) => {
      await discardBody(raw)
      return refusalReply(new Refusal('no_such_endpoint'), requestId)
    },
  }
}
