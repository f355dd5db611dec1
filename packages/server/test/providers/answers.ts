/** Answers without a socket, and a clock that stands still: what tests of adapters need that load no vendor. */
import type { SystemClock } from '../../src/platform/clock.ts'
import type { Egress, EgressRequest, EgressResponse } from '../../src/platform/egress/types.ts'
import type { AdapterOptions } from '../../src/providers/network/vendor-client.ts'

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
  const sleep: SystemClock['sleep'] = async (ms, signal) => {
    signal?.throwIfAborted()
    slept.push(ms)
    now += ms
  }
  return {
    slept,
    move: (ms) => void (now += ms),
    nowMs: () => now,
    sleep,
    expire: sleep,
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

/**
 * What an adapter is opened with before answers that are served in turn: a budget that always has a place, and a clock that stands
 * still. `tier` is what LinkdAPI's account says of its limit, beside the first call; `calls` are all others, without the address.
 */
export function opening(served: readonly (Served | Error)[], tier: Served = { body: {} }) {
  const egress = answering(...served)
  const ofTier = answering(tier)
  const system = stillClock()
  const savedLimits: [account: string, inFlight: number][] = []
  const limits: [inFlight: number, perMinute: number | null][] = []
  const options: AdapterOptions = {
    baseUrl: 'https://v.example',
    apiKey: 'k3y',
    egress: {
      request: (request) =>
        (request.timeoutMs === 5_000 && request.url.includes('/credits/tier/') ? ofTier : egress).request(request),
      close: egress.close,
    },
    budget: {
      acquire: async (_vendor, { maxInFlight, perMinute }) => {
        limits.push([maxInFlight(), perMinute])
        return { release: async () => {} }
      },
      saveConcurrencyLimit: async (account, inFlight) => void savedLimits.push([account, inFlight]),
      findConcurrencyLimit: async () => null,
    },
    system,
    random: { next: () => 0.5 },
  }
  const calls = () => egress.asked.map(({ url }) => url.slice('https://v.example'.length))
  return { options, calls, asked: egress.asked, ofTier: ofTier.asked, system, savedLimits, limits }
}

/** Makes what answers with the failure of work that must fail, of one kind; anything else is an error of the test. */
export const failuresOf =
  <E extends Error>(kind: abstract new (...given: never[]) => E) =>
  async (work: Promise<unknown>): Promise<E> => {
    const outcome = await work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome && outcome.error instanceof kind) return outcome.error
    throw new Error(
      `expected ${kind.name}, got ${'error' in outcome ? String(outcome.error) : JSON.stringify(outcome.value)?.slice(0, 200)}`,
    )
  }
