import { z } from 'zod'

export const uuid = z.uuid()

export const deletedAnswer = z.object({ ok: z.literal(true), id: uuid, deleted: z.literal(true) })

const writtenInstant = z.iso.datetime({ precision: 3 }).describe('ISO 8601, UTC.')

/** An instant in an answer; handlers return a `Date`, which is formatted when the answer is checked. */
export const isoDateTime = z
  .union([z.date(), z.string()])
  .transform((instant) => (instant instanceof Date ? instant.toISOString() : instant))
  .pipe(writtenInstant)
  .describe('ISO 8601, UTC.')

export const integer = z.number().int()

export const textOrNull = z.string().nullable()

/** An object that becomes a named component of the OpenAPI description. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id })

/** One of `values`; the refusal lists them. */
export const choice = <const V extends readonly string[]>(values: V) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })

/** A name that users give: trimmed, its length counted in code points. */
export const nameText = (what: string, longest: number) => {
  const message = `must be ${what}: text of 1 to ${longest} characters`
  return z
    .string({ error: message })
    .transform((text) => text.trim())
    .refine((text) => text !== '' && [...text].length <= longest, { error: message })
}
