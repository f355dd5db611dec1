/** The health of an endpoint and what may go to it (G49, G134; WHK-19). */

const dayMs = 86_400_000

/** An endpoint with nothing but failures for so long is disabled. */
export const failingLimitMs = 5 * dayMs

/** Failures of the service itself at a delivery, in a row, after which it is held until a person sends it again. */
export const maxServiceFaults = 5

/** Attempts at once to one endpoint. */
export const maxInFlight = 5

/** Of what an endpoint accepts within this time so much is leased ahead of what is sent, and no more than `maxLeased` in all. */
const aheadMs = 200
const maxLeased = 300
/** It grows by so much with each delivery that is accepted. */
const growth = 3

/**
 * How many deliveries of an endpoint are leased once one was accepted: some more than before, as far as its pace allows. What is leased
 * ahead waits for its turn, so that it is little for a slow endpoint.
 */
export const leaseLimitAfter = (limit: number, elapsedMs: number): number =>
  Math.min(limit + growth, maxInFlight + Math.floor((maxInFlight * aheadMs) / Math.max(1, elapsedMs)), maxLeased)

/**
 * After failing for so long without a success an endpoint is tried by one attempt at a time, so that a dead one cannot
 * hold the workers.
 */
export const probeAfterMs = 60_000

/** An endpoint as the rules see it. */
type Endpoint = {
  /** Its URL was cleared after the delivery was queued; another may have been set since. */
  readonly cleared: boolean
  readonly url: string | null
  readonly disabledAt: Date | null
  readonly ownerActive: boolean
  /** It was to go by itself, and autoSend has been switched off since. */
  readonly calledOff: boolean
  /** It tells of an erasure, which every receiver must hear of that can be reached. */
  readonly tellsErased?: boolean
  /** Its person is not to be contacted. */
  readonly excluded: boolean
}

/** Whether a due delivery is sent, or why it is not (waiting.ts). */
export type Verdict = 'send' | 'untracked' | 'cleared' | 'called_off' | 'excluded' | 'disabled'

/**
 * Judges it: a cleared URL cancels it, whatever else is true; an untracked source ends it, autoSend off cancels it, an excluded person
 * ends it, a disabled endpoint holds it.
 */
export function verdictOn(endpoint: Endpoint): Verdict {
  if (endpoint.cleared) return 'cleared'
  if (endpoint.tellsErased === true) return endpoint.url === null ? 'cleared' : 'send'
  if (!endpoint.ownerActive) return 'untracked'
  if (endpoint.url === null) return 'cleared'
  if (endpoint.calledOff) return 'called_off'
  if (endpoint.excluded) return 'excluded'
  return endpoint.disabledAt === null ? 'send' : 'disabled'
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
