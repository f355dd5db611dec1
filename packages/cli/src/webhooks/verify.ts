/** Judges a delivery: whether it is genuine, and if not, what exactly is wrong with it. What there is to say comes from the contract. */
import { createHmac } from 'node:crypto'
import { inspectWebhook, type DeliveryProblem } from '@les/contract'
import type { Message } from './message.ts'

/** The outcome; `event` and `id` are what the delivery says of itself. */
export type Verdict =
  | { readonly ok: true; readonly event: string; readonly id: string; readonly ageSeconds: number }
  | { readonly ok: false; readonly problem: DeliveryProblem; readonly message: string }

/**
 * What a delivery is judged by. `knownSecret` is the one the service uses now, where it can be asked: it tells a wrong
 * secret from a changed body.
 */
export type Judging = { readonly secret: string; readonly nowMs: number; readonly knownSecret?: string | undefined }

const hmac = (key: Uint8Array, bytes: Uint8Array) => createHmac('sha256', key).update(bytes).digest()

/** Judges a delivery by the first thing that is wrong with it. */
export function verify(message: Message, { secret, nowMs, knownSecret }: Judging): Verdict {
  const known = knownSecret === undefined ? [] : [{ name: 'the secret that the service has now', secret: knownSecret }]
  const { findings, event, id, ageSeconds } = inspectWebhook(message, {
    secrets: [{ name: 'the secret', secret }],
    known,
    nowMs,
    hmac,
  })
  const first = findings.find(({ problem }) => problem !== null)
  if (first?.problem) return { ok: false, problem: first.problem, message: first.text }
  return { ok: true, event: String(event), id: String(id), ageSeconds: ageSeconds! }
}
