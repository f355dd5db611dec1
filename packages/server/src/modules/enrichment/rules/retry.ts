import { askedWait } from '../../../platform/rules/asked-wait.ts'

const second = 1_000
const minute = 60 * second
const waits = [30 * second, 2 * minute, 10 * minute, 60 * minute, 240 * minute] as const

/** When to retry (service time) after `attempts` earlier failures; null: never. A vendor's longer wait counts, up to a day. */
export function retryAt(attempts: number, now: Date, retryAfterMs: number | undefined): Date | null {
  const wait = waits[attempts]
  if (wait === undefined) return null
  return new Date(now.getTime() + askedWait(wait, retryAfterMs, 1_440 * minute))
}
