import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { mountPages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-'))
mkdirSync(join(folder, 'assets'))
for (const [name, text] of [
  ['index.html', '<!doctype html><p>start'],
  ['index.html.br', 'packed'],
  ['theme.js', 'theme'],
  ['.fingerprint', 'mark'],
  ['assets/a-1.js', 'script'],
  ['assets/a-1.js.gz', 'zipped'],
] as const)
  writeFileSync(join(folder, name), text)
afterAll(() => rmSync(folder, { recursive: true }))

function served(parts: Partial<Parameters<typeof mountPages>[1]> = {}) {
  const app = fastify()
  app.get('/livez', () => 'alive')
  mountPages(app, { folder, isHttps: () => false, ...parts })
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? reply.code(404).send({ error: 'nowhere' }) : undefined,
  )
  return app
}

const html = { accept: 'text/html,*/*' }

describe('the pages', () => {
  it('answer the start and every address of a page with the same file, which no cache keeps unasked (DSH-01)', async () => {
    const app = served()
    for (const url of ['/', '/credits', '/credits?days=7', '/keyword/new/0199', '/sign-in']) {
      const reply = await app.inject({ url, headers: html })
      expect([reply.statusCode, reply.body, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
        200,
        '<!doctype html><p>start',
        'text/html; charset=utf-8',
        'no-cache',
      ])
    }
  })
  it.each([
    '/api/v1/nothing',
    '/app/api/nothing',
    '/operator/x',
    '/docs/x',
    '/mcp/x',
    '/.well-known/x',
    '/assets/gone.js',
  ])('leave %s to others, whatever the browser accepts', async (url) => {
    expect((await served().inject({ url, headers: html })).json()).toEqual({ error: 'nowhere' })
  })
  it.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/.fingerprint',
    '/index.html.br',
    '/assets/a-1.js.gz',
  ])('serve no file that is none of theirs: %s', async (url) => {
    expect((await served().inject({ url })).statusCode).toBe(404)
  })
  it('keep assets for good, packed as the browser takes them', async () => {
    const packed = await served().inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect([
      packed.body,
      packed.headers['content-encoding'],
      packed.headers['cache-control'],
      packed.headers['content-type'],
      packed.headers.vary,
    ]).toEqual([
      'zipped',
      'gzip',
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
      'accept-encoding',
    ])
    expect((await served().inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'gzip;q=0' } })).body).toBe(
      'script',
    )
    expect((await served().inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })).body).toBe('packed')
  })
  it('answer 304 to whoever has the file', async () => {
    const app = served()
    const { etag } = (await app.inject({ url: '/theme.js' })).headers
    const again = await app.inject({ url: '/theme.js', headers: { 'if-none-match': `"x", W/${etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
  it('forbid inline scripts and styles, framing and referrers, and insist on https only where there is https (DSH-01)', async () => {
    const { headers } = await served().inject({ url: '/', headers: html })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; font-src " +
        "'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(
      (await served({ isHttps: () => true }).inject({ url: '/', headers: html })).headers['strict-transport-security'],
    ).toBe('max-age=31536000')
  })
})
