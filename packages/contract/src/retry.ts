export type RetrySettings = {
  /** Tries after the first, 2 by default. */
  readonly attempts?: number
  /** 30 s by default; gives up when the service asks for a longer wait. */
  readonly maxWaitMs?: number
  /** Must reject when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number in [0, 1): spreads callers that failed together. */
  readonly random?: () => number
}

type RetryPolicy = Required<RetrySettings>

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

/** Fills in defaults; `false` turns retries off. */
export function retryPolicy(settings: RetrySettings | false | undefined): RetryPolicy {
  if (settings === false) return { attempts: 0, maxWaitMs: 0, sleep: wait, random: Math.random }
  return {
    attempts: settings?.attempts ?? 2,
    maxWaitMs: settings?.maxWaitMs ?? 30_000,
    sleep: settings?.sleep ?? wait,
    random: settings?.random ?? Math.random,
  }
}

/** True for a status that another try may improve. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 500 || status === 502 || status === 503 || status === 504
}

const firstWaitMs = 250

/** Wait before the try after `attempt`: `Retry-After` plus up to 1 s, else a jittered doubling backoff. Null: give up. */
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

/** Wait before asking again for a try still in progress: as long as already waited, from 250 ms to 5 s. */
export const inFlightWait = (waitedMs: number): number => Math.min(Math.max(firstWaitMs, waitedMs), 5_000)
