import { afterEach, expect, test } from 'vitest'
import { openPooledEgress } from '../../src/platform/egress/index.ts'
import { httpReceiver, tcpReceiver } from './receivers.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}
const get = (url: string, timeoutMs = 2_000) => ({ method: 'GET', url, timeoutMs, maxBytes: 10_000 }) as const

test('connections are kept and used again, and a path prefix is kept', async () => {
  const vendor = kept(await httpReceiver((_request, response) => response.end('ok')))
  const egress = kept(openPooledEgress())
  for (let call = 0; call < 5; call += 1) await egress.request(get(`${vendor.url}/prefix/x?a=b`))
  // The pool may open a second connection while the first is just finishing an answer.
  expect(vendor.connections()).toBeLessThanOrEqual(2)
  expect(vendor.requests[0]).toBe('GET /prefix/x?a=b')
})

test('an answer that came while this process stood still beyond the deadline is an answer', async () => {
  const vendor = kept(
    await httpReceiver((_request, response) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600)
      response.end('ok')
    }),
  )
  const { status, body } = await kept(openPooledEgress()).request(get(vendor.url, 1_500))
  expect([status, body.toString()]).toEqual([200, 'ok'])
})

test('close gives up what is in flight', async () => {
  const egress = openPooledEgress()
  const hang = kept(await tcpReceiver(() => {}))
  const waiting = expect(egress.request(get(hang.url))).rejects.toMatchObject({ kind: 'aborted' })
  await egress.close()
  await waiting
})
