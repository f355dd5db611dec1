/**
 * The sweep of a process that works: at its start and every three seconds it asks which kinds of work are due and wakes its lanes, so
 * that work is found that no message told of: its time has come, a message was lost, or the process that made it speaks to no other.
 */
import type { Kysely } from 'kysely'
import type { JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import { dueKinds } from './due.ts'

/** What a sweep works with. */
export type SweepParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly log: Log
  readonly wake: (kinds: readonly JobKind[]) => void
}

const everyMs = 3_000

/**
 * Sweeps at once, and until the function that it answers is called, which waits for a look that is under way: it may be on a connection
 * that is just being opened, and a pool that is closed meanwhile would wait for it for ever. The first sweep is how a start finds what
 * waits: waking every lane instead had two dozen claims look at as many kinds of work, on as many cold connections as the pool has.
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
