/** How outside systems fail, in the service's own words, and what a held account means for those who wait; part of the ports. */
import { networkTrouble } from '@les/contract'

/** Why an account is of no use for now: it is down, refuses our key, wants money, takes no more calls, or reached its daily cap. */
export type AccountTrouble = 'away' | 'key' | 'money' | 'rate' | 'cap'

/** An account that is held. `until`: when to try again, in service time. */
export type Held = { readonly reason: AccountTrouble; readonly until: Date }

/** What a held account means for those who wait for it; pages and runs say the same words. */
export const troubleWords: Readonly<Record<AccountTrouble, string>> = networkTrouble

/** What every failure of an outside system carries; made only in adapters. */
export type FailureDetails = {
  readonly message: string
  readonly retryAfterMs?: number | undefined
  readonly held?: Held | null
  readonly cause?: unknown
}

/** An outside system failed. */
export abstract class OutsideFailure extends Error {
  abstract readonly kind: string
  /** How long the outside system asked to be left alone, when it said so. */
  readonly retryAfterMs: number | undefined
  /** Set when the account is held now, perhaps without a call: what waits is rescheduled, and it does not count as a try. */
  held: Held | null
  constructor({ message, retryAfterMs, held = null, cause }: FailureDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.retryAfterMs = retryAfterMs
    this.held = held
  }

  /** Marks that the account is held now. */
  whileHeld(held: Held): this {
    this.held = held
    return this
  }
}

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

/** A vendor of network data failed. The edge answers 502, jobs decide about retries. */
export class ProviderFailure extends OutsideFailure {
  override readonly name = 'ProviderFailure'
  readonly provider: string
  readonly operation: string
  override readonly kind: ProviderFailureKind
  /** Its own words, cleaned and at most 200 characters; null when it said nothing. */
  readonly vendorMessage: string | null
  /** Its id of the call, for its support. */
  readonly requestId: string | null
  /** Of `account`: which of the two it is, when that is known. */
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

/** What a vendor said, behind our own words: the quotation cannot be closed from inside, since its words hold no double quotes. */
function quotationOf(vendorMessage: string | null, requestId: string | null): string {
  const request = requestId === null ? '' : ` (request ${requestId})`
  return vendorMessage === null ? request : `; it said: "${vendorMessage}"${request}`
}

type Failed = Pick<ProviderFailure, 'kind'> & Partial<Pick<ProviderFailure, 'why' | 'held'>>

/** A failure as a run or a job shows it, without naming the vendor: whose trouble it is, and what the vendor said. */
export function describeFailure(failure: Failed & Pick<ProviderFailure, 'vendorMessage' | 'requestId'>): string {
  return `${whatFailed(failure)}${quotationOf(failure.vendorMessage, failure.requestId)}`
}

/** Whose trouble it is, in our own words alone. */
export function whatFailed({ kind, why, held }: Failed): string {
  if (held) return troubleWords[held.reason]
  if (kind === 'account') return troubleWords[why ?? 'key']
  return troubleWords[kind === 'rate_limited' ? 'rate' : 'away']
}

/** A held account is tried once a minute, and so is one that allows no more calls without saying for how long. */
const triedEverySeconds = 60
const longestAskedSeconds = 86_400

type Waiting = Pick<OutsideFailure, 'kind' | 'retryAfterMs' | 'held'>

/** `Retry-After` in seconds: as long as an outside system, or our own budget, has asked for; null when nobody knows. */
function comeBackSeconds({ kind, retryAfterMs, held }: Waiting): number | null {
  const isWait = held === null || held.reason === 'rate' || held.reason === 'cap'
  if (isWait && retryAfterMs !== undefined)
    return Math.min(longestAskedSeconds, Math.max(1, Math.ceil(retryAfterMs / 1000)))
  return held !== null || kind === 'rate_limited' ? triedEverySeconds : null
}

/** The same as the headers of an answer. */
export function comeBackHeaders(failure: Waiting): Readonly<Record<string, string>> {
  const seconds = comeBackSeconds(failure)
  return seconds === null ? {} : { 'retry-after': String(seconds) }
}
