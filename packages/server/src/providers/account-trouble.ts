/** Why an account at an outside system is held, and what that comes to for whoever waits. */
import { networkTrouble } from '@les/contract'

/**
 * Why an account at an outside system is of no use for now: it is away, refuses our key, wants money, takes no more
 * calls, or has cost what it may in a day.
 */
export type AccountTrouble = 'away' | 'key' | 'money' | 'rate' | 'cap'

/** An account that is held. `until`: when to try again, in service time. */
export type Held = { readonly reason: AccountTrouble; readonly until: Date }

/** A held account is tried once a minute, and so is one that allows no more calls without saying for how long. */
const triedEverySeconds = 60
const longestAskedSeconds = 86_400

/**
 * Seconds after which asking again is worth it, for `Retry-After`: as long as an outside system, or our own budget, has asked for.
 * Null when nobody knows.
 */
export function comeBackSeconds({
  kind,
  retryAfterMs,
  held,
}: {
  readonly kind: string
  readonly retryAfterMs: number | undefined
  readonly held: Held | null
}): number | null {
  const isWait = held === null || held.reason === 'rate' || held.reason === 'cap'
  if (isWait && retryAfterMs !== undefined)
    return Math.min(longestAskedSeconds, Math.max(1, Math.ceil(retryAfterMs / 1000)))
  return held !== null || kind === 'rate_limited' ? triedEverySeconds : null
}

/** The same as the headers of an answer. */
export function comeBackHeaders(failure: Parameters<typeof comeBackSeconds>[0]): Readonly<Record<string, string>> {
  const seconds = comeBackSeconds(failure)
  return seconds === null ? {} : { 'retry-after': String(seconds) }
}

/** What a held account comes to for whoever waits for it; pages and runs say the same words. */
export const troubleWords: Readonly<Record<AccountTrouble, string>> = networkTrouble
