/** How many calls of one team may be under way at once: the others wait in line, briefly, so that no team takes every connection. */
import type { SystemClock } from './clock.ts'
import { openPlaces } from './places.ts'
import { Refusal } from './refusal.ts'

/** Lets in so many of a team at a time. */
export type ConcurrencyLimiter = {
  /** Runs the work when it is its turn; refuses `unavailable` when that does not come soon. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
}

const refused = () =>
  new Refusal(
    'unavailable',
    {},
    'Too many calls of this team are under way at once: wait for the seconds in Retry-After and try again',
    { 'retry-after': '1' },
  )

/** Opens one: `limit` at a time for each team, `waitMs` of waiting at most. */
export function openConcurrencyLimiter(of: { limit: number; waitMs: number; system: SystemClock }): ConcurrencyLimiter {
  const places = openPlaces({ ...of, refused })
  return {
    run: async (teamId, work) => {
      await places.enter(teamId)
      try {
        return await work()
      } finally {
        places.leave(teamId)
      }
    },
  }
}
