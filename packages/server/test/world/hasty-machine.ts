/** The machine clock of worlds. */
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'

/** Whoever waits so short looks again and again: to look oftener costs more than it gains. */
const momentMs = 20

/** A machine whose pauses are a twentieth as long, so that back-off inside one vendor call does not hold a test up. */
export const hastyMachine: SystemClock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= momentMs ? ms : Math.max(1, ms / 20), signal),
}
