/** How deliveries are signed (specification «Authentication» 6): the two families of headers, and the secrets they are signed with. */
import { createHmac } from 'node:crypto'

/** Header names as they arrive, lower case; `signing.test.ts` holds them equal to the contract's. */
export const headerNames = {
  timestamp: 'x-service-timestamp',
  signature: 'x-service-signature',
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** The key that a secret stands for; undefined when it is no signing secret. */
export function keyOf(secret: string): Buffer | undefined {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? []
  const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
  return key && key.length > 0 ? key : undefined
}

const hmac = (key: Buffer, head: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(head).update(body).digest()

/** The signature of `timestamp.body`. */
export const ownSignature = (key: Buffer, timestamp: string, body: Buffer): Buffer => hmac(key, `${timestamp}.`, body)

/** The signature of `id.timestamp.body` (Standard Webhooks). */
export const standardSignature = (
  key: Buffer,
  { id, timestamp }: { readonly id: string; readonly timestamp: string },
  body: Buffer,
): Buffer => hmac(key, `${id}.${timestamp}.`, body)

/** The headers of a delivery, as the service sends them. */
export function signedHeaders(
  secret: string,
  message: { readonly id: string; readonly event: string; readonly body: Buffer },
  atSeconds: number,
): Record<string, string> {
  const key = keyOf(secret)
  if (!key) throw new TypeError('a signing secret is whsec_ and base64')
  const timestamp = String(atSeconds)
  return {
    'content-type': 'application/json',
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: `v1=${ownSignature(key, timestamp, message.body).toString('hex')}`,
    [headerNames.event]: message.event,
    [headerNames.delivery]: message.id,
    [headerNames.standardId]: message.id,
    [headerNames.standardTimestamp]: timestamp,
    [headerNames.standardSignature]: `v1,${standardSignature(key, { id: message.id, timestamp }, message.body).toString('base64')}`,
  }
}
