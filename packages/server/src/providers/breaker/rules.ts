/**
 * When an account at an outside system is held, and when it is free again.
 *
 *   closed --enough failures in a row that say something about the account--> open
 *   open   --a probe (one a minute) is answered--> closed
 *   open   --a probe fails--> open, with the reason it found
 *
 * Any answer resets the count. How many failures it takes depends on how clear the last one is: a refused account says so itself,
 * a time-out may be one bad page. Only probes close an open account; calls that were already under way change nothing.
 */
import { askedWait } from '../../platform/rules/asked-wait.ts'

/** Why failures hold an account. */
export type BreakerReason = 'away' | 'key' | 'money' | 'rate'

/** The state of an account; `failures`: failures in a row. */
export type BreakerState = {
  readonly failures: number
  readonly open: { readonly reason: BreakerReason; readonly since: Date; readonly probeAt: Date } | null
}

/** What a call says about its account; null: nothing is wrong. */
export type Trouble = {
  readonly reason: BreakerReason
  /** Failures in a row that open the account when this is the last one. */
  readonly after: number
  readonly retryAfterMs?: number | undefined
} | null

export const closed: BreakerState = { failures: 0, open: null }

export const probeEveryMs = 60_000
const longestAskedMs = 3_600_000

/** What a failure says about the account; null for answers and for failures that end the work themselves. */
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

/** The state after a normal call. */
export function afterCall(state: BreakerState, trouble: Trouble, now: Date): BreakerState {
  if (state.open) return state
  if (trouble === null) return closed
  const failures = state.failures + 1
  if (failures < trouble.after) return { failures, open: null }
  return { failures, open: { reason: trouble.reason, since: now, probeAt: nextProbe(now, trouble) } }
}

/** The state after a probe. */
export function afterProbe(state: BreakerState, trouble: Trouble, now: Date): BreakerState {
  if (trouble === null || !state.open) return closed
  return { ...state, open: { reason: trouble.reason, since: state.open.since, probeAt: nextProbe(now, trouble) } }
}

/** True when an open account may be probed. The upper bound keeps a clock that was set back from holding it shut. */
export const mayProbe = ({ open }: BreakerState, now: Date): boolean =>
  open !== null && (open.probeAt <= now || open.probeAt.getTime() - now.getTime() > longestAskedMs)

const afterProbeMs = 5_000

/** When to retry work that waits for an open account. */
export const heldUntil = (open: NonNullable<BreakerState['open']>, now: Date): Date =>
  new Date(Math.max(open.probeAt.getTime(), now.getTime()) + afterProbeMs)
