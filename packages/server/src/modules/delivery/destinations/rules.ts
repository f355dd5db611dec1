import type { DestinationKind, DestinationTrouble } from '../../../providers/destinations/port.ts'

/** The kinds of destination; `webhook` is sent by the webhook loop, the others have an adapter. */
export type Kind = 'webhook' | DestinationKind

export type PausedReason = 'credentials_rejected' | 'scope_missing' | 'setup_missing' | 'quota' | 'plan'

export type DeliveryState = 'waiting' | 'delivered' | 'unchanged' | 'refused' | 'excluded' | 'unknown'

/** Why a record was not written. */
export type DeliveryError = { readonly code: string; readonly message: string; readonly field?: string }

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
