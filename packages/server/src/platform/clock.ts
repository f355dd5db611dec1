/**
 * The two hands of the clock. *Service time* is everything the contract shows or decides and can be driven by a
 * test; *system time* measures leases, heartbeats, network time-outs and vendor budgets, which follow the machine.
 */
import { setTimeout as sleepTimer } from 'node:timers/promises'

/** The machine's own time: leases, time-outs, back-off inside one vendor call. */
export interface SystemClock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Resolves after `ms` as `sleep` does, for a bound: after it somebody is no longer waited for. What shortens pauses, as tests do,
   * leaves bounds alone.
   */
  expire(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `ms` until the returned function is called; the timer never keeps a process alive. */
  every(ms: number, work: () => void): () => void
}

/**
 * Milliseconds from an instant that was noted until now; for ever where the clock has been set back since, so that
 * nothing waits for its time to come again.
 */
export const passedMs = (thenMs: number, nowMs: number): number =>
  nowMs >= thenMs ? nowMs - thenMs : Number.POSITIVE_INFINITY

const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await sleepTimer(ms, undefined, signal ? { signal } : undefined)
}

/** The real machine clock. */
export const systemClock: SystemClock = {
  nowMs: () => Date.now(),
  sleep: wait,
  expire: wait,
  every: (ms, work) => {
    const timer = setInterval(work, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** Waits for work, but no longer than `ms`; the work itself goes on. A failure of the work fails the wait. */
export async function atMost(system: SystemClock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const late = system.expire(ms, done.signal).catch(() => {})
  await Promise.race([work, late]).finally(() => done.abort())
}
