/** How outside systems fail, and what a held account means for waiting work; part of the ports. */
import { networkTrouble } from '@les/contract'

/** Why an account is unusable: the vendor is down, rejects our key, wants payment or limits our rate, or its cap is reached. */
export type AccountTrouble = 'away' | 'key' | 'money' | 'rate' | 'cap'

/** A held account; `until` (service time): when to try again. */
export type Held = { readonly reason: AccountTrouble; readonly until: Date }

/** What each reason means for waiting work; pages and runs use the same text. */
export const troubleMessages: Readonly<Record<AccountTrouble, string>> = networkTrouble

/** Fields of every outside failure; created only in adapters. */
export type FailureDetails = {
  readonly message: string
  readonly retryAfterMs?: number | undefined
  readonly held?: Held | null
  readonly cause?: unknown
}

export abstract class OutsideFailure extends Error {
  abstract readonly kind: string
  readonly retryAfterMs: number | undefined
  /** Set when the account is held, even if no call was made: waiting work is rescheduled without counting a try. */
  held: Held | null
  constructor({ message, retryAfterMs, held = null, cause }: FailureDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.retryAfterMs = retryAfterMs
    this.held = held
  }

  whileHeld(held: Held): this {
    this.held = held
    return this
  }
}

export type ProviderFailureKind =
  /** The requested thing does not exist; an answer, not an outage. */
  | 'not_found'
  /** Too many calls; `retryAfterMs` if the vendor gave a wait. */
  | 'rate_limited'
  /** No answer, 5xx, broken connection or time-out. */
  | 'unavailable'
  /** The answer does not have the expected shape. */
  | 'malformed'
  /** Our key is refused or our account is out of credit. */
  | 'account'

/** A network data vendor failed; the edge answers 502, jobs decide about retries. `why`: cause of kind `account`, if known. */
export class ProviderFailure extends OutsideFailure {
  override readonly name = 'ProviderFailure'
  readonly provider: string
  readonly operation: string
  override readonly kind: ProviderFailureKind
  readonly vendorMessage: string | null
  readonly requestId: string | null
  readonly why: 'key' | 'money' | null
  constructor(
    about: FailureDetails & {
      readonly provider: string
      readonly operation: string
      readonly kind: ProviderFailureKind
      readonly vendorMessage?: string | null
      readonly requestId?: string | null
      readonly why?: 'key' | 'money' | null
    },
  ) {
    const { vendorMessage = null, requestId = null, why = null } = about
    super({ ...about, message: `${about.message}${quotationOf(vendorMessage, requestId)}` })
    this.provider = about.provider
    this.operation = about.operation
    this.kind = about.kind
    this.vendorMessage = vendorMessage
    this.requestId = requestId
    this.why = why
  }
}

/** Quotes the vendor's words. They hold no double quotes (see `readVendorMessage`), so they cannot end the quotation. */
function quotationOf(vendorMessage: string | null, requestId: string | null): string {
  const request = requestId === null ? '' : ` (request ${requestId})`
  return vendorMessage === null ? request : `; it said: "${vendorMessage}"${request}`
}

type Failed = Pick<ProviderFailure, 'kind'> & Partial<Pick<ProviderFailure, 'why' | 'held'>>

/** A failure as runs and jobs show it: the cause in our words and the vendor's message, without the vendor's name. */
export function describeFailure(failure: Failed & Pick<ProviderFailure, 'vendorMessage' | 'requestId'>): string {
  return `${failureMessage(failure)}${quotationOf(failure.vendorMessage, failure.requestId)}`
}

/** The cause in our own words. */
export function failureMessage({ kind, why, held }: Failed): string {
  if (held) return troubleMessages[held.reason]
  if (kind === 'account') return troubleMessages[why ?? 'key']
  return troubleMessages[kind === 'rate_limited' ? 'rate' : 'away']
}

/** Matches the probe interval of held accounts; also used for a rate limit without a stated wait. */
const triedEverySeconds = 60
const longestAskedSeconds = 86_400

type Waiting = Pick<OutsideFailure, 'kind' | 'retryAfterMs' | 'held'>

/** `Retry-After` in seconds: the wait asked for by the outside system or our own budget; null when unknown. */
function retryAfterSeconds({ kind, retryAfterMs, held }: Waiting): number | null {
  const isWait = held === null || held.reason === 'rate' || held.reason === 'cap'
  if (isWait && retryAfterMs !== undefined)
    return Math.min(longestAskedSeconds, Math.max(1, Math.ceil(retryAfterMs / 1000)))
  return held !== null || kind === 'rate_limited' ? triedEverySeconds : null
}

/** `retryAfterSeconds` as response headers. */
export function retryAfterHeaders(failure: Waiting): Readonly<Record<string, string>> {
  const seconds = retryAfterSeconds(failure)
  return seconds === null ? {} : { 'retry-after': String(seconds) }
}
