/** The world's clock; `set` answers false when the host process owns the time. */
export type Clock = { now(): Date; set(to: Date): boolean }

/** A clock that follows the given source, or else starts at the system's time, runs with it and can be moved. */
export function createClock(source?: () => Date): Clock {
  let offsetMs = 0
  return {
    now: () => (source ? source() : new Date(Date.now() + offsetMs)),
    set(to) {
      if (source) return false
      offsetMs = to.getTime() - Date.now()
      return true
    },
  }
}
