/**
 * Machine time. *System time* measures leases, heartbeats, network timeouts and vendor budgets; *service time*
 * (`service-clock.ts`) is what the contract shows and decides by, and can be driven by a test.
 */
import { setTimeout as sleepTimer } from 'node:timers/promises'

/** The machine's own time. */
export interface SystemClock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Like `sleep`, but for timeouts: tests that shorten pauses leave `expire` alone. */
  expire(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `ms` until the returned function is called; the timer never keeps a process alive. */
  every(ms: number, work: () => void): () => void
}

/**
 * Milliseconds from `thenMs` to `nowMs`; infinite when the clock was set back in between, so that nothing waits for it to catch
 * up.
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

/** Waits for `work`, at most `ms`; the work itself continues. Rejects if the work fails first. */
export async function atMost(system: SystemClock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const late = system.expire(ms, done.signal).catch(() => {})
  await Promise.race([work, late]).finally(() => done.abort())
}
