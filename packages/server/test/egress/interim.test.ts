/** Interim (1xx) responses before the final one, on raw sockets. */
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openGuardedEgress, openPooledEgress, type Egress } from '../../src/platform/egress/index.ts'
import { tcpReceiver } from './receivers.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}

const ways: [string, () => Egress][] = [
  ['customers', () => openGuardedEgress({ allowPrivate: true, system: systemClock })],
  ['vendors', () => openPooledEgress()],
]

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const goOnWithHeaders = 'HTTP/1.1 100 Continue\r\nServer: IIS\r\nDate: Sat, 28 Nov 2026 09:00:00 GMT\r\n\r\n'
const processing = 'HTTP/1.1 102 Processing\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'
const answer = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 2\r\nX-Kept: yes\r\n\r\nok`

const answering = (pieces: readonly string[]) =>
  tcpReceiver((socket) => {
    socket.setNoDelay(true)
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        if (pieces.length > 1) await systemClock.sleep(3)
      }
    })
  })

const cases: [string, readonly string[]][] = [
  ['100 in the packet of the answer', [goOn + answer('200 OK')]],
  ['100 in a packet of its own', [goOn, answer('200 OK')]],
  ['100 with headers', [goOnWithHeaders + answer('200 OK')]],
  ['100, then 102', [goOn, processing, answer('200 OK')]],
  ['several times 100', [goOn + goOn + goOnWithHeaders, goOn, answer('200 OK')]],
  ['103, before and behind 100', [hints + goOn + hints + answer('200 OK')]],
  ['100 of HTTP/1.0', [goOn.replace('1.1', '1.0') + answer('200 OK')]],
  ['100 in packets of a byte', [...(goOn + processing), answer('200 OK')]],
  ['100 cut inside the answer that follows', [`${goOn}HTTP/1.1 2`, answer('200 OK').slice('HTTP/1.1 2'.length)]],
]

describe.each(ways)('the way out to %s', (_whom, openEgress) => {
  test.each(cases)('takes %s for no answer, on one connection again and again [WLD-04]', async (_what, pieces) => {
    const receiver = kept(await answering(pieces))
    const egress = kept(openEgress())
    for (let exchange = 0; exchange < 3; exchange++) {
      const { status, headers, body } = await egress.request({
        method: 'POST',
        url: receiver.url,
        body: '{}',
        timeoutMs: 4_000,
        maxBytes: 1_000,
      })
      expect([status, headers['x-kept'], body.toString()]).toEqual([200, 'yes', 'ok'])
    }
    expect(receiver.connections()).toBeLessThanOrEqual(2)
  })

  test.each(['410 Gone', '429 Too Many Requests', '503 Service Unavailable'])(
    'reads %s behind interim answers, and a body that looks like one as it is [WLD-04]',
    async (status) => {
      const head = `HTTP/1.1 ${status}\r\nRetry-After: 7\r\nContent-Length: ${goOn.length}\r\n\r\n`
      const receiver = kept(await answering([goOn, processing + head, goOn]))
      const {
        status: read,
        headers,
        body,
      } = await kept(openEgress()).request({
        method: 'GET',
        url: receiver.url,
        timeoutMs: 4_000,
        maxBytes: 1_000,
      })
      expect([read, headers['retry-after'], body.toString()]).toEqual([Number(status.slice(0, 3)), '7', goOn])
    },
  )

  test.each([
    ['101 Switching Protocols', ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n']],
    ['an interim answer without end', [`HTTP/1.1 100 Continue\r\n${`X: ${'y'.repeat(1_000)}\r\n`.repeat(300)}`]],
  ])('takes %s for a broken connection [WLD-04]', async (_what, pieces) => {
    const receiver = kept(await answering(pieces))
    await expect(
      kept(openEgress()).request({ method: 'POST', url: receiver.url, body: '{}', timeoutMs: 4_000, maxBytes: 1_000 }),
    ).rejects.toMatchObject({ kind: expect.stringMatching(/connection|too_large/) })
  })

  test('gives up at the deadline where interim answers never end [WLD-04]', async () => {
    const receiver = kept(
      await tcpReceiver((socket) => {
        const timer = setInterval(() => socket.write(goOn), 10)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    await expect(
      kept(openEgress()).request({ method: 'POST', url: receiver.url, body: '{}', timeoutMs: 200, maxBytes: 1_000 }),
    ).rejects.toMatchObject({ kind: 'timeout' })
  })
})
