/** How an exchange ended: with an answer or without. */
export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'unanswered'; readonly why: 'refused_address' | 'timeout' | 'connection' | 'too_large' }

/** `label` is logged with the attempt; `askedMs` is the wait the receiver asks for (Retry-After). */
export type Outcome = Failure | (Judged & { readonly result: 'delivered' })

type Judged = { readonly label: string; readonly status: number | null; readonly askedMs: number | null }

type Failure = Judged & { readonly result: 'gone' | 'failed' }

/** Why the service itself could not send a delivery or record its outcome. */
export type Fault = 'unreadable_secret' | 'internal_error'

/** True for an answer that accepts a delivery. */
export const isAccepted = (ending: Ending): ending is Ending & { readonly kind: 'answered' } =>
  ending.kind === 'answered' && ending.status >= 200 && ending.status < 300

/** Judges an attempt made at `now` (G49): 2xx delivers, 410 stops, all else, redirects included, is a failure. */
export function judge(ending: Ending, now: Date): Outcome {
  if (ending.kind === 'unanswered') return { result: 'failed', label: ending.why, status: null, askedMs: null }
  const { status, headers } = ending
  if (isAccepted(ending)) return { result: 'delivered', label: 'delivered', status, askedMs: null }
  if (status === 410) return { result: 'gone', label: 'gone', status, askedMs: null }
  return {
    result: 'failed',
    label: status >= 300 && status < 400 ? 'redirect' : 'bad_status',
    status,
    askedMs: retryAfterMs(headers, now),
  }
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function readHttpDate(text: string | undefined): number | null {
  if (text === undefined || !httpDate.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** `Retry-After` in ms. A date is compared with the receiver's own `Date`: its clock may differ from service time. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const until = readHttpDate(text)
  if (until === null) return null
  return Math.max(0, until - (readHttpDate(headers.date?.trim()) ?? now.getTime()))
}
