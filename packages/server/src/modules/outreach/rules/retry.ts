/** When outreach tries again, in service time. */

const minuteMs = 60_000
const longestMs = 6 * 60 * minuteMs

/** People whose answer was lost are looked up so long after: the platform shows who was added within minutes. */
export const settleMs = 10 * minuteMs

/** Somebody else is sending that person, or may have: looked at again when that is known. */
export const afterSettleMs = settleMs + 5 * minuteMs

/** Looks at a lost answer before it is left open for good: those people are then never sent again by us. */
export const maxChecks = 10

/** How long an auto-push waits after `failures` failures in a row, at least as long as the platform asked. */
export function pauseAfter(failures: number, askedMs: number | undefined): number {
  return Math.max(askedMs ?? 0, Math.min(longestMs, minuteMs * 2 ** Math.min(failures - 1, 12)))
}

/** How long until the next look after `checks` that failed; null after the last. */
export function nextCheckAfter(checks: number): number | null {
  return checks >= maxChecks ? null : Math.min(longestMs, settleMs * 2 ** Math.min(checks - 1, 8))
}
