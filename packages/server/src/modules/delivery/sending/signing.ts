/** Signs deliveries in both header families (specification «Authentication» 6; G47; WHK-13..WHK-16). */
import { deliveryHeaders } from '@les/contract'
import { hmacSha256Of as signatureOf } from '../../../platform/secrets.ts'
import { readSigningSecret } from '../../accounts/index.ts'

/** A team's secrets as receivers know them (`whsec_…`); `previous` while a rotation lasts. */
export type SigningSecrets = { readonly current: string; readonly previous: string | null }

type SignedMessage = { readonly id: string; readonly event: string; readonly body: Uint8Array }

const keysRead = new WeakMap<SigningSecrets, readonly Buffer[]>()

function keysOf(secrets: SigningSecrets): readonly Buffer[] {
  const known = keysRead.get(secrets)
  if (known) return known
  const keys = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])].map(readSigningSecret)
  keysRead.set(secrets, keys)
  return keys
}

/**
 * The headers of one attempt: `X-Service-Signature` signs `timestamp.body` in lower-case hex, the Standard Webhooks headers sign
 * `id.timestamp.body` in base64; both also carry the previous secret's signature during a rotation.
 */
export function signedHeaders(message: SignedMessage, secrets: SigningSecrets, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const keys = keysOf(secrets)
  const own = keys.map((key) => `v1=${signatureOf(key, { head: `${timestamp}.`, tail: message.body }, 'hex')}`)
  const standard = keys.map(
    (key) => `v1,${signatureOf(key, { head: `${message.id}.${timestamp}.`, tail: message.body }, 'base64')}`,
  )
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'lead-engagement-service/1.0',
    [deliveryHeaders.timestamp]: timestamp,
    [deliveryHeaders.signature]: own.join(','),
    [deliveryHeaders.event]: message.event,
    [deliveryHeaders.delivery]: message.id,
    [deliveryHeaders.standardId]: message.id,
    [deliveryHeaders.standardTimestamp]: timestamp,
    [deliveryHeaders.standardSignature]: standard.join(' '),
  }
}
