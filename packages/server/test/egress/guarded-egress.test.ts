import net from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import {
  type Egress,
  EgressFailure,
  type EgressRequest,
  type Lookup,
  openGuardedEgress,
} from '../../src/platform/egress/index.ts'
import { ADDRESS_TRICKS } from './address-tricks.ts'
import { httpReceiver, type Receiver, tcpReceiver } from './receivers.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(open.splice(0).map((one) => one.close()))
})
function kept<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one)
  return one
}
const egress = (allowPrivate: boolean, lookup?: Lookup): Egress =>
  kept(openGuardedEgress({ allowPrivate, system: systemClock, ...(lookup ? { lookup } : {}) }))
const post = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'POST',
  url,
  body: '{}',
  timeoutMs: 2_000,
  maxBytes: 1_000,
  ...more,
})
async function failure(promise: Promise<unknown>): Promise<EgressFailure> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(EgressFailure)
  return error as EgressFailure
}
const v4 = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }))

describe('connections', () => {
  test('are kept for the next exchange with the same origin, and used by nobody else', async () => {
    const [one, other] = [
      kept(await httpReceiver((_request, response) => response.end('ok'))),
      kept(await httpReceiver((_request, response) => response.end('ok'))),
    ]
    const shared = egress(true)
    for (let exchange = 0; exchange < 5; exchange++) {
      await shared.request(post(one.url))
      await shared.request(post(other.url))
    }
    for (const receiver of [one, other]) expect(receiver.connections()).toBeLessThan(5)
  })

  test('are ended by an exchange that does not end well', async () => {
    const endless = kept(await httpReceiver((_request, response) => void response.write('x'.repeat(5_000))))
    const shared = egress(true)
    for (let exchange = 0; exchange < 3; exchange++)
      expect((await failure(shared.request(post(endless.url)))).kind).toBe('too_large')
    expect(endless.connections()).toBe(3)
    await expect.poll(() => endless.open()).toBe(0)
  })

  test('look their host up each time one is made, so that a name that moves is followed and judged', async () => {
    let keeping = true
    const receiver = kept(
      await httpReceiver((_request, response) =>
        response.writeHead(200, keeping ? {} : { connection: 'close' }).end('ok'),
      ),
    )
    const lookup = vi.fn<Lookup>(async () => v4('127.0.0.1'))
    const shared = egress(true, lookup)
    const url = `http://moving.example.com:${receiver.port}/`
    for (let exchange = 0; exchange < 6; exchange++) await shared.request(post(url))
    const made = receiver.connections()
    expect(made).toBeLessThan(6)
    expect(lookup).toHaveBeenCalledTimes(made)
    keeping = false
    for (let exchange = 0; exchange < 4; exchange++) await shared.request(post(url))
    expect(receiver.connections()).toBeGreaterThanOrEqual(made + 2)
    expect(lookup).toHaveBeenCalledTimes(receiver.connections())
  })
})

