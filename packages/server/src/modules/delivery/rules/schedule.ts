/** When a delivery is tried again: ten attempts over about 76 hours, spread by chance (WHK-27, G49). */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits before each attempt, from the attempt before it; the first is made at once. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Attempts of one delivery at most. */
export const maxAttempts = attemptDelaysMs.length

/** A receiver may put us off for so long at most. */
export const longestRetryAfterMs = 24 * hour

/**
 * Milliseconds until the attempt after `made` failed ones: 80 to 120 % of the plan by `random` in [0, 1), later when
 * the receiver asks; null when all are made.
 */
export function delayBeforeNext(made: number, askedMs: number | null, random: number): number | null {
  const plan = attemptDelaysMs[made]
  if (plan === undefined) return null
  const spread = Math.round(plan * (0.8 + 0.4 * random))
  return askedWait(spread, askedMs, longestRetryAfterMs)
}
