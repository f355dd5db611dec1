/** When a source runs next (G140): a day after its last scheduled start, later when busy, never earlier. */

const dayMs = 24 * 60 * 60 * 1000

/** One day after. */
export const dayAfter = (instant: Date): Date => new Date(instant.getTime() + dayMs)

/** The later of two instants. */
export const later = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)

/** What ends a keyword search, and whether it has ended; sources of other kinds have no limits (specification «Tracked source», `schedule`; G72). */
export type Schedule = {
  /** Runs that count towards `maxRuns`. */
  readonly runsCompleted: number
  /** Null: no limit. */
  readonly maxRuns: number | null
  readonly endAt: Date | null
  readonly runOnce: boolean
  readonly stoppedAt: Date | null
  readonly stoppedReason: 'max_runs' | 'run_once' | 'end_at' | null
}

/** A schedule that never ends. */
export const endlessSchedule: Schedule = { runsCompleted: 0, maxRuns: null, endAt: null, runOnce: false, stoppedAt: null, stoppedReason: null }
