import { createHmac } from 'node:crypto'
import type { ReceivedRequest } from '../world/inbox.ts'

/** Waits before the second to the tenth attempt, in seconds, each with a jitter of 20 %. */
export const retryWaits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** The key that a signing secret contains. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64')

/** The signature of a delivery by a secret, as in its header. */
export function signatureOf(secret: string, { headers, raw }: ReceivedRequest): string {
  const hex = createHmac('sha256', keyOf(secret)).update(`${headers['x-service-timestamp']}.`).update(raw).digest('hex')
  return `v1=${hex}`
}

/** Whether a delivery is signed with a secret, alone or with another. */
export const signs = (secret: string, received: ReceivedRequest): boolean =>
  String(received.headers['x-service-signature']).split(',').includes(signatureOf(secret, received))
