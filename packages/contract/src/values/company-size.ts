/** Size buckets of companies, and which of them a number of people or a range as others write it lies in (G149). */
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

/** The bucket that so many people are in. */
export const companySizeOf = (people: number): (typeof companySizes)[number] =>
  companySizes[upTo.findIndex((most) => people <= most)] ?? '10001+'

const thousands = { '': 1, k: 1_000, m: 1_000_000 } as const
/** A number with or without its thousands set apart, perhaps in thousands or millions. */
const number = /(\d{1,3}(?:[.,\s'’]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)\s*([km]?)(?![\p{L}\d])/giu

function numberIn([, digits, unit]: RegExpMatchArray): number {
  const isGrouped = /^\d{1,3}(?:[.,\s'’]\d{3})+$/.test(digits!) && unit === ''
  return (
    Number(isGrouped ? digits!.replace(/\D/g, '') : digits!.replace(/,/g, '.').replace(/\.(?=.*\.)/g, '')) *
    thousands[unit!.toLowerCase() as keyof typeof thousands]
  )
}

/** Characters of a range that are read: nobody needs more to say how many people there are. */
const longestRange = 200

/** Both ends of a range, as numbers; the second is not a number where there is only one, and the first where there is none. */
function endsIn(text: string): readonly [low: number, high: number, end: number] {
  const [first, second] = [...text.slice(0, longestRange).matchAll(number)]
  if (!first) return [Number.NaN, Number.NaN, 0]
  const from = numberIn(first)
  const end = first.index + first[0].length
  if (!second) return [from, Number.NaN, end]
  // "5-10K" is in thousands on both sides.
  const to = numberIn(second)
  const isShort = first[2] === '' && second[2] !== '' && from < to / 1_000
  return [isShort ? from * thousands[second[2]!.toLowerCase() as 'k' | 'm'] : from, to, end]
}

/**
 * The bucket of a range such as `51-200 employees`, `1,001 - 5,000`, `5K-10K` or `10K+`; null when the text names no
 * number. What lies in the middle of a range decides, since others' ranges begin where ours end.
 */
export function companySizeOfRange(text: string): (typeof companySizes)[number] | null {
  const [low, high, end] = endsIn(text)
  if (Number.isNaN(low)) return null
  if (Number.isNaN(high)) return companySizeOf(text.slice(end).trimStart().startsWith('+') ? low + 1 : low)
  return companySizeOf(high > low ? (low + high) / 2 : low)
}

/** A number or a range with nothing before it, and words such as `employees` behind. */
const sizeAlone = /^(\d[\d.,' ]*[km]?)(?: ?(?:-|to|bis) ?(\d[\d.,' ]*[km]?))? ?(\+)?(?: ?([\p{L}. ]+))?$/u
/** Words behind a number that mean everything above it, and those that mean something else than the number alone. */
const orMore = /^(?:plus|(?:or|and|und|oder) (?:more|above|over|up|mehr|larger))(?!\p{L})/u
const otherBound = /(?<!\p{L})(?:or|and|und|oder|less|fewer|below|weniger|more|above|mehr)(?!\p{L})/u

/**
 * The bucket that somebody asks for, however they write it: `10,001+`, `1001–5000 employees`, `10K+`; null for what is no size, and
 * for a range that lies in more than one bucket, of which less than was meant would match.
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
  // Others' ranges begin where ours end.
  return low < high && companySizeOf(low + 1) === companySizeOf(high) ? companySizeOf(high) : null
}
