/** How an outside system fails, in the service's own words; part of the ports. */
import { troubleWords, type Held } from './account-trouble.ts'

/** Why an outside system did not give a usable answer. */
export type ProviderFailureKind =
  /** The thing asked for does not exist there (an answer, not an outage). */
  | 'not_found'
  /** Refused because of too many calls; `retryAfterMs` when it said how long. */
  | 'rate_limited'
  /** No answer, a 5xx, a cut connection, a time-out. */
  | 'unavailable'
  /** An answer that does not have the promised shape. */
  | 'malformed'
  /** Our own key was refused or our account there is out of credit. */
  | 'account'

/** An outside system failed; made only in adapters. The edge answers 502, jobs decide about retries. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly provider: string
  readonly operation: string
  readonly kind: ProviderFailureKind
  readonly retryAfterMs: number | undefined
  /** Its own words, cleaned and at most 200 characters; null when it said nothing. */
  readonly vendorMessage: string | null
  /** Its id of the call, for its support. */
  readonly requestId: string | null
  /** Of `account`: which of the two it is, when that is known. */
  readonly why: 'key' | 'money' | null
  /**
   * Set when the account is held now, so that perhaps the call was not even made: what waits is put off until then, and
   * it does not count as a try.
   */
  readonly held: Held | null
  constructor(about: {
    provider: string
    operation: string
    kind: ProviderFailureKind
    message: string
    retryAfterMs?: number | undefined
    vendorMessage?: string | null
    requestId?: string | null
    why?: 'key' | 'money' | null
    held?: Held | null
    cause?: unknown
  }) {
    const quoted = quotationOf(about.vendorMessage ?? null, about.requestId ?? null)
    super(`${about.message}${quoted}`, about.cause === undefined ? undefined : { cause: about.cause })
    this.provider = about.provider
    this.operation = about.operation
    this.kind = about.kind
    this.retryAfterMs = about.retryAfterMs
    this.vendorMessage = about.vendorMessage ?? null
    this.requestId = about.requestId ?? null
    this.why = about.why ?? null
    this.held = about.held ?? null
  }

  /** The same failure, after which the account is held. */
  whileHeld(held: Held): ProviderFailure {
    const { provider, operation, kind, message, retryAfterMs, why, cause } = this
    const same = new ProviderFailure({ provider, operation, kind, message, retryAfterMs, why, held, cause })
    return Object.assign(same, { vendorMessage: this.vendorMessage, requestId: this.requestId })
  }
}

/** What a vendor said, behind our own words: the quotation cannot be closed from inside, since its words hold no double quotes. */
function quotationOf(vendorMessage: string | null, requestId: string | null): string {
  const request = requestId === null ? '' : ` (request ${requestId})`
  return vendorMessage === null ? request : `; it said: "${vendorMessage}"${request}`
}

/** A failure as a run or a job tells it, without naming the vendor: whose trouble it is, and what the vendor said. */
export function describeFailure(
  failure: Pick<ProviderFailure, 'kind' | 'vendorMessage' | 'requestId'> &
    Partial<Pick<ProviderFailure, 'why' | 'held'>>,
): string {
  return `${whatFailed(failure)}${quotationOf(failure.vendorMessage, failure.requestId)}`
}

/** Whose trouble it is, in our own words alone. */
export function whatFailed({
  kind,
  why,
  held,
}: Pick<ProviderFailure, 'kind'> & Partial<Pick<ProviderFailure, 'why' | 'held'>>) {
  if (held) return troubleWords[held.reason]
  if (kind === 'account') return troubleWords[why ?? 'key']
  return troubleWords[kind === 'rate_limited' ? 'rate' : 'away']
}
