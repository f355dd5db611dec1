/** What anyone may read without a key (G12): API description, docs, well-known files, archives to install. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { llmsText, openApi, postmanCollection } from '@les/contract'
import type { Reply } from '../reply.ts'
import type { Envelope } from './envelope.ts'
import { isKnown, tagOf } from './represent.ts'

type FileParts = {
  readonly nowMs: () => number
  readonly publicUrl: string | null
  /** The public address, else the one it listens at, which is known only when a file is read. */
  readonly origin: () => string
  readonly securityContact: string | null
  readonly downloadsFolder: string
}

type TaggedFile = { readonly body: Buffer | string; readonly etag: string }

const tagged = (body: Buffer | string): TaggedFile => ({ body, etag: `"${tagOf(body)}"` })

/** Reads each file of a folder once and keeps it; concurrent requests share the read. */
export function readOnce(folder: string): (name: string) => Promise<TaggedFile> {
  const files = new Map<string, Promise<TaggedFile>>()
  return (name) => {
    const file = files.get(name) ?? readFile(join(folder, name)).then(tagged)
    files.set(name, file)
    // A failed read is tried again: the machine may have run out of file descriptors.
    file.catch(() => files.delete(name))
    return file
  }
}

const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
}

const docsHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=3600',
}

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead Engagement Service: reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<noscript>The reference needs JavaScript; its source is <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const docsScript =
  "window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', " +
  'defaultModelsExpandDepth: 0, displayRequestDuration: true, persistAuthorization: false, validatorUrl: null })\n'

/**
 * The JSON documents by path, each serialised once. A collection needs an address; the description has none rather than a wrong
 * one. Never the request's `Host`: one caller would choose what is cached for everybody.
 */
export function documentsOf({
  publicUrl,
  origin,
}: Pick<FileParts, 'publicUrl' | 'origin'>): Readonly<Record<string, () => Reply>> {
  const once = (make: () => unknown): (() => Reply) => {
    let made: Reply | undefined
    const document = (body: unknown): Reply => ({
      status: 200,
      headers: { 'cache-control': 'public, max-age=300' },
      body,
      text: JSON.stringify(body),
      revalidates: true,
      isDocument: true,
    })
    return () => (made ??= document(make()))
  }
  return {
    '/openapi.json': once(() => openApi({ serverUrl: publicUrl ?? '/' })),
    '/collection.json': once(() => postmanCollection(origin())),
  }
}

const dayMs = 86_400_000

/** `/.well-known/security.txt` (RFC 9116). */
export function securityText({ nowMs, origin, securityContact }: Omit<FileParts, 'publicUrl' | 'downloadsFolder'>) {
  // Rounded to the day, so that all answers of a day are equal.
  const expires = new Date(Math.floor((nowMs() + 183 * dayMs) / dayMs) * dayMs).toISOString()
  return (
    `Contact: ${securityContact ?? `${origin()}/`}\nExpires: ${expires}\n` +
    `Preferred-Languages: en\nCanonical: ${origin()}/.well-known/security.txt\n`
  )
}

function archivesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name === 'SHA256SUMS' || name.endsWith('.tgz'))
  } catch {
    return []
  }
}

/** Adds the routes of these files. */
export function mountFiles(app: FastifyInstance, parts: FileParts, { requestIdOf, send }: Envelope): void {
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  for (const [url, document] of Object.entries(documentsOf(parts)))
    get(url, (request, reply) => send(request, reply, document))
  const text = (url: string, read: () => string) =>
    get(url, (request, reply) =>
      reply.headers({ ...textHeaders, 'x-request-id': requestIdOf(request.raw) }).send(read()),
    )
  // A crawler finds only pages behind a sign-in and an API that needs a key.
  text('/robots.txt', () => 'User-agent: *\nDisallow: /\n')
  text('/.well-known/security.txt', () => securityText(parts))

  const file = (url: string, given: Readonly<Record<string, string>>, read: () => TaggedFile | Promise<TaggedFile>) =>
    get(url, async (request, reply) => {
      const { body, etag } = await read()
      const headers = { ...given, etag, 'x-request-id': requestIdOf(request.raw) }
      return isKnown(request.headers['if-none-match'], etag)
        ? reply.code(304).headers(headers).send()
        : reply.headers(headers).send(body)
    })
  const made = (url: string, type: string, make: () => string) => {
    let content: TaggedFile | undefined
    file(url, { ...docsHeaders, 'content-type': type }, () => (content ??= tagged(make())))
  }
  made('/docs', 'text/html; charset=utf-8', () => docsPage)
  made('/docs/start.js', 'text/javascript; charset=utf-8', () => docsScript)
  made('/llms.txt', 'text/plain; charset=utf-8', llmsText)
  const readDocs = readOnce(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))
  for (const [name, type] of [
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
  ] as const)
    file(`/docs/${name}`, { ...docsHeaders, 'content-type': type }, () => readDocs(name))
  const readDownload = readOnce(parts.downloadsFolder)
  for (const name of archivesIn(parts.downloadsFolder)) {
    const type = name.endsWith('.tgz') ? 'application/gzip' : 'text/plain; charset=utf-8'
    // Archive and checksum must come from one build.
    const headers = { ...textHeaders, 'content-type': type, 'cache-control': 'no-cache' }
    file(`/downloads/${name}`, headers, () => readDownload(name))
  }
}