describe('destinations inside', () => {
  test('no trick makes a single connection', async () => {
    const canary = kept(await httpReceiver((_request, response) => response.end('inside')))
    const connects = vi.spyOn(net.Socket.prototype, 'connect')
    const lookups = vi.fn<Lookup>(async () => v4('127.0.0.1'))
    const guarded = egress(false, lookups)
    for (const trick of ADDRESS_TRICKS) {
      const refused = await failure(guarded.request(post(trick.replace('PORT', String(canary.port)))))
      expect(refused.kind, trick).toBe('refused_address')
    }
    expect(connects).not.toHaveBeenCalled()
    expect(canary.connections()).toBe(0)
  })

  test.each([
    ['loopback', v4('127.0.0.1')],
    ['a public answer beside a private one', v4('1.1.1.1', '10.0.0.1')],
    ['a private answer beside a public one', v4('10.0.0.1', '1.1.1.1')],
    ['a private IPv6 answer beside a public IPv4 one', v4('1.1.1.1', 'fd00::1')],
    ['a mapped address', v4('::ffff:127.0.0.1')],
    ['a compatible address', v4('::127.0.0.1')],
    ['a translated address', v4('64:ff9b::7f00:1')],
    ['something unreadable', v4('not an address')],
    ['machine credentials', v4('169.254.169.254')],
  ])('a name that resolves to %s is refused without a connection', async (_name, addresses) => {
    const connects = vi.spyOn(net.Socket.prototype, 'connect')
    const refused = await failure(egress(false, async () => addresses).request(post('https://rebind.example.com/')))
    expect(refused.kind).toBe('refused_address')
    expect(connects).not.toHaveBeenCalled()
  })

  test('a name that was public at first and private later is refused later', async () => {
    const answers = [v4('1.1.1.1', '127.0.0.1'), v4('127.0.0.1')]
    const guarded = egress(false, async () => answers.shift() ?? v4('127.0.0.1'))
    for (let call = 0; call < 3; call += 1)
      expect((await failure(guarded.request(post('https://rebind.example.com/')))).kind).toBe('refused_address')
  })

  test('a connection that ends up inside, although a public address was dialled, is refused before a byte is sent', async () => {
    const inside = kept(await httpReceiver((_request, response) => response.end('inside')))
    const dial = net.Socket.prototype.connect
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket) {
      return Reflect.apply(dial, this, [{ host: '127.0.0.1', port: inside.port }])
    })
    const refused = await failure(egress(false, async () => v4('1.1.1.1')).request(post('http://moved.example.com/')))
    expect(refused.kind).toBe('refused_address')
    expect(inside.requests).toEqual([])
  })

  test('the connection uses the checked answer and never resolves again', async () => {
    const receiver = kept(await httpReceiver((request, response) => response.end(request.headers.host)))
    let calls = 0
    const lookup: Lookup = async () => (++calls === 1 ? v4('127.0.0.1') : v4('127.0.0.2'))
    const answer = await egress(true, lookup).request(post(`http://hooks.example.com:${receiver.port}/x`))
    expect(answer.body.toString()).toBe(`hooks.example.com:${receiver.port}`)
    expect(calls).toBe(1)
  })

  test('a name without any answer fails as a connection', async () => {
    const none = await failure(egress(false, async () => []).request(post('https://gone.example.com/')))
    expect(none).toMatchObject({ kind: 'connection', message: 'The host name does not resolve.' })
  })
})

