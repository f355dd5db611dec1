/** Tries of one call at most. */
export const MAX_TRIES = 3
/** A new try starts at the latest so long after the first one began; a longer wait is a due date on the caller's row. */
export const RETRY_WINDOW_MS = 5_000

/** What happened so far. */
export type RetryState = {
  /** Tries made, from 1. */
  readonly tries: number
  readonly elapsedMs: number
  /** What is left of the caller's deadline. */
  readonly remainingMs: number
  /** What the vendor asked for, when it did. */
  readonly retryAfterMs: number | undefined
  /** In [0, 1). */
  readonly random: number
}

/** How long to wait before the next try; null when there is none (design §6). */
export function decideRetry(state: RetryState): number | null {
  if (state.tries >= MAX_TRIES) return null
  const backoffMs = 300 * 2 ** (state.tries - 1)
  // What the vendor asks for is the least wait; jitter only ever adds to it.
  const waitMs =
    state.retryAfterMs === undefined ? backoffMs * (0.5 + state.random) : state.retryAfterMs + 100 * state.random
  return state.elapsedMs + waitMs <= RETRY_WINDOW_MS && waitMs < state.remainingMs ? Math.ceil(waitMs) : null
}

/** `Retry-After` in milliseconds, from seconds or an HTTP date; undefined when absent or unreadable. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\s*(\d{1,7})(?:\.\d+)?\s*$/.exec(header)
  if (seconds) return Math.ceil(Number(header) * 1_000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
