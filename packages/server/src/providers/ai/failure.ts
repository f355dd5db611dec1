/** What an error of the vendors' packages means; pure, apart from knowing their classes. */
import { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai'
import { EgressFailure } from '../../platform/egress/types.ts'
import { readRetryAfter } from '../network/retry.ts'
import type { AiFailureKind } from './port.ts'

/**
 * How a call ended without an answer; `refused`: the vendor rejects this question, and perhaps every one; `reasoning`:
 * how it was told to think.
 */
export type Trouble = {
  readonly kind: AiFailureKind | 'refused' | 'reasoning'
  readonly status: number | null
  readonly retryAfterMs?: number | undefined
}

/** Google says of a wrong key that the request is invalid; an account without money is of no more use than a wrong key. */
const aboutKey = /api[ _-]?key|API_KEY_INVALID|insufficient_quota|credit balance|billing/i

/** What a model that cannot be told how much to think says of it. */
const aboutReasoning =
  /reasoning[._ ]?effort|thinking[._ ]?(?:level|config|budget)|"?thinking"?[^.]{0,40}not (?:supported|available)/i

/** Reads an error of a call; undefined for what is no trouble of the outside world. */
export function readTrouble(error: unknown, nowMs: number): Trouble | undefined {
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error))
    return { kind: 'unreadable', status: 200 }
  const exchange = egressFailureIn(error)
  if (exchange) return { kind: exchange.kind === 'too_large' ? 'unreadable' : 'unavailable', status: null }
  if (!APICallError.isInstance(error)) return undefined
  const status = error.statusCode ?? null
  return {
    kind: kindOf(status, `${error.message}\n${error.responseBody ?? ''}`),
    status,
    retryAfterMs: readRetryAfter(error.responseHeaders?.['retry-after'], nowMs),
  }
}

function kindOf(status: number | null, text: string): Trouble['kind'] {
  if (status === 401 || status === 402 || status === 403) return 'key'
  if ((status === 400 || status === 429) && aboutKey.test(text)) return 'key'
  if (status === 404) return 'model'
  if (status === 429) return 'rate_limited'
  if (status === 400 && aboutReasoning.test(text)) return 'reasoning'
  if (status === 400 || status === 413 || status === 422)
    return /\bmodel\b|invalid_model/i.test(text) ? 'model' : 'refused'
  // A success whose body is not the vendor's own shape.
  if (status !== null && status >= 200 && status < 300) return 'unreadable'
  return 'unavailable'
}

/** The failed exchange inside an error, however deep the packages have wrapped it. */
function egressFailureIn(error: unknown): EgressFailure | undefined {
  for (
    let current: unknown = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  )
    if (current instanceof EgressFailure) return current
  return undefined
}
