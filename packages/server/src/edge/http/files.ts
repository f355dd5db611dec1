/** What anybody may read without a key: the description of the interface, its pages, well-known files and downloads. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { documentsOf, type Addresses } from './documents.ts'
import { makeDocs, pageHeaders, type Page } from './docs.ts'
import { makeDownloads } from './downloads.ts'
import type { Envelope } from './envelope.ts'
import { textHeaders, wellKnownFiles } from './well-known.ts'

/** What they are made of. */
export type FileParts = Addresses & {
  readonly nowMs: () => number
  readonly securityContact: string | null
  /** Where the archives lie that callers install. */
  readonly downloadsFolder: string
}

/** Answers with a file, or with 304 to whoever has it. */
function sendFile({
  request,
  reply,
  file,
  given,
}: {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly file: Page
  readonly given: Record<string, string>
}) {
  const headers = { ...given, etag: file.etag }
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).headers(headers).send()
  return reply.headers({ ...headers, 'content-type': file.type }).send(file.body)
}

/** Adds their routes. */
export function mountFiles(app: FastifyInstance, parts: FileParts, { requestIdOf, send }: Envelope): void {
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  for (const [url, make] of documentsOf(parts)) get(url, (request, reply) => send(request, reply, make))
  for (const { path, text } of wellKnownFiles(parts))
    get(path, (request, reply) =>
      reply.headers({ ...textHeaders, 'x-request-id': requestIdOf(request.raw) }).send(text()),
    )
  const docs = makeDocs()
  for (const url of docs.paths)
    get(url, async (request, reply) =>
      sendFile({
        request,
        reply,
        file: await docs.page(url),
        given: { ...pageHeaders, 'x-request-id': requestIdOf(request.raw) },
      }),
    )
  const downloads = makeDownloads(parts.downloadsFolder)
  for (const url of downloads.paths)
    get(url, async (request, reply) => {
      const file = await downloads.file(url)
      return sendFile({
        request,
        reply,
        file,
        given: {
          ...textHeaders,
          'x-request-id': requestIdOf(request.raw),
          'content-type': file.type,
          // Archive and checksum must be of one build.
          'cache-control': 'no-cache',
        },
      })
    })
}
