/** For receivers of webhooks; runs wherever Web Crypto does (specification «Authentication» 6; G47). */
import { deliveryHeaders, timestampToleranceSeconds } from './events.ts'
import { fromHex, joinBytes, signingKey } from './webhook-bytes.ts'

/** Inputs of `verifyWebhook`. */
export type ReceivedDelivery = {
  /** The exact bytes, before any parsing. */
  readonly body: Uint8Array | string
  /** `Headers`, or an object with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The team's signing secret, `whsec_…`. */
  readonly secret: string
  /** Default: the current time. */
  readonly now?: Date
}

/** `reason` tells a developer what is wrong. */
export type WebhookVerdict =
  | { readonly ok: true; readonly deliveryId: string | null; readonly event: string | null }
  | { readonly ok: false; readonly reason: string }

function headerOf(headers: ReceivedDelivery['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return found === undefined ? null : typeof found === 'string' ? found : found.join(',')
}

const digestIn = (text: string) => (/^[0-9a-f]{64}$/.test(text) ? fromHex(text) : null)

/** Checks that a delivery is ours, unaltered and fresh, by `X-Service-Timestamp` and `X-Service-Signature`; never throws. */
export async function verifyWebhook(delivery: ReceivedDelivery): Promise<WebhookVerdict> {
  const wrong = (reason: string): WebhookVerdict => ({ ok: false, reason })
  const secret = signingKey(delivery.secret)
  if (!secret) return wrong('the signing secret begins with whsec_ and is base64 after that: copy it whole')
  const timestamp = headerOf(delivery.headers, deliveryHeaders.timestamp)
  const signature = headerOf(delivery.headers, deliveryHeaders.signature)
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp))
    return wrong(`${deliveryHeaders.timestamp} is missing or no number of seconds`)
  if (signature === null) return wrong(`${deliveryHeaders.signature} is missing`)
  const candidates = signature
    .split(',')
    .map((part) => digestIn(part.trim().replace(/^v1=/, '')))
    .filter((bytes) => bytes !== null)
  if (candidates.length === 0) return wrong(`${deliveryHeaders.signature} holds no v1=<64 hex digits>`)
  const text = typeof delivery.body === 'string' ? new TextEncoder().encode(delivery.body) : delivery.body
  const signed = joinBytes(`${timestamp}.`, text)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  // `verify` compares in constant time.
  const matches = await Promise.all(candidates.map((candidate) => crypto.subtle.verify('HMAC', key, candidate, signed)))
  if (!matches.includes(true))
    return wrong(
      'the signature does not match: another secret, or the body was parsed and written again before it was checked',
    )
  const age = Math.abs((delivery.now ?? new Date()).getTime() / 1_000 - Number(timestamp))
  if (age > timestampToleranceSeconds)
    return wrong(
      `the delivery is ${Math.round(age)} seconds away from this clock: at most ${timestampToleranceSeconds} are allowed`,
    )
  return {
    ok: true,
    deliveryId: headerOf(delivery.headers, deliveryHeaders.delivery),
    event: headerOf(delivery.headers, deliveryHeaders.event),
  }
}
