import type { DestinationTrouble } from '../../../providers/destinations/port.ts'
import type { PausedReason } from './schema.ts'

const pauses: Readonly<Partial<Record<DestinationTrouble, PausedReason>>> = {
  auth_revoked: 'credentials_rejected',
  scope_missing: 'scope_missing',
  setup_missing: 'setup_missing',
  plan: 'plan',
  quota_day: 'quota',
}

/** Why the destination pauses for this trouble; null when it only retries a little later. */
export const pauseOf = (trouble: DestinationTrouble): PausedReason | null => pauses[trouble] ?? null

const second = 1_000
const minute = 60 * second
const waitsMs: readonly number[] = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute]

/** Milliseconds until the next call when the platform gave no time; `failures`: consecutive failures before this one. */
export function retryAfterMs(trouble: DestinationTrouble, failures: number): number {
  if (trouble === 'quota_day') return 60 * minute
  return waitsMs[Math.min(failures, waitsMs.length - 1)]!
}
