/**
 * When a page that the vendor failed is asked for again: service time after each failure in a row; after the last one
 * the run has failed.
 */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

const second = 1_000
const waits = [15 * second, 60 * second, 5 * 60 * second, 20 * 60 * second] as const

/**
 * When the try after `attempts` failures is due; null when there is none. A longer wait that the vendor asks for is
 * kept, up to an hour.
 */
export function retryAt(attempts: number, now: Date, retryAfterMs: number | undefined): Date | null {
  const wait = waits[attempts]
  return wait === undefined ? null : new Date(now.getTime() + askedWait(wait, retryAfterMs, 3_600 * second))
}
