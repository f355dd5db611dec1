/** Places of which each of many has few at once: who finds none free waits in line, first come, first served, and not for long. */
import type { SystemClock } from './clock.ts'

/** Places by the name of who has them. */
export type Places = {
  /** Takes a place; rejects with the error of `refused` when none becomes free in time. */
  enter(name: string): Promise<void>
  /** Gives a place that was taken to the next in line. */
  leave(name: string): void
}

type Line = { inside: number; readonly waiting: (() => void)[] }

/** Opens them: `limit` for each name, `waitMs` of waiting at most. */
export function openPlaces({
  limit,
  waitMs,
  system,
  refused,
}: {
  readonly limit: number
  readonly waitMs: number
  readonly system: Pick<SystemClock, 'expire'>
  readonly refused: () => Error
}): Places {
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
        reject(refused())
      }
      system.expire(waitMs, over.signal).then(giveUp, () => {})
    })

  return {
    enter: async (name) => {
      const line = lines.get(name) ?? { inside: 0, waiting: [] }
      lines.set(name, line)
      if (line.inside < limit) line.inside += 1
      else await turn(line)
    },
    leave: (name) => {
      const line = lines.get(name)!
      // The next in line takes over the place of the one that leaves.
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.inside === 0) lines.delete(name)
    },
  }
}
