import type { SystemClock } from './clock.ts'
import { openPlaces } from './places.ts'
import { Refusal } from './refusal.ts'

/** Limits concurrent calls per team, so that no team takes every connection. */
export type ConcurrencyLimiter = {
  /** Runs `work` once a slot is free; refuses `unavailable` when none becomes free in time. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
}

const refused = () =>
  new Refusal(
    'unavailable',
    {},
    'Too many calls of this team are under way at once: wait for the seconds in Retry-After and try again',
    { 'retry-after': '1' },
  )

/** `limit` concurrent calls per team; each waits at most `waitMs` for its slot. */
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
