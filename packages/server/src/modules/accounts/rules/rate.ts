/** Rate windows (specification «Rate limits»; G4, G5). */

export const windowMs = 60_000

/** Limits of signed-in people as multiples of the team's key limits; a page makes a dozen reads. */
export const sessionFactors = { sessionReads: 10, sessionWrites: 5 } as const

/** Limit of agent tool requests that call no tool (lists, prompts, greetings), as a multiple of the team's reads. */
export const toolListFactor = 10

/** Calls per minute of a team's signed-in people that reach outside the service or are expensive. */
export const sessionLimits = { testEvents: 10, replays: 30, backTests: 10, exports: 10, vendorJobs: 30 } as const

export type SessionWindow = keyof typeof sessionLimits

/**
 * The class of a call: `GET` reads, others write; some reads also count in a narrower window. Signed-in people, and agent tool
 * requests that call no tool, have their own windows.
 */
export type RateBucket =
  | 'reads'
  | 'writes'
  | 'untrackedPosts'
  | 'toolLists'
  | keyof typeof sessionFactors
  | SessionWindow

/** Classes that change nothing; they continue while the database cannot write. */
export const readingBuckets: readonly RateBucket[] = ['reads', 'untrackedPosts', 'toolLists', 'sessionReads', 'exports']

export type RateLimits = { readonly reads: number; readonly writes: number }

export type RateWindow = {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: Date
  readonly refused: boolean
}

/** The class by method; unknown methods count as writes (G130). */
export function bucketOf(method: string): 'reads' | 'writes' {
  return method === 'GET' ? 'reads' : 'writes'
}

/** A stored window as responses show it. */
export function describeWindow(stored: { openedAt: Date; used: number; refused: boolean }, limit: number): RateWindow {
  return {
    limit,
    remaining: Math.max(0, limit - stored.used),
    resetAt: new Date(stored.openedAt.getTime() + windowMs),
    refused: stored.refused,
  }
}

/** The window after one of its calls was taken back. */
export function uncounted(window: RateWindow): RateWindow {
  return { ...window, remaining: Math.min(window.limit, window.remaining + 1) }
}

/** The window shown when no team is known (G4): the full default limit until the minute ends. */
export function windowOfNobody(limit: number, now: Date): RateWindow {
  return {
    limit,
    remaining: limit,
    resetAt: new Date((Math.floor(now.getTime() / windowMs) + 1) * windowMs),
    refused: false,
  }
}

/** Seconds until a refused call succeeds, at least 1. */
export function retryAfterSeconds(window: RateWindow, now: Date): number {
  return Math.max(1, Math.ceil((window.resetAt.getTime() - now.getTime()) / 1000))
}
