import { createHmac, randomBytes } from 'node:crypto'
import { Webhook as Standard } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signedHeaders } from './signing.ts'

const secret = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`
const [key, old] = [randomBytes(32), randomBytes(32)]
const body = Buffer.from('{"name":"Zoë 李"}')
const message = { id: '01a19b45-b800-7008-b7e0-bfe5130950f9', event: 'lead.detected', body }
const at = new Date('2026-11-02T08:00:00.999Z')

describe('the signature', () => {
  it('is HMAC-SHA256 of timestamp, period, exact body, in lower-case hex, over whole seconds [WHK-14, WHK-15]', () => {
    const headers = signedHeaders(message, { current: secret(key), previous: null }, at)
    expect(headers['X-Service-Timestamp']).toBe('1793606400')
    expect(headers['X-Service-Signature']).toBe(
      `v1=${createHmac('sha256', key).update('1793606400.').update(body).digest('hex')}`,
    )
    expect(headers).toMatchObject({
      'X-Service-Event': 'lead.detected',
      'X-Service-Delivery': message.id,
      'webhook-id': message.id,
      'webhook-timestamp': '1793606400',
      'Content-Type': 'application/json',
      'User-Agent': 'lead-engagement-service/1.0',
    })
    expect(headers['webhook-signature']).toBe(new Standard(secret(key)).sign(message.id, at, body.toString()))
  })
  it('comes twice while a secret is being rotated, comma-separated and space-separated [WHK-13]', () => {
    const both = signedHeaders(message, { current: secret(key), previous: secret(old) }, at)
    const [one, two] = [
      signedHeaders(message, { current: secret(key), previous: null }, at),
      signedHeaders(message, { current: secret(old), previous: null }, at),
    ]
    expect(both['X-Service-Signature']).toBe(`${one['X-Service-Signature']},${two['X-Service-Signature']}`)
    expect(both['webhook-signature']).toBe(`${one['webhook-signature']} ${two['webhook-signature']}`)
  })
  it('refuses a secret of another shape', () => {
    expect(() => signedHeaders(message, { current: 'abc', previous: null }, at)).toThrow('whsec_')
  })
})
