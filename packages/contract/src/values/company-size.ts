/** Company size buckets, and finding the bucket of a number or a range from outside (G149). */
import { foldText } from './text.ts'

export const companySizes = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const

const upTo = [10, 50, 200, 500, 1_000, 5_000, 10_000]

/** The bucket of a number of employees. */
export const companySizeOf = (people: number): (typeof companySizes)[number] =>
  companySizes[upTo.findIndex((most) => people <= most)] ?? '10001+'

const thousands = { '': 1, k: 1_000, m: 1_000_000 } as const
/** A number, perhaps with thousands separators, perhaps with `k` or `m`. */
const number = /(\d{1,3}(?:[.,\s'’]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)\s*([km]?)(?![\p{L}\d])/giu

function numberIn([, digits, unit]: RegExpMatchArray): number {
  const isGrouped = /^\d{1,3}(?:[.,\s'’]\d{3})+$/.test(digits!) && unit === ''
  return (
    Number(isGrouped ? digits!.replace(/\D/g, '') : digits!.replace(/,/g, '.').replace(/\.(?=.*\.)/g, '')) *
    thousands[unit!.toLowerCase() as keyof typeof thousands]
  )
}

const longestRange = 200

/** Both ends of a range; NaN for an end that is missing. `end` is where the first number ends. */
function endsIn(text: string): readonly [low: number, high: number, end: number] {
  const [first, second] = [...text.slice(0, longestRange).matchAll(number)]
  if (!first) return [Number.NaN, Number.NaN, 0]
  const from = numberIn(first)
  const end = first.index + first[0].length
  if (!second) return [from, Number.NaN, end]
  // "5-10K" means thousands at both ends.
  const to = numberIn(second)
  const isShort = first[2] === '' && second[2] !== '' && from < to / 1_000
  return [isShort ? from * thousands[second[2]!.toLowerCase() as 'k' | 'm'] : from, to, end]
}

/**
 * The bucket of a range such as `51-200 employees`, `1,001 - 5,000`, `5K-10K` or `10K+`; null without a number. The middle
 * of the range decides, since other services' ranges begin where ours end.
 */
export function companySizeOfRange(text: string): (typeof companySizes)[number] | null {
  const [low, high, end] = endsIn(text)
  if (Number.isNaN(low)) return null
  if (Number.isNaN(high)) return companySizeOf(text.slice(end).trimStart().startsWith('+') ? low + 1 : low)
  return companySizeOf(high > low ? (low + high) / 2 : low)
}

/** A whole text that is a number or a range, perhaps followed by words such as `employees`. */
const sizeAlone = /^(\d[\d.,' ]*[km]?)(?: ?(?:-|to|bis) ?(\d[\d.,' ]*[km]?))? ?(\+)?(?: ?([\p{L}. ]+))?$/u
/** Words that mean "and everything above", and words that change the number in another way. */
const orMore = /^(?:plus|(?:or|and|und|oder) (?:more|above|over|up|mehr|larger))(?!\p{L})/u
const otherBound = /(?<!\p{L})(?:or|and|und|oder|less|fewer|below|weniger|more|above|mehr)(?!\p{L})/u

/**
 * The bucket a user names in any spelling: `10,001+`, `1001–5000 employees`, `10K+`. Null when the text is not a size, or
 * when the range spans several buckets: one bucket would then match less than was meant.
 */
export function readCompanySize(text: string): (typeof companySizes)[number] | null {
  const plain = foldText(text.slice(0, longestRange)).trim()
  const found = sizeAlone.exec(plain)
  const [low, high] = endsIn(plain)
  if (found === null || Number.isNaN(low)) return null
  const words = found[4] ?? ''
  if (found[3] !== undefined || orMore.test(words))
    return found[2] === undefined && companySizeOf(low + 1) === '10001+' ? '10001+' : null
  if (otherBound.test(words)) return null
  if (found[2] === undefined) return companySizeOfRange(plain)
  // `low + 1`, since other services' ranges begin where ours end.
  return low < high && companySizeOf(low + 1) === companySizeOf(high) ? companySizeOf(high) : null
}
