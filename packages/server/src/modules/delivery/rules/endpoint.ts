const dayMs = 86_400_000

/** An endpoint that only failed for this long is disabled. */
const failingLimitMs = 5 * dayMs

/** After this many failures of the service itself in a row, a delivery is held until a person sends it again. */
export const maxServiceFaults = 5

/** Concurrent attempts per endpoint. */
export const maxInFlight = 5

/** What an endpoint accepts within this time is leased in advance, at most `maxLeased`. */
const aheadMs = 200
const maxLeased = 300
const growth = 3

/** The lease limit after an accepted delivery; it follows the endpoint's pace, so a slow one has little leased in advance. */
export const leaseLimitAfter = (limit: number, elapsedMs: number): number =>
  Math.min(limit + growth, maxInFlight + Math.floor((maxInFlight * aheadMs) / Math.max(1, elapsedMs)), maxLeased)

/** After failing this long an endpoint gets one attempt at a time, so that a dead one cannot occupy the workers. */
export const probeAfterMs = 60_000

type Endpoint = {
  /** Its URL was cleared after the delivery was queued; it may have another since. */
  readonly cleared: boolean
  readonly url: string | null
  readonly disabledAt: Date | null
  readonly ownerActive: boolean
  readonly autoSendOff: boolean
  /** It is a `person.erased`, which must reach every receiver that has a URL. */
  readonly tellsErased?: boolean
  readonly excluded: boolean
}

/** Whether a due delivery is sent, or why not (waiting.ts). */
export type Verdict = 'send' | 'untracked' | 'cleared' | 'auto_send_off' | 'excluded' | 'disabled'

/** Judges a due delivery (G49, G134; WHK-19); the order of the checks decides which reason wins. */
export function verdictOn(endpoint: Endpoint): Verdict {
  if (endpoint.cleared) return 'cleared'
  if (endpoint.tellsErased === true) return endpoint.url === null ? 'cleared' : 'send'
  if (!endpoint.ownerActive) return 'untracked'
  if (endpoint.url === null) return 'cleared'
  if (endpoint.autoSendOff) return 'auto_send_off'
  if (endpoint.excluded) return 'excluded'
  return endpoint.disabledAt === null ? 'send' : 'disabled'
}

/** Why the service disabled an endpoint. */
export type DisabledReason = 'gone' | 'failing'

/** Health after a failed attempt: since when it fails, and whether that disables it. */
export function healthAfterFailure(
  failingSince: Date | null,
  result: 'gone' | 'failed',
  now: Date,
): { failingSince: Date; disable: DisabledReason | null } {
  const since = failingSince ?? now
  if (result === 'gone') return { failingSince: since, disable: 'gone' }
  return { failingSince: since, disable: now.getTime() - since.getTime() >= failingLimitMs ? 'failing' : null }
}
