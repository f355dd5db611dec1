/** When the typed client tries a call again, and how long it waits before. */

export type RetrySettings = {
  /** Tries after the first, 2 by default. */
  readonly attempts?: number
  /** The longest wait; a service that asks for more is not asked again. 30 s by default. */
  readonly maxWaitMs?: number
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 to below 1: spreads callers that failed together. */
  readonly random?: () => number
}

export type RetryPolicy = Required<RetrySettings>

const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/** Fills in what is usual; `false` tries nothing again. */
export function retryPolicy(settings: RetrySettings | false | undefined): RetryPolicy {
  if (settings === false) return { attempts: 0, maxWaitMs: 0, sleep: wait, random: Math.random }
  return {
    attempts: settings?.attempts ?? 2,
    maxWaitMs: settings?.maxWaitMs ?? 30_000,
    sleep: settings?.sleep ?? wait,
    random: settings?.random ?? Math.random,
  }
}

/** True for an answer that another try may better: too fast, or a failure on the way or behind it. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 500 || status === 502 || status === 503 || status === 504
}

const firstWaitMs = 250

/**
 * How long to wait before the try after `attempt`, or null to give up: what the service asked for and up to a second more, else
 * a random part of a wait that doubles.
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | undefined, policy: RetryPolicy): number | null {
  if (attempt > policy.attempts) return null
  const ms =
    retryAfterSeconds === undefined
      ? firstWaitMs * 2 ** (attempt - 1) * (0.5 + policy.random() / 2)
      : retryAfterSeconds * 1_000 + policy.random() * 1_000
  return retryAfterSeconds !== undefined && retryAfterSeconds * 1_000 > policy.maxWaitMs
    ? null
    : Math.min(ms, policy.maxWaitMs)
}

/** How long to wait for the answer of a try that is still being worked on, by how long that has taken: it doubles, up to five seconds. */
export const twinWait = (waitedMs: number): number => Math.min(Math.max(firstWaitMs, waitedMs), 5_000)
