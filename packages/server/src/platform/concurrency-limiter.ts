/** How many calls of one team may be under way at once: the others wait in line, briefly, so that no team takes every connection. */
import type { SystemClock } from './clock.ts'
import { Refusal } from './refusal.ts'

/** Lets in so many of a team at a time. */
export type ConcurrencyLimiter = {
  /** Runs the work when it is its turn; refuses `unavailable` when that does not come soon. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
}

type Line = { inside: number; readonly waiting: (() => void)[] }

/** Opens one: `limit` at a time for each team, `waitMs` of waiting at most. */
export function openConcurrencyLimiter({
  limit,
  waitMs,
  system,
}: {
  limit: number
  waitMs: number
  system: SystemClock
}): ConcurrencyLimiter {
  const lines = new Map<string, Line>()

  const turn = (line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const over = new AbortController()
      const enter = () => {
        resolve()
        over.abort()
      }
      line.waiting.push(enter)
      const giveUp = () => {
        const at = line.waiting.indexOf(enter)
        if (at < 0) return
        line.waiting.splice(at, 1)
        reject(
          new Refusal(
            'unavailable',
            {},
            'Too many calls of this team are under way at once: wait for the seconds in Retry-After and try again',
            { 'retry-after': '1' },
          ),
        )
      }
      system.expire(waitMs, over.signal).then(giveUp, () => {})
    })

  return {
    run: async (teamId, work) => {
      const line = lines.get(teamId) ?? { inside: 0, waiting: [] }
      lines.set(teamId, line)
      if (line.inside < limit) line.inside += 1
      else await turn(line)
      try {
        return await work()
      } finally {
        // The next in line takes over the place of the one that leaves.
        const next = line.waiting.shift()
        if (next) next()
        else if (--line.inside === 0) lines.delete(teamId)
      }
    },
  }
}
