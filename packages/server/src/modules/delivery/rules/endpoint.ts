/** The health of an endpoint and what may go to it (G49, G134; WHK-19). */

const dayMs = 86_400_000

/** An endpoint with nothing but failures for so long is disabled. */
export const failingLimitMs = 5 * dayMs

/** Failures of the service itself at a delivery, in a row, after which it is held until a person sends it again. */
export const parkedForGood = 5

/** Attempts at once to one endpoint. */
export const maxInFlight = 5

/**
 * Of what an endpoint answers within this time so much is leased ahead, and never more than `mostAhead`: what waits for
 * its turn is not away for long.
 */
const aheadMs = 100
const mostAhead = 145

/**
 * How many deliveries are leased for an endpoint beyond those under way, by the time that it usually takes; none for
 * one that is slow or new.
 */
export const aheadOf = (usualMs: number | null): number =>
  usualMs === null ? 0 : Math.min(mostAhead, Math.floor((maxInFlight * aheadMs) / Math.max(1, usualMs)))

/**
 * After failing for so long without a success an endpoint is tried by one attempt at a time, so that a dead one cannot
 * hold the workers.
 */
export const probeAfterMs = 60_000

/** An endpoint as the rules see it. */
export type Endpoint = {
  readonly url: string | null
  readonly disabledAt: Date | null
  readonly ownerActive: boolean
  /** It was to go by itself, and autoSend has been switched off since. */
  readonly calledOff: boolean
}

/** What to do with a due delivery: an untracked source ends it, a cleared URL and autoSend off cancel it, a disabled endpoint holds it. */
export function verdictOn(
  endpoint: Endpoint,
): 'send' | 'cancel_untracked' | 'cancel_cleared' | 'cancel_called_off' | 'hold' {
  if (!endpoint.ownerActive) return 'cancel_untracked'
  if (endpoint.url === null) return 'cancel_cleared'
  if (endpoint.calledOff) return 'cancel_called_off'
  return endpoint.disabledAt === null ? 'send' : 'hold'
}

/** Why an endpoint was disabled. */
export type DisabledReason = 'gone' | 'failing'

/** The health after an attempt that did not succeed: since when it fails, and whether that disables it. */
export function healthAfterFailure(
  failingSince: Date | null,
  result: 'gone' | 'failed',
  now: Date,
): { failingSince: Date; disable: DisabledReason | null } {
  const since = failingSince ?? now
  if (result === 'gone') return { failingSince: since, disable: 'gone' }
  return { failingSince: since, disable: now.getTime() - since.getTime() >= failingLimitMs ? 'failing' : null }
}
