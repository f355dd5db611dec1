import { createServer as createTcp } from 'node:net'
import { describe, expect, test } from 'vitest'
import { deliverStep } from '../../src/modules/delivery/index.ts'
import { EgressFailure, openGuardedEgress, type Egress } from '../../src/platform/egress/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { long } from '../world/amount.ts'
import { tcpReceiver } from '../egress/receivers.ts'
import { answer, useSources, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
useSources('hostile', (opened) => ({ stage, inbox, id } = opened))

/** One attempt with this timeout. A dripping receiver never ends by itself, so without one the test would not end either. */
const attempt = async (timeoutMs = 20_000): Promise<void> =>
  expect(await deliverStep({ ...stage.deps, timeoutMs })()).toBe('worked')

function pourFrom(to: Inbox): { bytes: number } {
  const poured = { bytes: 0 }
  const chunk = Buffer.alloc(65_536, 'x')
  to.reply = (response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && poured.bytes < 1e9) {
        poured.bytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', pour)
      }
    }
    pour()
  }
  return poured
}

describe('a hostile receiver', () => {
  test('that drips its headers or its body is given up in time [WHK-27]', async () => {
    const slow = await tcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    await stage.put(id, { webhookUrl: slow.url })
    const lead = await stage.detect(id)
    await attempt(300)
    expect((await stage.log(lead))[0]).toMatchObject({ status: null, outcome: 'timeout' })
    expect(await stage.delivery(lead)).toMatchObject({ state: 'pending', attempts: 1 })
    await slow.close()

    inbox.reply = (response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    }
    await stage.put(id, { webhookUrl: inbox.url })
    stage.advance(6_000)
    await attempt(300)
    expect((await stage.log(lead))[1]).toMatchObject({ status: null, outcome: 'timeout' })
  })

  test('that answers a huge body is read to 64 KB and kept to 16 KB', async () => {
    const poured = pourFrom(inbox)
    const lead = await stage.detect(id)
    await attempt()
    const [line] = await stage.log(lead)
    expect(line).toMatchObject({ status: 200, outcome: 'delivered' })
    expect(line!.response!.length).toBeLessThanOrEqual(16_384)
    expect(poured.bytes).toBeLessThan(20e6)
    expect(await stage.leadStatus(lead)).toBe('sent')
  })

  test.runIf(long)('forty times at once costs less than 50 MB of memory', async () => {
    pourFrom(inbox)
    for (let n = 0; n < 40; n++) await stage.detect(id)
    const { rss } = process.memoryUsage()
    let most = rss
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    const step = deliverStep(stage.deps)
    await Promise.all(Array.from({ length: 8 }, () => stage.drain(step)))
    clearInterval(watch)
    process.stdout.write(`hostile.test: 40 endless answers cost ${Math.round((most - rss) / 1e6)} MB at most\n`)
    expect(inbox.received).toHaveLength(40)
    expect(most - rss).toBeLessThan(50e6)
  })

  test.each([
    ['100 Continue unasked, and then 200', 'HTTP/1.1 100 Continue\r\n\r\n', '200 OK', 'sent'],
    ['100 and 102, and then 200', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n', '200 OK', 'sent'],
    ['100, and then 410', 'HTTP/1.1 100 Continue\r\n\r\n', '410 Gone', 'held'],
  ])('that answers %s is understood at the first attempt [WLD-04]', async (_what, before, status, state) => {
    let posts = 0
    const polite = await tcpReceiver((socket) => {
      socket.on('data', () => {
        posts += 1
        socket.end(`${before}HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
      })
    })
    await stage.put(id, { webhookUrl: polite.url })
    const lead = await stage.detect(id)
    await attempt()
    expect(await stage.delivery(lead)).toMatchObject({ state, attempts: 1 })
    expect(await stage.leadStatus(lead)).toBe(state === 'sent' ? 'sent' : 'pending')
    expect(posts).toBe(1)
    await polite.close()
  })

  test('that is not there, closes or resets the connection, speaks no HTTP or sends endless headers is tried again', async () => {
    const nobody = createTcp()
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
    const { port } = nobody.address() as { port: number }
    await new Promise((resolve) => nobody.close(resolve))
    const receivers = [
      await tcpReceiver((socket) => void socket.end()),
      await tcpReceiver((socket) => void socket.resetAndDestroy()),
      await tcpReceiver((socket) => void socket.end('SSH-2.0-x\r\n')),
      await tcpReceiver(
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbbbbbb\r\n'.repeat(5_000)}`),
      ),
    ]
    for (const url of [`http://127.0.0.1:${port}/`, ...receivers.map((receiver) => receiver.url)]) {
      await stage.put(id, { webhookUrl: url })
      const lead = await stage.detect(id)
      await attempt()
      expect(['connection', 'too_large']).toContain((await stage.log(lead))[0]!.outcome)
      expect(await stage.delivery(lead)).toMatchObject({ state: 'pending', attempts: 1 })
      expect(await stage.leadStatus(lead)).toBe('pending')
    }
    for (const receiver of receivers) await receiver.close()
  })

  test('whose answer has control characters is stored without them', async () => {
    inbox.reply = answer(400, {}, 'a\u0000b\u001b[2Jc\nd')
    const lead = await stage.detect(id)
    await attempt()
    expect((await stage.log(lead))[0]!.response).toBe('ab[2Jc d')
  })
})

describe('a private address', () => {
  test('that was saved under the switch is refused at send once it is off: no connection, a failed attempt [WHK-03]', async () => {
    const lead = await stage.detect(id)
    const strict = openGuardedEgress({ allowPrivate: false, system: systemClock })
    await stage.drain(deliverStep({ ...stage.deps, allowPrivate: false, egress: strict }))
    expect(inbox.received).toHaveLength(0)
    expect((await stage.log(lead))[0]).toMatchObject({ status: null, outcome: 'refused_address' })
    expect(await stage.delivery(lead)).toMatchObject({ state: 'pending', attempts: 1 })
    await strict.close()
  })

  test('and so is http, that was saved under the switch too [WHK-03]', async () => {
    await stage.put(id, { webhookUrl: 'http://hooks.example.com/in' })
    const lead = await stage.detect(id)
    const asked: string[] = []
    const open: Egress = {
      request: async ({ url }) => {
        asked.push(url)
        throw new EgressFailure('connection', 'not in this test')
      },
      close: async () => {},
    }
    await stage.drain(deliverStep({ ...stage.deps, allowPrivate: false, egress: open }))
    expect(asked).toEqual([])
    expect((await stage.log(lead))[0]).toMatchObject({ status: null, outcome: 'refused_address' })
  })

  test('behind a public name is refused at send [WHK-03]', async () => {
    const rebinding = openGuardedEgress({
      allowPrivate: false,
      system: systemClock,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    await stage.put(id, { webhookUrl: 'https://rebind.example.com/hook' })
    const lead = await stage.detect(id)
    await stage.drain(deliverStep({ ...stage.deps, allowPrivate: false, egress: rebinding }))
    expect((await stage.log(lead))[0]).toMatchObject({ status: null, outcome: 'refused_address' })
    await rebinding.close()
  })
})

test('an attempt that the closing service gives up does not count, and the delivery waits', async () => {
  inbox.reply = () => {}
  const egress = openGuardedEgress({ allowPrivate: true, system: systemClock })
  const lead = await stage.detect(id)
  const stepping = deliverStep({ ...stage.deps, egress })()
  await expect.poll(() => inbox.received.length).toBe(1)
  await egress.close()
  expect(await stepping).toBe('idle')
  expect(await stage.delivery(lead)).toMatchObject({ state: 'pending', attempts: 0 })
  expect(await stage.log(lead)).toHaveLength(0)
})
