/** The rate windows (specification «Rate limits»; G4, G5). */

/** How long a window lasts. */
export const windowMs = 60_000

/** What a team's signed-in people may ask a minute, as a multiple of what its keys may: a page makes a dozen reads. */
export const sessionFactors = { sessionReads: 10, sessionWrites: 5 } as const

/** What clients of agent tools may ask without calling a tool (lists, prompts, pages, greetings), as a multiple of a team's reads. */
export const toolListFactor = 10

/** Small windows of a team's signed-in people for what reaches beyond the service or costs it much: calls a minute. */
export const sessionLimits = { testEvents: 10, replays: 30, backTests: 10, exports: 10, vendorJobs: 30 } as const

/** A small window. */
export type SessionWindow = keyof typeof sessionLimits

/**
 * The class of a call: `GET` reads, everything else writes; some reads also count in a narrower window of their own.
 * Signed-in people have windows of their own, and so do requests of agent tools that call none.
 */
export type RateBucket =
  | 'reads'
  | 'writes'
  | 'untrackedPosts'
  | 'toolLists'
  | keyof typeof sessionFactors
  | SessionWindow

/** The classes whose calls change nothing: they go on while nothing can be written. */
export const readingBuckets: readonly RateBucket[] = ['reads', 'untrackedPosts', 'toolLists', 'sessionReads', 'exports']

/** Calls allowed a minute, by class. */
export type RateLimits = { readonly reads: number; readonly writes: number }

/** What a response says about the window its call was counted in. */
export type RateWindow = {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: Date
  readonly refused: boolean
}

/** The class of a call by its method; a method nobody serves counts as a write (G130). */
export function bucketOf(method: string): 'reads' | 'writes' {
  return method === 'GET' ? 'reads' : 'writes'
}

/** The window as stored, in the terms of a response. */
export function describeWindow(stored: { openedAt: Date; used: number; refused: boolean }, limit: number): RateWindow {
  return {
    limit,
    remaining: Math.max(0, limit - stored.used),
    resetAt: new Date(stored.openedAt.getTime() + windowMs),
    refused: stored.refused,
  }
}

/** The window once a call that it had counted was taken out of it again. */
export function uncounted(window: RateWindow): RateWindow {
  return { ...window, remaining: Math.min(window.limit, window.remaining + 1) }
}

/** What is shown where no team is known (G4): the default limit untouched, until the end of the minute. */
export function windowOfNobody(limit: number, now: Date): RateWindow {
  return {
    limit,
    remaining: limit,
    resetAt: new Date((Math.floor(now.getTime() / windowMs) + 1) * windowMs),
    refused: false,
  }
}

/** Seconds after which a refused call succeeds, at least 1. */
export function retryAfterSeconds(window: RateWindow, now: Date): number {
  return Math.max(1, Math.ceil((window.resetAt.getTime() - now.getTime()) / 1000))
}
