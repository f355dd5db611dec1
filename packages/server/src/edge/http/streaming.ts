/** Surfaces that may write their answers themselves: agent tools and the dashboard stream, and know nothing of our headers. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reply } from '../reply.ts'
import type { Envelope } from './envelope.ts'
import { asRequest, type Surface, type WatchParts } from './observed.ts'
import { asAsked } from './rate-headers.ts'
import type { Representation } from './represent.ts'

/** What such a surface is; `serve` gives back a reply for what it did not answer itself, `write` says how that is sent. */
export type StreamingSurface = {
  readonly surface: Surface
  serve(raw: IncomingMessage, response: ServerResponse, url: string, requestId: string): Promise<Reply | null>
  readonly write: (reply: Reply, asked: IncomingHttpHeaders) => Promise<Representation> | Representation
}

/** Makes what answers its requests. */
export function serveStreaming(
  { requestIdOf, commonHeaders }: Envelope,
  watch: WatchParts,
  { surface, serve, write }: StreamingSurface,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  // An address may hold a key: nobody is told where a caller came from.
  const headersFor = (requestId: string, raw: IncomingMessage) => ({
    ...commonHeaders(requestId, asAsked(raw)),
    'referrer-policy': 'no-referrer',
  })
  return async (request, reply) => {
    const requestId = requestIdOf(request.raw)
    // Set before the surface writes.
    for (const [name, value] of Object.entries(headersFor(requestId, request.raw))) reply.raw.setHeader(name, value)
    const answer = await asRequest(watch, {
      about: { surface, raw: request.raw, requestId },
      serve: () => serve(request.raw, reply.raw, request.originalUrl, requestId),
      statusOf: (given) => given?.status ?? null,
    })
    if (answer === null) return reply.hijack()
    const { status, headers, payload } = await write(answer, request.headers)
    return reply
      .code(status)
      .headers({ ...headersFor(requestId, request.raw), ...headers })
      .send(payload)
  }
}
