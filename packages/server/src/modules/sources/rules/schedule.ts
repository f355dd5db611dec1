/** When a source runs next (G140): a day after its last scheduled start, later when busy, never earlier. */

const dayMs = 24 * 60 * 60 * 1000

/** One day after. */
export const dayAfter = (instant: Date): Date => new Date(instant.getTime() + dayMs)

/** The later of two instants. */
export const later = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)
