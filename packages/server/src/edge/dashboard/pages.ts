/** The dashboard's pages: files of `packages/dashboard/dist`, listed at the start, under a strict content policy (DSH-01). */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { readOnce } from '../http/files.ts'
import { encodingOf, isKnown } from '../http/represent.ts'
import { isUnder, pathOf } from '../http/target.ts'

type PagesParts = {
  readonly folder: string
  /** True when the public address is https: browsers then get `strict-transport-security`. */
  readonly isHttps: () => boolean
}

type PageRequest = {
  readonly method: string
  readonly url: string
  readonly headers: {
    readonly accept?: string | undefined
    readonly 'accept-encoding'?: string | string[] | undefined
    readonly 'if-none-match'?: string | undefined
  }
}

type PageReply = {
  readonly status: 200 | 304 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | undefined
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const guarding = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Paths of other surfaces; an unknown path below one stays a JSON 404. */
const elsewhere = [
  '/api',
  '/app',
  '/operator',
  '/docs',
  '/downloads',
  '/mcp',
  '/openapi.json',
  '/llms.txt',
  '/livez',
  '/readyz',
  '/metrics',
  '/.well-known',
  '/assets',
]

const unbuilt = Buffer.from(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not built yet</title></head><body><main>' +
    '<h1>The dashboard is not built yet</h1><p>Run <code>npm run build</code> and start the service again. ' +
    'The API works meanwhile; see <a href="/docs">the reference</a>.</p></main></body></html>\n',
)

const compressedEnds = { br: '.br', gzip: '.gz' } as const

function listed(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.'),
    )
    return new Set(
      entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/')),
    )
  } catch {
    return new Set()
  }
}

type Files = ReadonlySet<string>

const start = '/index.html'

/** The file for a URL: its own, else `start` for a browser navigation; null for other surfaces and anything else. */
const fileFor = (files: Files, { url, headers }: PageRequest): string | null => {
  const path = pathOf(url)
  if (path === '/') return start
  if (files.has(path) && !/\.(?:br|gz|html)$/.test(path)) return path
  if (elsewhere.some((prefix) => isUnder(url, prefix))) return null
  return headers.accept?.includes('text/html') ? start : null
}

function makePages({ folder, isHttps }: PagesParts): (request: PageRequest) => Promise<PageReply | null> {
  const files = listed(folder)
  const load = readOnce(folder)
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const name = fileFor(files, request)
    if (name === null) return null
    const strict = { ...guarding, ...(isHttps() ? { 'strict-transport-security': 'max-age=31536000' } : {}) }
    if (!files.has(name))
      return {
        status: 503,
        headers: { ...strict, 'content-type': types['.html']!, 'cache-control': 'no-store' },
        body: unbuilt,
      }
    const built = (['br', 'gzip'] as const).filter((encoding) => files.has(`${name}${compressedEnds[encoding]}`))
    const encoding = encodingOf(request.headers['accept-encoding'], built)
    const { body, etag } = await load(encoding === null ? name : `${name}${compressedEnds[encoding]}`)
    const headers = {
      ...strict,
      etag,
      vary: 'accept-encoding',
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers, body: undefined }
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        ...(encoding === null ? {} : { 'content-encoding': encoding }),
      },
      body,
    }
  }
}

/** Serves the pages for requests without a route; must be called before the hook that answers those with 404. */
export function mountPages(app: FastifyInstance, parts: PagesParts): void {
  const page = makePages(parts)
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined
    const answer = await page({ method: request.method, url: request.originalUrl, headers: request.headers })
    if (answer === null) return undefined
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  })
}
