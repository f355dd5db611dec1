/** Number formats used everywhere, so that a share is never rounded in two ways. */

const counts = new Intl.NumberFormat('en')
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export const plainNumber = (value: number): string => counts.format(value)

/** A number with its noun: `1 lead`, `2 leads`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${counts.format(value)} ${value === 1 ? one : many}`

/** A percentage with at most one decimal; a dash when `whole` is 0. */
export const share = (part: number, whole: number): string => (whole > 0 ? shares.format(part / whole) : '–')

/** The price of a captured person, as every customer-facing text states it (G163). */

export const creditAPerson = 'each new person of a source costs one credit, once'

export const creditAPersonSaid = `E${creditAPerson.slice(1)}; somebody whom two sources find is paid for at both`
