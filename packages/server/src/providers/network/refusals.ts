/** The meaning of an unsuccessful answer. Status and body are judged together, because vendors put the error into either. */
import type { ProviderFailureKind } from '../ports.ts'
import { wordsIn, wordsOfPage } from '../vendor-message.ts'

/** An answer before it is judged; `json` is undefined when the body is not JSON. */
export type RawAnswer = {
  readonly status: number
  readonly json: unknown
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** A refusal; `why` is the cause of kind `account`, `words` the vendor's raw text, `message` ours. */
export type Refused = {
  readonly kind: ProviderFailureKind
  readonly why?: 'key' | 'money'
  readonly words: string | null
  readonly message: string
}

/** The first error status named in a body; the error's own fields come before the body's. */
export function statusIn(value: unknown, depth = 0): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 400 && value < 600 ? value : null
  if (depth > 3 || typeof value !== 'object' || value === null) return null
  const { error, errors } = value as Record<string, unknown>
  if (depth === 0 && !Array.isArray(value)) return statusIn(error, 1) ?? statusIn(errors, 1) ?? ownStatus(value)
  const inner = Array.isArray(value) ? value.slice(0, 5) : [ownStatus(value), error]
  for (const one of inner) {
    const found = statusIn(one, depth + 1)
    if (found !== null) return found
  }
  return null
}

function ownStatus(value: object): number | null {
  const { status, statusCode, code } = value as Record<string, unknown>
  return (
    [status, statusCode, code]
      .map((one) => statusIn(typeof one === 'string' && /^[45]\d\d$/.test(one) ? Number(one) : one, 4))
      .find((one) => one !== null) ?? null
  )
}

const saysKey = /api[ _-]?key|unauthori[sz]ed|invalid (?:access )?token/i
const saysCredit = /credit|quota|balance|payment required|subscription/i
const saysTooMany = /rate[ _-]?limit|too many|concurren/i
const saysNone = /not[ _-]?found|does(?: not|n't) exist|no such/i
/** About a member or page that nobody may see: treated as not found, and says nothing about our account. */
const saysPrivate =
  /\b(?:profile|member|page|post|company)\b[^.]{0,40}\b(?:private|restricted|deactivated|deleted|suspended|hibernated)\b/i
/** A proxy such as Cloudflare (error 1010 and similar), which knows nothing about our account. */
const saysProxy = /\berror(?: code)?:? ?10\d\d\b|cloudflare/i

/** Statuses that decide regardless of the body. */
const plain: readonly number[] = [401, 402, 403, 404, 429]

/** Classifies a refusal. Words decide only where no status does: a 500 that mentions "not found" is an outage. */
export function judgeRefusal({ status, json, text }: RawAnswer, missing = 'the answer has no payload'): Refused {
  const words = json === undefined ? wordsOfPage(text) : wordsIn(json)
  const message = status === 200 ? (json === undefined ? 'the answer is not JSON' : missing) : `HTTP ${status}`
  const as = (kind: ProviderFailureKind, why?: 'key' | 'money'): Refused => ({
    kind,
    ...(kind === 'account' ? { why: why ?? (saysCredit.test(words ?? '') ? 'money' : 'key') } : {}),
    words,
    message,
  })
  const said = words ?? ''
  const isPrivate = json !== undefined && saysPrivate.test(said) && !/\byour\b/i.test(said) && !saysKey.test(said)
  // Only with 200, 400 or 403; a 401 or 402 always means our account.
  if (isPrivate && (status === 200 || status === 400 || status === 403)) return as('not_found')
  // The vendor refuses in JSON; an HTML page comes from a proxy.
  if (status === 403 && ((json === undefined && text.trim() !== '') || saysProxy.test(words ?? '')))
    return as('unavailable')
  const stated = statusIn(json)
  const isDecisive = plain.includes(status) || (status >= 500 && stated !== 429)
  const decisive = isDecisive ? status : (stated ?? (status === 200 ? null : status))
  if ((decisive === null || decisive === 400) && words !== null && json !== undefined) {
    if (saysKey.test(words)) return as('account', 'key')
    if (saysTooMany.test(words)) return as('rate_limited')
    if (saysNone.test(words)) return as('not_found')
    if (saysCredit.test(words)) return as('account', 'money')
  }
  return as(kindOf(decisive), decisive === 401 ? 'key' : decisive === 402 ? 'money' : undefined)
}

function kindOf(status: number | null): ProviderFailureKind {
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 408 || (status !== null && status >= 500)) return 'unavailable'
  if (status === 401 || status === 402 || status === 403) return 'account'
  return 'malformed'
}

/** The vendor's id of the call, for its support; null when absent or not in a plain format. */
export function requestIdOf({ json, headers }: RawAnswer): string | null {
  const { requestId, request_id } = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  return (
    [requestId, request_id, headers['x-request-id'], headers['cf-ray']].find(
      (id): id is string => typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id),
    ) ?? null
  )
}
