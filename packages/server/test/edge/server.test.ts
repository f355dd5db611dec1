import net from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { sendBytes, splitAnswers } from './raw-socket.ts'
import { operatorToken, request, startLocalService, type LocalService } from './local-service.ts'

let service: LocalService
let stopped = true
const start = async (options?: Parameters<typeof startLocalService>[0]) => {
  stopped = false
  return (service = await startLocalService(options))
}
afterEach(async () => {
  if (!stopped) await service.stop()
  stopped = true
})

test('health needs no key: alive always, ready while the database answers', async () => {
  await start()
  expect((await service.call('GET', '/livez')).body).toEqual({ status: 'ok' })
  const ready = await service.call('GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'ready', database: 'ok', draining: false, sandbox: false, roles: ['http'] },
  ])
  for (const path of ['/livez', '/readyz', '/openapi.json']) expect((await service.call('HEAD', path)).status).toBe(200)
  await service.database.close()
  const lost = await service.call('GET', '/readyz')
  expect([lost.status, lost.body.database]).toEqual([503, 'unreachable'])
  expect((await service.call('GET', '/livez')).status).toBe(200)
  const call = await service.api('GET', '/keys', 'x')
  expect([call.status, call.headers['x-ratelimit-limit']]).toEqual([503, '120'])
})

test('every reply of a service on the sandbox says so, and no reply of another', async () => {
  await start({ sandbox: true })
  const { key } = await service.team()
  const targets = [
    '/api/v1/keys',
    '/api/v1/nope',
    '/openapi.json',
    '/livez',
    '/readyz',
    '/nope',
    '/operator/clock',
    '/%zz',
  ]
  for (const path of targets)
    expect([path, (await service.call('GET', path, { key })).headers['x-sandbox']]).toEqual([path, 'true'])
  expect(splitAnswers((await sendBytes(service.url, ['nonsense\r\n\r\n'])).text)[0]!.headers['x-sandbox']).toBe('true')
  await service.stop()
  await start()
  for (const path of targets) expect((await service.call('GET', path)).headers).not.toHaveProperty('x-sandbox')
})

test('an operator surface with a port of its own is there alone, and nothing else is', async () => {
  await start({ operatorPort: 0 })
  const { key } = await service.team()
  const own = service.server.operatorAddress()
  expect(own).not.toBe(service.url)
  const headers = { authorization: `Bearer ${operatorToken}` }
  for (const path of ['/operator/clock', '/operator', '/operator/teams', '//operator/clock'])
    expect([path, (await service.call('GET', path, { headers })).status]).toEqual([path, 404])
  expect((await request(own, 'GET', '/operator/clock', { headers })).status).toBe(200)
  expect((await request(own, 'GET', '/operator/clock')).status).toBe(401)
  for (const path of ['/api/v1/keys', '/livez', '/readyz', '/openapi.json', '/app/api/me', '/mcp', '/'])
    expect([path, (await request(own, 'GET', path, { key, headers })).status]).toEqual([path, 404])
  expect(splitAnswers((await sendBytes(own, ['nonsense\r\n\r\n'])).text)[0]!.status).toBe(400)
  await service.stop()
  stopped = true
  await expect(request(own, 'GET', '/operator/clock', { headers })).rejects.toThrow()
})

test('closing finishes what is under way and takes no more', async () => {
  await start()
  const { key } = await service.team()
  let arrived = () => {}
  const underWay = new Promise<void>((resolve) => (arrived = resolve))
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  service.stubs.getCredits = async () => {
    arrived()
    await held
    return { balance: 1, used: 0, limit: 1, remaining: 1, plan: 'growth', nextReset: '2026-07-01T00:00:00.000Z' }
  }
  const slow = service.api('GET', '/credits', key)
  await underWay
  const closing = service.server.close()
  await expect(service.call('GET', '/livez')).rejects.toThrow()
  release()
  const answer = await slow
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close'])
  await closing
  await service.stop()
  stopped = true
})

test('closing ends in time though a handler never answers: its caller is cut off', async () => {
  const slept: number[] = []
  const system = { ...systemClock, expire: async (ms: number) => void slept.push(ms) }
  const silent = await startLocalService({ system })
  const { key } = await silent.team()
  let arrived = () => {}
  const underWay = new Promise<void>((resolve) => (arrived = resolve))
  silent.stubs.getCredits = () => {
    arrived()
    return new Promise(() => {})
  }
  const cut = expect(silent.api('GET', '/credits', key)).rejects.toThrow()
  await underWay
  await silent.server.close()
  await cut
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10_000)
  await silent.stop()
})

test('a connection kept alive does not hold up closing', async () => {
  await start()
  const { port } = new URL(service.url)
  const idle = net.connect(Number(port))
  const closed = new Promise<string>((resolve) => idle.on('close', () => resolve('closed')))
  idle.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = await new Promise<Buffer>((resolve) => idle.once('data', resolve))
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: keep-alive\r\n/i)
  await service.server.close()
  expect(await closed).toBe('closed')
})

