import { createHmac } from 'node:crypto'
import { deliveryHeaders, inspectWebhook, parseHeaderLines, signingKey, type DeliveryProblem } from '@les/contract'

/** A delivery: header names in lower case, exact body bytes. */
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** Splits a pasted request at its first empty line. */
export function parseRequest(bytes: Buffer): Message {
  const gap = /\r?\n\r?\n/.exec(bytes.toString('latin1'))
  if (!gap) return { headers: parseHeaderLines(bytes.toString('utf8')), body: Buffer.alloc(0) }
  return {
    headers: parseHeaderLines(bytes.subarray(0, gap.index).toString('utf8')),
    body: bytes.subarray(gap.index + gap[0].length),
  }
}

/** The headers of a delivery in both families, as the service sends them. */
export function signedHeaders(
  secret: string,
  { id, event, body }: { readonly id: string; readonly event: string; readonly body: Buffer },
  atSeconds: number,
): Record<string, string> {
  const key = signingKey(secret)
  if (!key) throw new TypeError('a signing secret is whsec_ and base64')
  const timestamp = String(atSeconds)
  const signature = (head: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', key).update(head).update(body).digest(encoding)
  const headers = {
    [deliveryHeaders.timestamp]: timestamp,
    [deliveryHeaders.signature]: `v1=${signature(`${timestamp}.`, 'hex')}`,
    [deliveryHeaders.event]: event,
    [deliveryHeaders.delivery]: id,
    [deliveryHeaders.standardId]: id,
    [deliveryHeaders.standardTimestamp]: timestamp,
    [deliveryHeaders.standardSignature]: `v1,${signature(`${id}.${timestamp}.`, 'base64')}`,
  }
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { 'content-type': 'application/json', ...Object.fromEntries(named) }
}

/** `event` and `id` are what the delivery states about itself. */
export type Verdict =
  | { readonly ok: true; readonly event: string; readonly id: string; readonly ageSeconds: number }
  | { readonly ok: false; readonly problem: DeliveryProblem; readonly message: string }

/** `knownSecret`, the service's current secret if known, tells a wrong secret from a changed body. */
type Judging = { readonly secret: string; readonly nowMs: number; readonly knownSecret?: string | undefined }

/** Verifies a delivery; reports the first problem. */
export function verify(message: Message, { secret, nowMs, knownSecret }: Judging): Verdict {
  const { findings, event, id, ageSeconds } = inspectWebhook(message, {
    secrets: [{ name: 'the secret', secret }],
    known: knownSecret === undefined ? [] : [{ name: 'the secret that the service has now', secret: knownSecret }],
    nowMs,
    hmac: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
  })
  const first = findings.find(({ problem }) => problem !== null)
  if (first?.problem) return { ok: false, problem: first.problem, message: first.text }
  return { ok: true, event: String(event), id: String(id), ageSeconds: ageSeconds! }
}
