/** The machine clock of worlds. */
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'

/** Whoever waits so short looks again and again: to look oftener costs more than it gains. */
const momentMs = 20

/** A machine whose pauses are a twentieth as long, so that back-off inside one vendor call does not hold a test up. */
export const hastyMachine: SystemClock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= momentMs ? ms : Math.max(1, ms / 20), signal),
}

/**
 * The same, and its time leaps over what was left out of a pause: a drain does not wait in real time until a destination may be called
 * again (its lease is kept for as long). Not for worlds in which a drain waits while an answer is held for long: leases would run out.
 */
export function leapingMachine(): SystemClock {
  let leaptMs = 0
  return {
    ...hastyMachine,
    nowMs: () => systemClock.nowMs() + leaptMs,
    sleep: async (ms, signal) => {
      const beganMs = systemClock.nowMs()
      await hastyMachine.sleep(ms, signal)
      leaptMs += Math.max(0, ms - (systemClock.nowMs() - beganMs))
    },
  }
}
