/** Periodic tasks that go over teams: what fails unexpectedly for one of them keeps none of the others from its turn. */
import type { Log } from '../platform/log.ts'
import { isOfTheWork } from '../platform/work-in-hand.ts'

/** Does something for each of them, and says in the log for whom it failed; trouble of the database ends it. */
export async function eachAlone<T extends object>(
  all: readonly T[],
  log: Log,
  something: (one: T) => Promise<unknown>,
): Promise<number> {
  let done = 0
  for (const one of all) {
    try {
      await something(one)
      done += 1
    } catch (error) {
      if (!isOfTheWork(error)) throw error
      log.error('a periodic task failed for one team', { ...one, error })
    }
  }
  return done
}
