import { systemClock, type SystemClock } from '../../src/platform/clock.ts'

/** Pauses up to this length belong to polling loops; shortening them would cost more than it gains. */
const momentMs = 20

/** A system clock with pauses a twentieth as long, so that back-off within a vendor call does not slow tests down. */
export const fastClock: SystemClock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= momentMs ? ms : Math.max(1, ms / 20), signal),
}

/**
 * Also jumps ahead by what it cut off a pause, so that a drain does not wait in real time for a destination's backoff, during
 * which it keeps its lease. Not for worlds where a drain waits long for a held answer: leases would expire.
 */
export function skippingClock(): SystemClock {
  let leaptMs = 0
  return {
    ...fastClock,
    nowMs: () => systemClock.nowMs() + leaptMs,
    sleep: async (ms, signal) => {
      const beganMs = systemClock.nowMs()
      await fastClock.sleep(ms, signal)
      leaptMs += Math.max(0, ms - (systemClock.nowMs() - beganMs))
    },
  }
}