describe('hostile receivers', () => {
  const reach = (receiver: Receiver, more: Partial<EgressRequest> = {}) =>
    egress(true).request(post(receiver.url, more))

  test('a redirect is an answer and is not followed', async () => {
    const inside = kept(await httpReceiver((_request, response) => response.end('inside')))
    const receiver = kept(
      await httpReceiver((_request, response) => response.writeHead(302, { location: inside.url }).end()),
    )
    const answer = await reach(receiver)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(inside.url)
    expect(inside.connections()).toBe(0)
  })

  test('a body that drips is cut at the time-out', async () => {
    const receiver = kept(
      await httpReceiver((_request, response) => {
        response.write('a')
        const timer = setInterval(() => response.write('a'), 10)
        response.on('close', () => clearInterval(timer))
      }),
    )
    const cut = await failure(reach(receiver, { timeoutMs: 150 }))
    expect(cut.kind).toBe('timeout')
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('headers that drip, or never come, are cut at the time-out', async () => {
    const drip = kept(
      await tcpReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('x-a: b\r\n'), 10)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    const silent = kept(await tcpReceiver(() => {}))
    for (const receiver of [drip, silent]) {
      expect((await failure(reach(receiver, { timeoutMs: 100 }))).kind).toBe('timeout')
      await expect.poll(() => receiver.open()).toBe(0)
    }
  })

  test('a resolver that hangs is cut at the time-out', async () => {
    const hanging: Lookup = () => new Promise(() => {})
    expect(
      (await failure(egress(false, hanging).request(post('https://slow.example.com/', { timeoutMs: 60 })))).kind,
    ).toBe('timeout')
  })

  test('a TLS handshake that hangs is given up at the time-out, and its connection soon after', async () => {
    const silent = kept(await tcpReceiver(() => {}))
    const impatient = kept(openGuardedEgress({ allowPrivate: true, system: systemClock, connectTimeoutMs: 300 }))
    expect(
      (await failure(impatient.request(post(silent.url.replace('http:', 'https:'), { timeoutMs: 100 })))).kind,
    ).toBe('timeout')
    await expect.poll(() => silent.open()).toBe(0)
  })

  test('an endless body is read to maxBytes and the socket destroyed', async () => {
    const receiver = kept(
      await tcpReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        const chunk = `4000\r\n${'z'.repeat(0x4000)}\r\n`
        const pump = () => {
          while (!socket.destroyed && socket.write(chunk));
        }
        socket.on('drain', pump)
        pump()
      }),
    )
    const answer = await reach(receiver, { maxBytes: 64_000, onTooLarge: 'truncate' })
    expect(answer).toMatchObject({ status: 200, truncated: true })
    expect(answer.body.length).toBe(64_000)
    await expect.poll(() => receiver.open()).toBe(0)
    expect((await failure(reach(receiver, { maxBytes: 64_000 }))).kind).toBe('too_large')
  })

  test('a body of exactly maxBytes is whole', async () => {
    const receiver = kept(await httpReceiver((_request, response) => response.end('x'.repeat(1_000))))
    expect(await reach(receiver)).toMatchObject({ truncated: false })
    expect(await reach(receiver, { maxBytes: 999, onTooLarge: 'truncate' })).toMatchObject({ truncated: true })
  })

  test('a compressed body stays compressed, and none is asked for', async () => {
    const { gzipSync } = await import('node:zlib')
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    let accepted: string | undefined
    const receiver = kept(
      await httpReceiver((request, response) => {
        accepted = request.headers['accept-encoding']?.toString()
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
      }),
    )
    const answer = await reach(receiver, { maxBytes: 10_000 })
    expect(answer.body.equals(bomb)).toBe(true)
    expect(accepted).toBeUndefined()
  })

  test('huge headers are refused', async () => {
    const receiver = kept(
      await tcpReceiver((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'h'.repeat(64 * 1024)}\r\n\r\n`)),
    )
    expect((await failure(reach(receiver))).kind).toBe('too_large')
  })

  test('endless small headers are refused', async () => {
    const receiver = kept(
      await tcpReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const pump = () => {
          while (!socket.destroyed && socket.write('x-a: b\r\n'.repeat(500)));
        }
        socket.on('drain', pump)
        pump()
      }),
    )
    expect((await failure(reach(receiver))).kind).toBe('too_large')
  })

  test('a reset, a refusal and no HTTP at all are connection failures', async () => {
    const reset = kept(await tcpReceiver((socket) => socket.resetAndDestroy()))
    const garbage = kept(await tcpReceiver((socket) => socket.end('hello\r\n\r\n')))
    const gone = await tcpReceiver(() => {})
    await gone.close()
    for (const receiver of [reset, garbage, gone]) expect((await failure(reach(receiver))).kind).toBe('connection')
  })

  test('the caller and close() can give up what is in flight', async () => {
    const silent = kept(await tcpReceiver(() => {}))
    const caller = new AbortController()
    const one = failure(reach(silent, { signal: caller.signal }))
    caller.abort()
    expect((await one).kind).toBe('aborted')
    const guarded = egress(true)
    const two = failure(guarded.request(post(silent.url)))
    await guarded.close()
    expect((await two).kind).toBe('aborted')
    expect((await failure(guarded.request(post(silent.url)))).kind).toBe('aborted')
  })

  test('one attempt is one request, sent as it was given', async () => {
    let seen = ''
    const receiver = kept(
      await httpReceiver((request, response) => {
        request.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk))
        request.on('end', () => response.writeHead(204, { 'x-two': ['a', 'b'] }).end())
      }),
    )
    const answer = await reach(receiver, { body: '{"a":"ü"}', headers: { 'content-type': 'application/json' } })
    expect(answer).toMatchObject({ status: 204, headers: { 'x-two': 'a, b' }, truncated: false })
    expect(answer.elapsedMs).toBeGreaterThanOrEqual(0)
    expect(seen).toBe('{"a":"ü"}')
    expect(receiver.requests).toEqual(['POST /'])
  })
})
