/**
 * Lanes: how a process works on what is due. A kind of work has as many lanes as the catalog allows; a wake starts one, a lane
 * that found work starts another, and each goes on until its step finds nothing. What is due is always asked of the rows.
 */
import { jobCatalog, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Step } from '../platform/work/index.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { dueKinds, type Steps } from './works.ts'

/** The lanes of a process. */
type Lanes = {
  /** There may be work of a kind. */
  wake(kind: JobKind): void
  /** Waits until one of those under way has come to its end; `idle` at once when none is. */
  rest(): Promise<'rested' | 'idle'>
  /** Takes nothing more and waits until what is under way has ended. */
  stop(): Promise<void>
}

type Track = { running: number; wokenAgain: boolean }

const afterFailureMs = 1_000

/** Opens the lanes; `onWorked` hears of every finished unit. */
export function openLanes(parts: {
  steps: Steps
  system: SystemClock
  log: Log
  onWorked?: (kind: JobKind) => void
}): Lanes {
  const tracks = new Map<JobKind, Track>()
  const under = new Set<Promise<void>>()
  const stopping = new AbortController()

  const start = (kind: JobKind, track: Track, step: Step): void => {
    if (stopping.signal.aborted || track.running >= jobCatalog[kind].concurrency) return
    track.running += 1
    const lane = run(kind, track, step).finally(() => {
      under.delete(lane)
    })
    under.add(lane)
  }

  const run = async (kind: JobKind, track: Track, step: Step): Promise<void> => {
    try {
      while (!stopping.signal.aborted) {
        track.wokenAgain = false
        if ((await step(stopping.signal)) === 'worked') {
          parts.onWorked?.(kind)
          start(kind, track, step)
          continue
        }
        // A wake that came while this look was under way may be about something it did not see.
        if (!track.wokenAgain) return
      }
    } catch (error) {
      parts.log.error('a unit of work failed', { kind, error })
      // The lane ends; the sweep finds the row again when its lease has run out.
      await parts.system.sleep(afterFailureMs, stopping.signal).catch(() => {})
    } finally {
      track.running -= 1
    }
  }

  return {
    wake: (kind) => {
      const step = parts.steps[kind]
      const track = tracks.get(kind) ?? { running: 0, wokenAgain: false }
      tracks.set(kind, track)
      track.wokenAgain = true
      start(kind, track, step)
    },
    rest: async () => {
      if (under.size === 0) return 'idle'
      await Promise.race(under)
      return 'rested'
    },
    stop: async () => {
      stopping.abort()
      while (under.size > 0) await Promise.all(under)
    },
  }
}

type SweepParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly log: Log
  readonly wake: (kinds: readonly JobKind[]) => void
}

const everyMs = 3_000

/**
 * Sweeps at once and every three seconds; returns the stop, which waits for a running look: closing the pool while its connection
 * is being opened would hang. Waking every lane at the start instead would open many cold connections to claim nothing.
 */
export function startSweep({ db, serviceNow, system, log, wake }: SweepParts): () => Promise<void> {
  let underWay: Promise<void> | undefined
  const look = async (): Promise<void> => {
    try {
      const kinds = await dueKinds(db, await serviceNow(db), system.nowMs())
      if (kinds.length > 0) wake(kinds)
    } catch (error) {
      log.warn('the sweep could not ask what is due', { error })
    }
  }
  const sweep = (): void => {
    underWay ??= look().finally(() => {
      underWay = undefined
    })
  }
  sweep()
  const stop = system.every(everyMs, sweep)
  return async () => {
    stop()
    await underWay
  }
}
