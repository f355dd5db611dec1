/** Zod building blocks for vendors' answers: a field of the wrong type is a missing field, never a lost row. */
import { z } from 'zod'
import { countIn } from './counts.ts'

/** Anything, or nothing: an absent key must reach the transform instead of failing the row. */
export const field = z.unknown().optional()

/** A text, or a number spelled out; else null. */
export const text = field.transform((value) =>
  typeof value === 'string' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : null,
)

const longestToken = 4_000

/** True of a text that can be kept and sent back as it came: what a place in a list, or an address of one, is made of. */
export const canBeKept = (value: string): boolean =>
  value.length <= longestToken && value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value)

/** A place in a list as a vendor names it, opaque; null for what no vendor would name one and no database keeps. */
export const token = text.transform((value) => (value !== null && canBeKept(value) ? value : null))

/** What a database column of counts holds. */
const mostCounted = 2_147_483_647

/** A count: a whole number of at least 0, also when served as text (`1,234`, `1.2K`); else null. */
export const count = field.transform((value) => {
  const number = typeof value === 'string' ? countIn(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0
    ? Math.min(Math.floor(number), mostCounted)
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

/** What came of a page's rows. */
export type ReadRows<T> = {
  items: T[] /** Rows were there and not one of them had the promised shape. */
  unreadable: boolean
}

/**
 * Reads a page row by row: rows of the wrong shape and rows that `normalise` leaves out are dropped one by one. `who` is what a row says
 * of whoever it is by (`somebody`): a page on which no row says anything of the kind has another format; null where rows need nobody.
 */
export function readRows<S extends z.ZodType, T>(
  rows: readonly unknown[],
  schema: S,
  {
    who,
    normalise,
  }: {
    readonly who: ((row: z.output<S>) => unknown) | null
    readonly normalise: (row: z.output<S>) => T | readonly T[] | null
  },
): ReadRows<T> {
  const items: T[] = []
  let readable = 0
  for (const row of rows) {
    const read = schema.safeParse(row)
    if (!read.success) continue
    if (who === null || who(read.data) !== undefined) readable += 1
    const made = normalise(read.data)
    if (made !== null) items.push(...(Array.isArray(made) ? (made as readonly T[]) : [made as T]))
  }
  return { items, unreadable: rows.length > 0 && readable === 0 }
}
