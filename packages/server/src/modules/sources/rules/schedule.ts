/** When a source runs next (G140): a day after its last scheduled start, later when busy, never earlier. */
import { initialEnd } from '@les/contract'

const dayMs = 24 * 60 * 60 * 1000

export const dayAfter = (instant: Date): Date => new Date(instant.getTime() + dayMs)

/** The later of two instants. */
export const laterOf = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)

/** True when a tracked source's next run may open at `now`. */
export const isDue = (
  source: {
    readonly openSyncId: string | null
    readonly nextSyncAt: Date | null
    readonly schedule: Pick<Schedule, 'stoppedAt'>
  },
  now: Date,
): boolean =>
  source.openSyncId === null &&
  source.schedule.stoppedAt === null &&
  source.nextSyncAt !== null &&
  source.nextSyncAt <= now

/** When a keyword search ends; other kinds have no limits (specification «Tracked source», `schedule`; G72). */
export type Schedule = {
  readonly runsCompleted: number
  /** Null: no limit. */
  readonly maxRuns: number | null
  readonly endAt: Date | null
  readonly runOnce: boolean
  readonly stoppedAt: Date | null
  readonly stoppedReason: 'max_runs' | 'run_once' | 'end_at' | null
}

/** Endings that count towards `maxRuns`; failed, abandoned and skipped runs and an empty balance do not (KRN-16, G75). */
const countedEndings: readonly (string | null)[] = ['exhausted', 'credits', 'post_limit', 'team_cap', 'lead_cap']

/** True when a run with this ending counts. */
export const countsAsRun = (ending: { readonly state: string; readonly stoppedBy: string | null }): boolean =>
  ending.state === 'captured' && countedEndings.includes(ending.stoppedBy)

/** Why a search runs no more at `now`; null while it may (KRN-17..KRN-22, G72). */
export function stopReason(
  schedule: Pick<Schedule, 'runsCompleted' | 'maxRuns' | 'endAt' | 'runOnce'>,
  now: Date,
): Schedule['stoppedReason'] {
  if (schedule.runOnce && schedule.runsCompleted >= 1) return 'run_once'
  if (schedule.maxRuns !== null && schedule.runsCompleted >= schedule.maxRuns) return 'max_runs'
  return schedule.endAt !== null && schedule.endAt <= now ? 'end_at' : null
}

/** Stops a schedule that has reached its end; a stopped one stays as it was. */
export function stoppedIfEnded(schedule: Schedule, now: Date): Schedule {
  if (schedule.stoppedAt !== null) return schedule
  const stoppedReason = stopReason(schedule, now)
  return stoppedReason === null ? schedule : { ...schedule, stoppedAt: now, stoppedReason }
}

export const endlessSchedule: Schedule = {
  ...initialEnd,
  runsCompleted: 0,
  stoppedAt: null,
  stoppedReason: null,
}
