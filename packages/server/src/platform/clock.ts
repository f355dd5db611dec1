/** System time is the machine's: leases, timeouts. Service time (`service-clock.ts`) is the contract's; tests move it. */
import { setTimeout as sleepTimer } from 'node:timers/promises'

/** The machine's own time. */
export interface SystemClock {
  nowMs(): number
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Like `sleep`, for timeouts: tests that shorten pauses leave it alone. */
  expire(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `ms` until the returned function is called; never keeps a process alive. */
  every(ms: number, work: () => void): () => void
}

/** Milliseconds since `thenMs`; infinite when the clock was set back, so that nothing waits for it to catch up. */
export const passedMs = (thenMs: number, nowMs: number): number =>
  nowMs >= thenMs ? nowMs - thenMs : Number.POSITIVE_INFINITY

const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await sleepTimer(ms, undefined, signal ? { signal } : undefined)
}

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

/** Waits at most `ms` for `work`, which continues; rejects when `work` fails in time. */
export async function atMost(system: SystemClock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const late = system.expire(ms, done.signal).catch(() => {})
  await Promise.race([work, late]).finally(() => done.abort())
}
