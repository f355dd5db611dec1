import type { SystemClock } from './clock.ts'

/** Limited slots per name, such as a team or shard: first come, first served, with a bounded wait. */
export type Places = {
  /** Takes a slot; rejects with `refused()` when none becomes free in time. */
  enter(name: string): Promise<void>
  leave(name: string): void
  /** Runs `work` in a slot. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

type Line = { inside: number; readonly waiting: (() => void)[] }

type PlacesParts = {
  readonly limit: number
  readonly waitMs: number
  readonly system: Pick<SystemClock, 'expire'>
  readonly refused: () => Error
}

/** `limit` slots per name; the longest wait is `waitMs`. */
export function openPlaces({ limit, waitMs, system, refused }: PlacesParts): Places {
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

  const places: Places = {
    enter: async (name) => {
      const line = lines.get(name) ?? { inside: 0, waiting: [] }
      lines.set(name, line)
      if (line.inside < limit) line.inside += 1
      else await turn(line)
    },
    leave: (name) => {
      const line = lines.get(name)!
      // The next in line takes the slot over, so `inside` stays.
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.inside === 0) lines.delete(name)
    },
    run: async (name, work) => {
      await places.enter(name)
      try {
        return await work()
      } finally {
        places.leave(name)
      }
    },
  }
  return places
}
