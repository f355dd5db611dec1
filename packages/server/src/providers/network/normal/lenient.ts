/** Zod building blocks for vendors' answers: a field of the wrong type is a missing field and never loses the row. */
import { z } from 'zod'

/** Any value. Optional, because an absent key must reach the transform instead of failing the row. */
export const field = z.unknown().optional()

/** A text, or a number as text; else null. */
export const text = field.transform((value) =>
  typeof value === 'string' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : null,
)

const maxTokenLength = 4_000

/** Whether a token or list address can be stored and sent back unchanged. */
export const canBeKept = (value: string): boolean =>
  value.length <= maxTokenLength && value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value)

/** An opaque paging token; null for text that no vendor would use and no database can store. */
export const token = text.transform((value) => (value !== null && canBeKept(value) ? value : null))

const maxCount = 2_147_483_647

/** A whole number of at least 0, also from text (`1,234`, `1.2K`); else null. */
export const count = field.transform((value) => {
  const number = typeof value === 'string' ? countIn(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0
    ? Math.min(Math.floor(number), maxCount)
    : null
})

/** A number of at least 0, also from text; else null. */
export const dollars = field.transform((value) => {
  const number = typeof value === 'string' && /^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null
})

/** Milliseconds since the epoch within the range of a date; else null. */
export const millis = field.transform((value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 8.64e15 ? Math.floor(value) : null,
)

/** True for `true` only. */
export const flag = field.transform((value) => value === true)

/** Whether the field has any content. */
export const present = field.transform(
  (value) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
)

/** An object of this shape, or null. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  field.transform((value): z.output<T> | null => schema.safeParse(value).data ?? null)

/** A row's person or page: null if the vendor gives null (a closed account), undefined if missing or of another shape. */
export const somebody = <T extends z.ZodType>(schema: T) =>
  field.transform((value): z.output<T> | null | undefined => {
    if (value === null) return null
    const read = typeof value === 'object' && !Array.isArray(value) ? schema.safeParse(value) : undefined
    return read?.success ? read.data : undefined
  })

/** Rows of this shape in a list; other rows are left out, and anything but a list is empty. */
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
 * Reads a page row by row, dropping rows of the wrong shape and rows for which `normalise` returns null. `who` reads the row's
 * author (`somebody`); it is null where rows need no author. If no row has the shape, or none has an author, the format has
 * changed and `unreadable` makes the failure.
 */
export function readRows<S extends z.ZodType, T>(
  rows: readonly unknown[],
  schema: S,
  how: {
    who: ((row: z.output<S>) => unknown) | null
    normalise: (row: z.output<S>) => T | readonly T[] | null
    unreadable: () => Error
  },
): T[] {
  const { who, normalise, unreadable } = how
  const read = rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row)
    return success ? [data] : []
  })
  const isReadable = rows.length === 0 || read.some((row) => who === null || who(row) !== undefined)
  if (!isReadable) throw unreadable()
  return read.flatMap((row) => normalise(row) ?? [])
}

// Counts as vendors write them: digits, grouped (`1,234`, `1.234`, `1 234`), or with a word (`1.2K`, `3,4 Mio.`); see G168.

const thousand = 1_000
const million = 1_000_000
const billion = 1_000_000_000

/** Multipliers in lower case, without a full stop. Words with different meanings in different languages are left out. */
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

/** Grouped whole numbers with one kind of separator: groups of three digits, or of two before the last (India). */
const grouped = [
  /^\d{1,3}(?:,\d{3})+$/,
  /^\d{1,3}(?:\.\d{3})+$/,
  /^\d{1,3}(?: \d{3})+$/,
  /^\d{1,3}(?:['’]\d{3})+$/,
  /^\d{1,2}(?:,\d{2})+,\d{3}$/,
]

function numberIn(digits: string, isMultiplied: boolean): number | null {
  if (/^\d+$/.test(digits)) return Number(digits)
  // `1.234K` is ambiguous: 1,234 or 1,234,000.
  if (grouped.some((form) => form.test(digits))) return isMultiplied ? null : Number(digits.replaceAll(/\D/g, ''))
  if (!isMultiplied) return null
  if (/^\d+[.,]\d+$/.test(digits)) return Number(digits.replace(',', '.'))
  const [, whole, fraction] =
    /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(digits) ?? /^(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(digits) ?? []
  return whole === undefined ? null : Number(`${whole.replaceAll(/\D/g, '')}.${fraction}`)
}

/** A count written as text; null, never 0, when it is not a count or is ambiguous. */
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
