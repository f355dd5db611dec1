/** Answers without a socket and a clock that stands still, for adapter tests without a sandbox. */
import type { SystemClock } from '../../src/platform/clock.ts'
import type { Egress, EgressRequest, EgressResponse } from '../../src/platform/egress/types.ts'
import type { AdapterOptions } from '../../src/providers/network/vendor-client.ts'

export type Served = { status?: number; body: unknown; headers?: Record<string, string> }

/** An answer as the egress returns it. */
export const answerOf = ({ status = 200, headers = {}, body }: Served): EgressResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  elapsedMs: 1,
})

/** A clock that stands still except for waits, each of which moves it; `slept` lists them. */
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

/** An egress that serves answers in turn, repeating the last one, and records the requests. */
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
 * Adapter options: answers in turn, a budget that always grants, a clock that stands still. `tier` is LinkdAPI's answer about its
 * limit, before the first call; `calls` lists all other requests without the base address.
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

/** Makes a function that returns the expected failure of work; any other outcome fails the test. */
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
