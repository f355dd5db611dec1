/** Answers without a socket, and a clock that stands still: what tests of adapters need that load no vendor. */
import type { SystemClock } from '../../src/platform/clock.ts'
import type { Egress, EgressRequest, EgressResponse } from '../../src/platform/egress/types.ts'

/** An answer to be served. */
export type Served = { status?: number; body: unknown; headers?: Record<string, string> }

/** An answer as the way out gives it. */
export const answerOf = ({ status = 200, headers = {}, body }: Served): EgressResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  elapsedMs: 1,
})

/** A clock that stands still between waits, each of which moves it; `slept` tells them. */
export function stillClock(startMs = 1_000_000): SystemClock & { slept: number[]; move(ms: number): void } {
  let now = startMs
  const slept: number[] = []
  return {
    slept,
    move: (ms) => void (now += ms),
    nowMs: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
    every: () => () => {},
  }
}

/** A way out that answers in turn, the last answer again and again, and keeps what it was asked. */
export function answering(...served: (Served | Error)[]): Egress & { asked: EgressRequest[] } {
  const asked: EgressRequest[] = []
  return {
    asked,
    request: async (request) => {
      asked.push(request)
      const next = served[Math.min(asked.length, served.length) - 1]!
      if (next instanceof Error) throw next
      return answerOf(next)
    },
    close: async () => {},
  }
}
