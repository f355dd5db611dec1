/** Which calls are kept: all of them up to a rate, and above it one of many of those that come in floods. */

/** Calls of a kind that are kept in full in a minute of one team. */
export const fullPerMinute = 120

/** Above that, one of so many. */
export const oneOf = 20

const reading = ['GET', 'HEAD', 'OPTIONS']

/** Reads and calls that came too fast come in floods; what was changed or refused otherwise is always kept. */
export const comesInFloods = (method: string, status: number): boolean => reading.includes(method) || status === 429

/** How many calls the `nth` of a minute (from 1) stands for when it is kept; 0 when it is not. */
export function standsFor(nth: number): number {
  if (nth <= fullPerMinute) return 1
  return (nth - fullPerMinute) % oneOf === 0 ? oneOf : 0
}
