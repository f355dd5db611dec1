/** Size buckets of companies, and which of them a number of people or a range as others write it lies in (G149). */

/** Size buckets of companies. */
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

/**
 * The bucket of a range such as `51-200 employees`, `1,001 - 5,000`, `5K-10K` or `10K+`; null when the text names no
 * number. What lies in the middle of a range decides, since others' ranges begin where ours end.
 */
export function companySizeOfRange(text: string): (typeof companySizes)[number] | null {
  const [first, second] = [...text.slice(0, longestRange).matchAll(number)]
  if (!first) return null
  const from = numberIn(first)
  if (!second)
    return companySizeOf(
      text
        .slice(first.index + first[0].length)
        .trimStart()
        .startsWith('+')
        ? from + 1
        : from,
    )
  // "5-10K" is in thousands on both sides.
  const to = numberIn(second)
  const low =
    first[2] === '' && second[2] !== '' && from < to / 1_000
      ? from * thousands[second[2]!.toLowerCase() as 'k' | 'm']
      : from
  return companySizeOf(to > low ? (low + to) / 2 : from)
}