const credits = 'GET /api/v1/credits HTTP/1.1\r\nHost: x\r\n\r\n'
const post = 'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\n'
const twice: Record<string, string> = {
  'two hosts': `GET /api/v1/keys HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`,
  'a length and chunks': `${post}Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks by another name': `${post}Content-Length: 4\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a blank before the colon': `${post}Transfer-Encoding : chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
  'two codings': `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  'chunks that are packed': `${post}Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'the same length twice': `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  'a list of lengths': `${post}Content-Length: 2, 2\r\n\r\n{}`,
  'a length with a sign': `${post}Content-Length: +2\r\n\r\n{}`,
  'a folded line': `${post}Transfer-Encoding:\r\n chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'a line feed in what a chunk says of itself': `${post}Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n{}\r\n0\r\n\r\n`,
  'chunks between line feeds': `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`,
  'a chunk that is longer than it says': `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
  'a head between line feeds': credits.replaceAll('\r', ''),
  'a carriage return alone': 'GET /api/v1/keys HTTP/1.1\r\nHost: x\r\nX: a\rX-B: c\r\n\r\n',
}

describe('what comes over a wire', () => {
  // One service for all cases: a request must not affect the next.
  let wire: LocalService
  beforeAll(async () => {
    wire = await startLocalService()
  })
  afterAll(() => wire.stop())

  const rateNames = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  const long = 'y'.repeat(100_000)
  const keys = '/api/v1/keys HTTP/1.1\r\n'
  // Below the API prefix an answer without a team has the anonymous rate headers of reads or writes; elsewhere it has none.
  test.each([
    ['a line that is no request', 'nonsense\r\n\r\n', 400, '120'],
    ['a method nobody knows', `FOO ${keys}Host: x\r\n\r\n`, 400, '60'],
    ['a version nobody knows', 'GET /api/v1/keys HTTP/9.9\r\n\r\n', 400, '120'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, null],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, null],
    ['two hosts', `PATCH ${keys}Host: a\r\nHost: b\r\n\r\n`, 400, '60'],
    ['two lengths', `POST ${keys}Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, '60'],
    [
      'a length and chunks',
      `POST ${keys}Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      '60',
    ],
    ['a chunk of no length', `POST ${keys}Host: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, '60'],
    ['a head that is too large', `GET ${keys}X: ${long}`, 431, '120'],
    ['an address that is too long', `POST /api/v1/keys?x=${long}`, 431, '60'],
    ['a head cut short', `GET ${keys}Hos`, 400, '120'],
    ['a head that is no head', `GET ${keys}no colon\r\n\r\n`, 400, '120'],
    ['no Host', `GET ${keys}\r\n`, 401, '120'],
    ['the absolute form', 'GET http://example.com/api/v1/keys HTTP/1.1\r\nHost: x\r\n\r\n', 401, '120'],
    ['the absolute form, and no head', 'GET http://example.com/api/v1/keys HTTP/1.1\r\nno colon\r\n\r\n', 400, '120'],
    ['an upgrade', `GET ${keys}Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 401, '120'],
    ['an expectation nobody can meet', `GET ${keys}Host: x\r\nExpect: miracles\r\n\r\n`, 401, '120'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404, null],
    ['raw bytes in the path', Buffer.from(`GET /api/v1/k\xe9ys HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'), 400, '120'],
  ])(
    '%s is answered in JSON, not cut off, with the rate headers of nobody below the interface [ERR-01, FIX-06, G4]',
    async (_what, bytes, status, limit) => {
      const answer = await sendBytes(wire.url, [bytes])
      expect([answer.reset, answer.late]).toEqual([false, false])
      const [first] = splitAnswers(answer.text)
      expect([first!.status, first!.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8'])
      expect(JSON.parse(first!.body)).toMatchObject({
        error: expect.any(String),
        requestId: first!.headers['x-request-id'],
      })
      if (limit === null) return
      expect(rateNames.map((name) => first!.headers[name])).toEqual([limit, limit, expect.stringMatching(/^\d{10}$/)])
    },
  )

  test('a head that comes in pieces is refused with the rate headers too, and elsewhere no answer carries any [FIX-06]', async () => {
    const { text } = await sendBytes(wire.url, ['GET /api/v1/ke', `ys HTTP/1.1\r\nX: ${long}`])
    expect(splitAnswers(text)[0]).toMatchObject({ status: 431, headers: { 'x-ratelimit-limit': expect.any(String) } })
    for (const bytes of [
      `GET /docs HTTP/1.1\r\nX: ${long}`,
      'GET /operator/clock HTTP/1.1\r\nno colon\r\n\r\n',
      'GET /nope HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n',
    ])
      expect([bytes.slice(0, 40), splitAnswers((await sendBytes(wire.url, [bytes])).text)[0]!.headers]).toEqual([
        bytes.slice(0, 40),
        expect.not.objectContaining({ 'x-ratelimit-limit': expect.anything() }),
      ])
  })

  test('a tunnel is refused as the table of errors has it [FIX-12]', async () => {
    const [first] = splitAnswers(
      (await sendBytes(wire.url, ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'])).text,
    )
    expect([first!.status, JSON.parse(first!.body), first!.headers.allow]).toEqual([
      405,
      { error: expect.any(String), code: 'method_not_allowed', allowed: [], requestId: expect.any(String) },
      '',
    ])
  })

  test('what a server before this one may take for two requests is refused, and nothing after it is served', async () => {
    for (const [what, bytes] of Object.entries(twice)) {
      const { text, reset, late } = await sendBytes(wire.url, [bytes + credits])
      const answers = splitAnswers(text)
      expect([what, reset, late, answers.map(({ status }) => status)]).toEqual([what, false, false, [400]])
      expect(answers[0]!.headers.connection).toBe('close')
    }
  })

  test('a request that takes more than ten seconds to arrive is given up, with the rate headers [FIX-06]', async () => {
    const { server } = wire.server.app
    expect([server.requestTimeout, server.headersTimeout]).toEqual([10_000, 10_000])
    // Uses a timeout of a second to keep the test short.
    Object.assign(server, { requestTimeout: 1_000, headersTimeout: 1_000 })
    const { port } = new URL(wire.url)
    const { key } = await wire.team()
    const slow = net.connect(Number(port))
    const text = new Promise<string>((resolve) => {
      let all = ''
      slow.on('data', (chunk) => (all += chunk))
      slow.on('error', () => {})
      slow.on('close', () => resolve(all))
    })
    slow.write(`POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 10\r\n\r\n{`)
    const [first] = splitAnswers(await text)
    Object.assign(server, { requestTimeout: 10_000, headersTimeout: 10_000 })
    expect([first!.status, first!.headers['x-ratelimit-limit']]).toEqual([408, '60'])
    expect((await wire.api('GET', '/keys', key)).body.keys).toHaveLength(1)
  })

  test('requests sent ahead of their answers are served in turn, and whoever sends a flood of them is cut off alone', async () => {
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const paths = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? '/livez' : '/nope'))
    const { text } = await sendBytes(wire.url, [paths.map(ask).join('')])
    expect(splitAnswers(text).map(({ status }) => status)).toEqual(paths.map((path) => (path === '/livez' ? 200 : 404)))
    const flood = net.connect(Number(new URL(wire.url).port))
    const ended = new Promise<void>((resolve) => flood.on('close', () => resolve()).on('error', () => {}))
    flood.write(ask('/openapi.json').repeat(1_400))
    await ended
    expect(flood.bytesRead).toBeLessThan(20_000_000)
    expect((await wire.call('GET', '/livez')).status).toBe(200)
  })

  test('an answer is not lost to bytes nobody read', async () => {
    const body = Buffer.alloc(4_000_000, 0x20)
    for (const path of ['/api/v1/keys', '/api/v1/nope', '/nope', '/operator/teams']) {
      const answer = await sendBytes(wire.url, [
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
        body,
      ])
      expect([path, answer.reset]).toEqual([path, false])
      expect(splitAnswers(answer.text)[0]!.status).toBe(path === '/nope' ? 404 : 401)
    }
  })
})

