import { spawnSync } from 'node:child_process'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { afterEach, expect, test, vi } from 'vitest'
import { useStage, type Inbox, type ReceivedRequest, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))
afterEach(() => void vi.useRealTimers())

const hex = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex')

function openssl(secret: string, text: Buffer): string {
  const { stdout, status } = spawnSync(
    'openssl',
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hex(secret)}`],
    { input: text },
  )
  expect(status).toBe(0)
  return stdout
    .toString()
    .trim()
    .split(/[\s=]+/)
    .at(-1)!
}

const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>

/** The verifiers compare with the system clock; our signatures contain service time. */
const atServiceTime = (work: () => void) => {
  vi.useFakeTimers({ now: stage.state.now, toFake: ['Date'] })
  work()
  vi.useRealTimers()
}

test('a delivery is a signed POST that OpenSSL, standardwebhooks and svix accept [WHK-13, WHK-14, WHK-15]', async () => {
  const id = await stage.makeSource('signed')
  await stage.put(id, { webhookUrl: inbox.url })
  const { signingSecret } = await stage.get(id)
  const lead = await stage.detect(id)
  await stage.drain()
  const received = inbox.received.at(-1)!
  const headers = headersOf(received)
  const deliveryId = (await stage.delivery(lead))!.id
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'lead-engagement-service/1.0',
    'x-service-event': 'lead.detected',
    'x-service-delivery': deliveryId,
    'webhook-id': deliveryId,
  })
  expect(headers['x-service-timestamp']).toBe(String(stage.state.now.getTime() / 1_000))
  expect(JSON.parse(received.body.toString()).id).toBe(deliveryId)
  expect(headers['x-service-signature']).toBe(
    `v1=${openssl(signingSecret!, Buffer.concat([Buffer.from(`${headers['x-service-timestamp']}.`), received.body]))}`,
  )
  atServiceTime(() => {
    new Standard(signingSecret!).verify(received.body.toString(), headers)
    new Svix(signingSecret!).verify(received.body.toString(), headers)
    expect(() => new Standard(signingSecret!).verify(`${received.body.toString()} `, headers)).toThrow()
  })
})
