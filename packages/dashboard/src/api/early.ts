/** Answers that were asked for before the scripts were there: `first/index.ts` asks, by the addresses that `shell/frames.ts` lists. */

/** How long after the document began they are still what a page wants, in milliseconds. */
const freshMs = 30_000

type Waiting = { lesEarly?: Record<string, Promise<Response>> }

/** The answer under way for a read of this path, once; undefined when there is none. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const { lesEarly } = globalThis as Waiting
  const answer = lesEarly?.[path]
  if (lesEarly === undefined || answer === undefined) return undefined
  delete lesEarly[path]
  return performance.now() < freshMs ? answer : undefined
}

const place = 'les.here'

/**
 * Remembers how far the clock of the service is ahead of this browser's, in milliseconds, so that the next document can
 * ask for what came since yesterday before it knows who is signed in.
 */
export function rememberClock(now: string): void {
  try {
    localStorage.setItem('les.clock', String(Date.parse(now) - Date.now()))
  } catch {
    // Storage may be forbidden: the page then asks by itself.
  }
}

/** Remembers in this browser whether somebody is signed in, so that the next document begins with the frame of the pages, or without. */
export function rememberHere(isHere: boolean): void {
  try {
    if (isHere) localStorage.setItem(place, '1')
    else localStorage.removeItem(place)
  } catch {
    // Storage may be forbidden: the frame then comes with the scripts.
  }
}
