/**
 * When an account at an outside system is held, and when it is free again.
 *
 *   closed --a run of failures that say something about the account, not about what was asked--> open
 *   open   --a probe, one a minute, is answered--> closed       --it is not--> open, with what it found
 *
 * Any answer between two failures begins the run anew. How long a run must be depends on how plainly its last failure speaks: an
 * account that is refused says so itself, a time-out may be one bad page. Calls that were under way when the account was opened
 * change nothing: only probes close it.
 */
import { askedWait } from '../../platform/rules/asked-wait.ts'

/** Why an account is held, as far as failures show it. */
export type BreakerReason = 'away' | 'key' | 'money' | 'rate'

/** The state of an account. */
export type BreakerState = {
  /** Failures in a row. */
  readonly failures: number
  readonly open: { readonly reason: BreakerReason; readonly since: Date; readonly probeAt: Date } | null
}

/** What a call says about its account; null: that it is well. */
export type Trouble = {
  readonly reason: BreakerReason
  /** Failures in a row that open the account when this is the last of them. */
  readonly after: number
  readonly retryAfterMs?: number | undefined
} | null

/** An account nothing is wrong with. */
export const closed: BreakerState = { failures: 0, open: null }

/** How often an open account is tried. */
export const probeEveryMs = 60_000
const longestAskedMs = 3_600_000

/** What a failure says about the account; null for those that are answers, or end the work by themselves. */
export function troubleOf(failure: {
  readonly kind: string
  readonly why?: 'key' | 'money' | null
  readonly retryAfterMs?: number | undefined
}): Trouble {
  switch (failure.kind) {
    case 'account':
      return { reason: failure.why ?? 'key', after: 2 }
    case 'unavailable':
      return { reason: 'away', after: 3 }
    case 'malformed':
      return { reason: 'away', after: 5 }
    case 'rate_limited':
      return { reason: 'rate', after: 5, retryAfterMs: failure.retryAfterMs }
    default:
      return null
  }
}

const nextProbe = (now: Date, trouble: NonNullable<Trouble>): Date =>
  new Date(now.getTime() + askedWait(probeEveryMs, trouble.retryAfterMs, longestAskedMs))

/** The state of an account after a call for work. */
export function afterCall(state: BreakerState, trouble: Trouble, now: Date): BreakerState {
  if (state.open) return state
  if (trouble === null) return closed
  const failures = state.failures + 1
  if (failures < trouble.after) return { failures, open: null }
  return { failures, open: { reason: trouble.reason, since: now, probeAt: nextProbe(now, trouble) } }
}

/** The state of an account after a probe. */
export function afterProbe(state: BreakerState, trouble: Trouble, now: Date): BreakerState {
  if (trouble === null || !state.open) return closed
  return { ...state, open: { reason: trouble.reason, since: state.open.since, probeAt: nextProbe(now, trouble) } }
}

/** True when an open account may be tried. A clock that was set back does not keep it shut. */
export const mayProbe = ({ open }: BreakerState, now: Date): boolean =>
  open !== null && (open.probeAt <= now || open.probeAt.getTime() - now.getTime() > longestAskedMs)

/** Long enough for the probe to have been answered. */
const afterProbeMs = 5_000

/** When work that waits for an open account is tried again. */
export const heldUntil = (open: NonNullable<BreakerState['open']>, now: Date): Date =>
  new Date(Math.max(open.probeAt.getTime(), now.getTime()) + afterProbeMs)