describe('who asks and does not read', () => {
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const open = async (): Promise<net.Socket> => {
    const socket = net.connect(Number(new URL(service.url).port))
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }
  const held = () =>
    new Promise<number>((resolve, reject) =>
      service.server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )

  test('is let go once nothing of an answer has left for so long; who waits for an answer is not [SEC-04]', async () => {
    await start({ connections: { connections: 100, unreadMs: 150 } })
    const { key } = await service.team()
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    service.stubs.getCredits = async () => {
      await until
      return { balance: 1, used: 0, limit: 1, remaining: 1, plan: 'growth', nextReset: '2026-07-01T00:00:00.000Z' }
    }
    const patient = service.api('GET', '/credits', key)
    const readers = await Promise.all(Array.from({ length: 5 }, open))
    await expect.poll(held, { timeout: 45_000 }).toBe(6)
    for (const reader of readers) reader.pause().write(ask('/openapi.json').repeat(90))
    // Only the request that waits for its handler is left.
    await expect.poll(held, { timeout: 45_000 }).toBe(1)
    release()
    expect((await patient).status).toBe(200)
    for (const reader of readers) reader.destroy()
  })

  test('finds no more connections than may be, and those that are only kept for later make room [SEC-04]', async () => {
    await start({ connections: { connections: 3, unreadMs: 60_000 } })
    const sockets = [await open(), await open(), await open()]
    const ends = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve)))
    for (const socket of sockets) {
      socket.write(ask('/livez'))
      expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toMatch(/^HTTP\/1\.1 200 /)
    }
    const beyond = await open()
    await new Promise((resolve) => beyond.on('close', resolve))
    await Promise.all(ends)
    expect((await service.call('GET', '/livez')).status).toBe(200)
  })
})
