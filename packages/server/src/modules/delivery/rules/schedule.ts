import { askedWait } from '../../../platform/rules/asked-wait.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The wait before each attempt (WHK-27, G49): ten over about 76 hours; the first is immediate. */
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

export const maxAttempts = attemptDelaysMs.length

/** The longest Retry-After that is respected. */
export const longestRetryAfterMs = 24 * hour

/** Milliseconds after `made` failed attempts: 80 to 120 % of the plan (`random` in [0, 1)), or as asked; null after the last. */
export function delayBeforeNext(made: number, askedMs: number | null, random: number): number | null {
  const plan = attemptDelaysMs[made]
  if (plan === undefined) return null
  const spread = Math.round(plan * (0.8 + 0.4 * random))
  return askedWait(spread, askedMs, longestRetryAfterMs)
}
