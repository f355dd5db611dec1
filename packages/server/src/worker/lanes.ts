/** Lanes are loops that run steps: a wake-up starts one; one that found work starts another, up to the catalog's number. */
import { jobCatalog, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Step } from '../platform/work/index.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { dueKinds, type Steps } from './works.ts'

type Lanes = {
  wake(kind: JobKind): void
  /** Waits until one lane ends; `idle` when none runs. */
  rest(): Promise<'rested' | 'idle'>
  stop(): Promise<void>
}

type Track = { running: number; wokenAgain: boolean }

const afterFailureMs = 1_000

/** Opens the lanes; `onWorked` is called after each finished unit. */
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
        // A wake-up during the look may be for work that it did not see.
        if (!track.wokenAgain) return
      }
    } catch (error) {
      parts.log.error('a unit of work failed', { kind, error })
      // The lane ends; the sweep finds the row again once its lease has expired.
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
 * Sweeps at once and every three seconds; waking every lane instead would open many connections for nothing. The returned stop
 * waits for a running sweep, since closing the pool while its connection opens would hang.
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
