import { spawnSync } from 'node:child_process'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { afterEach, expect, test, vi } from 'vitest'
import { useStage, type Inbox, type Received, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))
afterEach(() => void vi.useRealTimers())

const hex = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex')

/** What OpenSSL makes of the raw bytes. */
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

const headersOf = ({ headers }: Received) => headers as Record<string, string>

/** Their verifiers compare with the machine's clock, our signatures carry service time. */
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

test('while a secret is being rotated both verify, 24 hours later only the new one [WHK-13]', async () => {
  const id = await stage.makeSource('rotated')
  await stage.put(id, { webhookUrl: inbox.url })
  const before = stage.signingSecret
  const { rows } = await stage.database.pool.query('select data_key from team where id = $1', [stage.teamId])
  const fresh = stage.ids.bytes(32)
  await stage.database.pool.query(
    'update team set previous_signing_secret = signing_secret, previous_secret_until = $2, signing_secret = $3 where id = $1',
    [
      stage.teamId,
      new Date(stage.state.now.getTime() + 86_400_000),
      stage.vault.sealFor({ id: stage.teamId, dataKey: rows[0].data_key }, 'signing-secret', fresh),
    ],
  )
  const after = `whsec_${fresh.toString('base64')}`
  await stage.detect(id)
  await stage.drain()
  const rotating = inbox.received.at(-1)!
  const text = Buffer.concat([Buffer.from(`${headersOf(rotating)['x-service-timestamp']}.`), rotating.body])
  expect(headersOf(rotating)['x-service-signature']).toBe(`v1=${openssl(after, text)},v1=${openssl(before, text)}`)
  atServiceTime(() => {
    for (const secret of [before, after]) new Standard(secret).verify(rotating.body.toString(), headersOf(rotating))
    for (const secret of [before, after]) new Svix(secret).verify(rotating.body.toString(), headersOf(rotating))
  })
  stage.advance(86_400_000)
  await stage.detect(id)
  await stage.drain()
  const rotated = inbox.received.at(-1)!
  expect(headersOf(rotated)['x-service-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
  atServiceTime(() => {
    new Standard(after).verify(rotated.body.toString(), headersOf(rotated))
    expect(() => new Standard(before).verify(rotated.body.toString(), headersOf(rotated))).toThrow()
  })
})
