/** What an edit makes of the schedule of a keyword search (specification «States and transitions»; KRN-20..KRN-22; G72, G73). */
import { stopReason, type Schedule } from '../../sources/rules/schedule.ts'

/** What a request says about the end of a search. */
export type NamedLimits = {
  readonly runOnce?: boolean | undefined
  readonly maxRuns?: number | null | undefined
  readonly endAt?: Date | null | undefined
}

/** `runOnce: true` is one counted run; `runOnce: false` alone lifts the limit only when that was one run (G73). */
function limitsAfter(present: Schedule, named: NamedLimits): Pick<Schedule, 'maxRuns' | 'runOnce' | 'endAt'> {
  const endAt = named.endAt === undefined ? present.endAt : named.endAt
  if (named.runOnce === true) return { runOnce: true, maxRuns: 1, endAt }
  if (named.maxRuns !== undefined)
    return {
      runOnce: named.runOnce === undefined && named.maxRuns === 1 && present.runOnce,
      maxRuns: named.maxRuns,
      endAt,
    }
  if (named.runOnce === false) return { runOnce: false, maxRuns: present.maxRuns === 1 ? null : present.maxRuns, endAt }
  return { runOnce: present.runOnce, maxRuns: present.maxRuns, endAt }
}

/** True when the reason for which a search was stopped still holds. */
const stillHolds = (schedule: Schedule, now: Date): boolean =>
  schedule.stoppedReason === 'end_at'
    ? schedule.endAt !== null && schedule.endAt <= now
    : schedule.stoppedReason !== null && schedule.maxRuns !== null && schedule.runsCompleted >= schedule.maxRuns

/**
 * The schedule after a request: a stop is lifted only when nothing holds the search any more, and otherwise keeps its
 * instant and, while it holds, its reason.
 */
export function decideSchedule(present: Schedule, named: NamedLimits, now: Date): Schedule {
  const next = { ...present, ...limitsAfter(present, named) }
  const reason = stopReason(next, now)
  if (reason === null) return { ...next, stoppedAt: null, stoppedReason: null }
  if (present.stoppedAt === null) return { ...next, stoppedAt: now, stoppedReason: reason }
  return { ...next, stoppedReason: stillHolds(next, now) ? present.stoppedReason : reason }
}

/** The schedule of a search that is tracked again after it was deleted: it counts its runs anew; an end that has passed holds. */
export const revivedSchedule = (present: Schedule): Schedule => ({
  ...present,
  runsCompleted: 0,
  stoppedAt: null,
  stoppedReason: null,
})
