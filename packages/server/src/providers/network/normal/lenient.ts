/** Zod building blocks for vendors' answers: a field of the wrong type is a missing field, never a lost row. */
import { z } from 'zod'

/** Anything, or nothing: an absent key must reach the transform instead of failing the row. */
export const field = z.unknown().optional()

/** A text, or a number spelled out; else null. */
export const text = field.transform((value) =>
  typeof value === 'string' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : null,
)

const maxTokenLength = 4_000

/** True of a text that can be kept and sent back as it came: what a place in a list, or an address of one, is made of. */
export const canBeKept = (value: string): boolean =>
  value.length <= maxTokenLength && value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value)

/** A place in a list as a vendor names it, opaque; null for what no vendor would name one and no database keeps. */
export const token = text.transform((value) => (value !== null && canBeKept(value) ? value : null))

/** What a database column of counts holds. */
const maxCount = 2_147_483_647

/** A count: a whole number of at least 0, also when served as text (`1,234`, `1.2K`); else null. */
export const count = field.transform((value) => {
  const number = typeof value === 'string' ? countIn(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0
    ? Math.min(Math.floor(number), maxCount)
    : null
})

/** An amount of at least 0, also when served as text; else null. */
export const dollars = field.transform((value) => {
  const number = typeof value === 'string' && /^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null
})

/** Milliseconds since the epoch, of any size that a date can have; else null. */
export const millis = field.transform((value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 8.64e15 ? Math.floor(value) : null,
)

/** True only for `true`. */
export const flag = field.transform((value) => value === true)

/** Whether anything at all is there. */
export const present = field.transform(
  (value) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
)

/** An object of this shape, or null. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  field.transform((value): z.output<T> | null => {
    const read = schema.safeParse(value)
    return read.success ? read.data : null
  })

/**
 * Somebody whom a row names: an object of this shape; null where the vendor says that there is nobody, as of a closed account; undefined
 * where it says nothing, or something else: then the row, or the format, is not the promised one.
 */
export const somebody = <T extends z.ZodType>(schema: T) =>
  field.transform((value): z.output<T> | null | undefined => {
    if (value === null) return null
    const read = typeof value === 'object' && !Array.isArray(value) ? schema.safeParse(value) : undefined
    return read?.success ? read.data : undefined
  })

/** The rows of this shape in a list; what is not one, or no list, is left out. */
export const listOf = <T extends z.ZodType>(schema: T) =>
  field.transform((value): z.output<T>[] =>
    Array.isArray(value)
      ? value.flatMap((row) => {
          const read = schema.safeParse(row)
          return read.success ? [read.data] : []
        })
      : [],
  )

/**
 * Reads a page row by row: rows of the wrong shape and rows that `normalise` leaves out are dropped one by one. `who` reads from a row the
 * person or page that it is by (`somebody`), or is null where rows need nobody: a page on which no row has the shape, or none says
 * anything of the kind, has another format, and `unreadable` makes its failure.
 */
export function readRows<S extends z.ZodType, T>(
  rows: readonly unknown[],
  schema: S,
  {
    who,
    normalise,
    unreadable,
  }: {
    who: ((row: z.output<S>) => unknown) | null
    normalise: (row: z.output<S>) => T | readonly T[] | null
    unreadable: () => Error
  },
): T[] {
  const read = rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row)
    return success ? [data] : []
  })
  const isReadable = rows.length === 0 || read.some((row) => who === null || who(row) !== undefined)
  if (!isReadable) throw unreadable()
  return read.flatMap((row) => normalise(row) ?? [])
}

// Counts as vendors write them: in digits, grouped (`1,234`, `1.234`, `1 234`), or in words (`1.2K`, `3,4 Mio.`); see G168.

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
