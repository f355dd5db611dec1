/** What a platform's trouble means for a destination. */
import type { DestinationTrouble } from '../../../providers/destinations/port.ts'
import type { PausedReason } from './schema.ts'

const pauses: Readonly<Partial<Record<DestinationTrouble, PausedReason>>> = {
  auth_revoked: 'credentials_rejected',
  scope_missing: 'scope_missing',
  setup_missing: 'setup_missing',
  plan: 'plan',
  quota_day: 'quota',
}

/** Why the destination pauses; null: it goes on a little later. */
export const pauseOf = (trouble: DestinationTrouble): PausedReason | null => pauses[trouble] ?? null

const second = 1_000
const minute = 60 * second
const waitsMs: readonly number[] = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute]

/** Milliseconds until a platform is asked again that did not say when; `failures`: how often it failed before, in a row. */
export function retryAfterMs(trouble: DestinationTrouble, failures: number): number {
  if (trouble === 'quota_day') return 60 * minute
  return waitsMs[Math.min(failures, waitsMs.length - 1)]!
}
