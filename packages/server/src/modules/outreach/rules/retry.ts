/** When outreach tries again, in service time. */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

const minuteMs = 60_000
const longestMs = 6 * 60 * minuteMs
const longestAskedMs = 24 * 60 * minuteMs

/** People whose answer was lost are looked up so long after: the platform shows who was added within minutes. */
export const settleMs = 10 * minuteMs

/** Somebody else is sending that person, or may have: looked at again when that is known. */
export const afterSettleMs = settleMs + 5 * minuteMs

/** No look at a lost answer takes longer, in system time: a campaign of 10,000 people is a hundred pages. */
export const longestLookMs = 5 * minuteMs

/** Looks at a lost answer before it is left open for good: those people are then never sent again by us. */
export const maxChecks = 10

/** How long an auto-push waits after `failures` failures in a row, longer when the platform asks for it, up to a day. */
export function pauseAfter(failures: number, askedMs: number | undefined): number {
  const waitMs = Math.min(longestMs, minuteMs * 2 ** Math.min(failures - 1, 12))
  return askedWait(waitMs, askedMs, longestAskedMs)
}

/** How long until the next look after `checks` that failed; null after the last. */
export function nextCheckAfter(checks: number): number | null {
  return checks >= maxChecks ? null : Math.min(longestMs, settleMs * 2 ** Math.min(checks - 1, 8))
}
