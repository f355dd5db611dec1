import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openGuardedEgress } from '../../src/platform/egress/index.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts'

const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) =>
  response.end(`${request.headers.host} ${(request.socket as { servername?: string }).servername}`),
)
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const guarded = (ca?: string) =>
  openGuardedEgress({
    allowPrivate: true,
    system: systemClock,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...(ca ? { ca } : {}),
  })
const get = (host: string) =>
  ({ method: 'GET', url: `https://${host}:${port}/`, timeoutMs: 2_000, maxBytes: 1_000 }) as const

test('TLS names the host, not the address it was pinned to', async () => {
  const answer = await guarded(TEST_CERTIFICATE).request(get('hooks.example.com'))
  expect(answer.body.toString()).toBe(`hooks.example.com:${port} hooks.example.com`)
})

test('an untrusted certificate, or one of another host, is refused', async () => {
  await expect(guarded().request(get('hooks.example.com'))).rejects.toMatchObject({
    kind: 'connection',
    message: 'The TLS certificate was not accepted.',
  })
  await expect(guarded(TEST_CERTIFICATE).request(get('other.example.com'))).rejects.toMatchObject({
    kind: 'connection',
    message: 'The TLS certificate was not accepted.',
  })
})
