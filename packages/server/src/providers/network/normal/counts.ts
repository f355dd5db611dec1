/** Counts as vendors write them: in digits, grouped (`1,234`, `1.234`, `1 234`), or in words (`1.2K`, `3,4 Mio.`); see G168. */

const thousand = 1_000
const million = 1_000_000
const billion = 1_000_000_000

/** What stands behind a number and multiplies it, in lower case and without a full stop. Words that mean different numbers are none. */
const multiples: Readonly<Record<string, number>> = {
  '': 1,
  k: thousand,
  tsd: thousand,
  thousand: thousand,
  m: million,
  mn: million,
  mio: million,
  million: million,
  millions: million,
  b: billion,
  bn: billion,
  mrd: billion,
  billion: billion,
}

/** Whole numbers in groups, parted by one and the same sign; the last group has three digits, those before it three, or two as in India. */
const grouped = [
  /^\d{1,3}(?:,\d{3})+$/,
  /^\d{1,3}(?:\.\d{3})+$/,
  /^\d{1,3}(?: \d{3})+$/,
  /^\d{1,3}(?:['’]\d{3})+$/,
  /^\d{1,2}(?:,\d{2})+,\d{3}$/,
]

/** The number in a text without a word behind it that multiplies; null when it is none, or might be either of two. */
function numberIn(digits: string, isMultiplied: boolean): number | null {
  if (/^\d+$/.test(digits)) return Number(digits)
  // `1.234K` is 1,234 or 1,234,000: nobody can say.
  if (grouped.some((form) => form.test(digits))) return isMultiplied ? null : Number(digits.replaceAll(/\D/g, ''))
  if (!isMultiplied) return null
  if (/^\d+[.,]\d+$/.test(digits)) return Number(digits.replace(',', '.'))
  const [, whole, fraction] =
    /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(digits) ?? /^(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(digits) ?? []
  return whole === undefined ? null : Number(`${whole.replaceAll(/\D/g, '')}.${fraction}`)
}

/** A count that is written as a text; null for what is none or can be read in two ways, never 0 for it. */
export function countIn(text: string): number | null {
  const plain = text.trim().replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ')
  if (plain.length > 40) return null
  const [, digits, word] = /^(\d[\d.,'’ ]*?) ?(\p{L}*)\.?$/u.exec(plain) ?? []
  if (digits === undefined || word === undefined) return null
  if (word === '' && plain.endsWith('.')) return null
  const multiple = Object.hasOwn(multiples, word.toLowerCase()) ? multiples[word.toLowerCase()]! : null
  const number = multiple === null ? null : numberIn(digits.trim(), word !== '')
  return number === null ? null : Math.round(number * multiple!)
}
