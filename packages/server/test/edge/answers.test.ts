import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import http from 'node:http'
import { operationsById } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodingOf } from '../../src/edge/http/represent.ts'
import { useLocalService, type TestTeam } from './local-service.ts'
import { sampleOf } from './sample.ts'

const service = useLocalService()
let team: TestTeam
beforeAll(async () => {
  team = await service.team({ limits: { reads: 1_000, writes: 1_000 } })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  service.api('GET', path, team.key, undefined, headers)

function bytes(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  body?: string,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    const sent = http.request(
      {
        host: hostname,
        port,
        method,
        path,
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      },
      (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
          )
          .on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('ETag', () => {
  it('a read that has not changed is 304 without a body, with the rate headers; it counts like any call [RAT-08, RAT-09]', async () => {
    const first = await get('/keys')
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/)
    for (const asked of [first.headers.etag!, first.headers.etag!.slice(2), `"other", ${first.headers.etag}`, '*']) {
      const again = await get('/keys', { 'if-none-match': asked })
      expect([asked, again.status, again.text, again.headers.etag]).toEqual([asked, 304, '', first.headers.etag])
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'])
        expect(again.headers[name]).toBeDefined()
    }
    expect((await get('/keys', { 'if-none-match': '"other"' })).status).toBe(200)
    expect(Number((await get('/keys')).headers['x-ratelimit-remaining'])).toBe(1_000 - 7)
    await service.api('POST', '/keys', team.key, { name: 'new' })
    expect((await get('/keys', { 'if-none-match': first.headers.etag! })).status).toBe(200)
  })

  it('what is no free read has none: writes, refusals, and reads that cost', async () => {
    service.stubs.readProfilePosts = async (_input, { unitOfWork }) =>
      unitOfWork(async () => ({ posts: [], creditsCharged: 0, captured: false, maxDepth: 60 }))
    const answers = [
      await service.api('POST', '/keys', team.key, { name: 'b' }),
      await get('/nope'),
      await get('/leads?limit=0'),
      await get('/profile/jane/posts?posts=1', { 'if-none-match': '*' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 404, 400, 200])
    expect(answers.map(({ headers }) => headers.etag)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('compression', () => {
  it('JSON of more than 1 KB is compressed as the caller accepts it, and says the same', async () => {
    for (let at = 0; at < 5; at++)
      await service.operate('POST', `/teams/${team.id}/keys`, { name: `a long name of a key, number ${at}` })
    const plain = await bytes('/api/v1/keys', { 'x-api-key': team.key })
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
    expect(plain.body.length).toBeGreaterThan(1_024)
    const zipped = await bytes('/api/v1/keys', { 'x-api-key': team.key, 'accept-encoding': 'gzip, deflate' })
    expect([
      zipped.headers['content-encoding'],
      gunzipSync(zipped.body).equals(plain.body),
      zipped.headers.etag,
    ]).toEqual(['gzip', true, plain.headers.etag])
    expect(zipped.body.length).toBeLessThan(plain.body.length)
    const better = await bytes('/api/v1/keys', { 'x-api-key': team.key, 'accept-encoding': 'gzip, br' })
    expect([better.headers['content-encoding'], brotliDecompressSync(better.body).equals(plain.body)]).toEqual([
      'br',
      true,
    ])
  })

  it('small bodies, refusals and bodies with a secret are sent as they are', async () => {
    service.stubs.getProfileWebhook = async () => ({
      sourceId: team.id,
      type: 'person',
      username: 'jane',
      webhookUrl: `https://x.example/${'y'.repeat(1_500)}`,
      icpOnly: false,
      autoSend: true,
      syncEvents: false,
      signingSecret: 'whsec_c2VjcmV0',
    })
    const accepting = { 'x-api-key': team.key, 'accept-encoding': 'gzip' }
    const answers = [
      await bytes('/api/v1/nope', accepting),
      await bytes('/api/v1/profile/jane/webhook', accepting),
      await bytes('/api/v1/leads?limit=0', accepting),
      await bytes('/livez', accepting),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 400, 200])
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(answers[1]!.body.length).toBeGreaterThan(1_024)
  })

  it.each([
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br, gzip', 'br'],
    ['*', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
    ['', null],
    [undefined, null],
    ['*;q=0', null],
    ['br;q=nonsense, gzip', 'gzip'],
  ])('Accept-Encoding %j chooses %j', (accepted, chosen) => expect(encodingOf(accepted)).toBe(chosen))
})

describe('hints', () => {
  it('what is still under way says when to ask again; what has ended does not', async () => {
    const jobId = '0190a1b2-0000-7000-8000-000000000001'
    const waits: unknown[] = []
    for (const status of ['pending', 'running', 'completed'] as const) {
      service.stubs.getJobStatus = async () => ({
        jobId,
        type: 'sync',
        status,
        createdAt: '2026-06-01T12:00:00.000Z',
        finishedAt: null,
      })
      const answer = await get(`/jobs/${jobId}/status`)
      waits.push([answer.status, answer.headers['retry-after']])
    }
    expect(waits).toEqual([
      [200, '2'],
      [200, '2'],
      [200, undefined],
    ])
  })
})

describe('what is going away', () => {
  const cutoverAt = '2026-11-01T00:00:00.000Z'
  const track = (answer: Record<string, unknown>) => {
    service.stubs.trackKeyword = (_input, { unitOfWork }) =>
      unitOfWork(async () => ({ ...(sampleOf(operationsById.trackKeyword.success) as object), ...answer }))
    return service.api('POST', '/keyword/track', team.key, operationsById.trackKeyword.example)
  }
  const said = ({ headers }: { headers: http.IncomingHttpHeaders }) => [
    headers.deprecation,
    headers.sunset,
    headers.link,
  ]
  const deprecations = [{ field: 'creditCap', message: 'send it' }]

  it('is in headers beside the body: Deprecation since when, Sunset when it ends, and where to read on [VER-06, VER-10]', async () => {
    const link = '</docs>; rel="deprecation"; type="text/html"'
    expect(said(await track({ deprecations, cutoverAt }))).toEqual([
      '@1788912000',
      'Sun, 01 Nov 2026 00:00:00 GMT',
      link,
    ])
    expect(said(await track({ deprecations, cutoverAt: null }))).toEqual(['@1788912000', undefined, link])
    expect(said(await track({ ignoredFields: ['postBudget'] }))).toEqual(['@1790726400', undefined, link])
    expect(said(await track({}))).toEqual([undefined, undefined, undefined])
  })
})

describe('rate headers of the draft', () => {
  it('name the window, its quota and what is left of it, beside ours', async () => {
    const other = await service.team({ limits: { reads: 3, writes: 2 } })
    const read = await service.api('GET', '/keys', other.key)
    expect([read.headers['ratelimit-policy'], read.headers.ratelimit]).toEqual([
      '"reads";q=3;w=60',
      expect.stringMatching(/^"reads";r=2;t=([1-9]|[1-5]\d|60)$/),
    ])
    const write = await service.api('POST', '/keys', other.key, {})
    expect([write.headers['ratelimit-policy'], write.headers['x-ratelimit-remaining']]).toEqual([
      '"writes";q=2;w=60',
      '1',
    ])
  })
})

describe('pages', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/start.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/llms.txt', 'text/plain'],
  ])('%s needs no key and lets nothing in from elsewhere', async (path, type) => {
    const { status, headers, body } = await bytes(path, {})
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(body.length).toBeGreaterThan(200)
    expect((await bytes(path, { 'if-none-match': headers.etag! })).status).toBe(304)
    if (path === '/docs') {
      const text = body.toString()
      expect(text).not.toMatch(/<script>|<style|style="|https?:\/\//)
      for (const [, asset] of text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g))
        expect([asset, (await bytes(asset!, {})).status]).toEqual([asset, 200])
    }
  })

  it('llms.txt names every operation', async () => {
    const text = (await bytes('/llms.txt', {})).body.toString()
    const { registry } = await import('@les/contract')
    for (const { method, path } of registry) expect(text).toContain(`${method} /api/v1${path} `)
  })
})
