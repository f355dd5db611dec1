/**
 * `/docs` and `/llms.txt`: the reference to browse, from files of this installation alone, under a policy that lets
 * nothing else in (G12).
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { llmsText } from '@les/contract'
import { sha256 } from '../../platform/secrets.ts'

/** A page or a part of one. */
export type Page = { readonly type: string; readonly body: string | Buffer; readonly etag: string }

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=3600',
}

const index = `<!doctype html>
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

const start =
  "window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', " +
  'defaultModelsExpandDepth: 0, displayRequestDuration: true, persistAuthorization: false, validatorUrl: null })\n'

const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

const page = (type: string, body: string | Buffer): Page => ({
  type,
  body,
  etag: `"${sha256(body).toString('base64url').slice(0, 27)}"`,
})

const folder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Makes the pages; each is read when it is first asked for. */
export function makeDocs(): { readonly paths: readonly string[]; page(path: string): Promise<Page> } {
  const made = new Map<string, Promise<Page>>()
  const makers: Record<string, () => Promise<Page>> = {
    '/docs': async () => page('text/html; charset=utf-8', index),
    '/docs/start.js': async () => page('text/javascript; charset=utf-8', start),
    '/llms.txt': async () => page('text/plain; charset=utf-8', llmsText()),
    ...Object.fromEntries(
      Object.entries(assets).map(([name, type]) => [
        `/docs/${name}`,
        async () => page(type, await readFile(join(folder(), name))),
      ]),
    ),
  }
  return {
    paths: Object.keys(makers),
    page: (path) => {
      const known = made.get(path) ?? makers[path]!()
      made.set(path, known)
      // What could not be read is read again.
      known.catch(() => made.delete(path))
      return known
    },
  }
}
