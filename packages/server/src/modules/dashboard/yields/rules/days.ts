/** How far back sums are kept. */

const dayMs = 86_400_000

/** Days that sums go back: the longest window that is shown, and some, since that is another day in every zone. */
export const daysKept = 92

/** The first instant of the first UTC day that sums are kept of. */
export const firstDay = (now: Date): Date => new Date(Math.floor(now.getTime() / dayMs) * dayMs - daysKept * dayMs)
