/**
 * When a page that the vendor failed is asked for again: service time after each failure in a row; after the last one
 * the run has failed.
 */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

const second = 1_000
const waits = [15 * second, 60 * second, 5 * 60 * second, 20 * 60 * second] as const

/** Service time after its start within which a run asks again for what it cannot read. */
const longestMs = 6 * 3_600 * second

/** True of a run that has tried again and began long ago: an answer that cannot be read holds no run open for days. */
export const triedEnough = (run: { readonly attempts: number; readonly startedAt: Date | null }, now: Date): boolean =>
  run.attempts > 0 && run.startedAt !== null && now.getTime() - run.startedAt.getTime() > longestMs

/**
 * When the try after `attempts` failures is due; null when there is none. A longer wait that the vendor asks for is
 * kept, up to an hour.
 */
export function retryAt(attempts: number, now: Date, retryAfterMs: number | undefined): Date | null {
  const wait = waits[attempts]
  return wait === undefined ? null : new Date(now.getTime() + askedWait(wait, retryAfterMs, 3_600 * second))
}
