/** What fields are made of. */
import { z } from 'zod'

export const uuid = z.uuid()

/** What answers that something was deleted. */
export const deletedAnswer = z.object({ ok: z.literal(true), id: uuid, deleted: z.literal(true) })

const writtenInstant = z.iso.datetime({ precision: 3 }).describe('ISO 8601, UTC.')

/** An instant of an answer: a handler gives it as a `Date`, and it is written out when the answer is checked. */
export const isoDateTime = z
  .union([z.date(), z.string()])
  .transform((instant) => (instant instanceof Date ? instant.toISOString() : instant))
  .pipe(writtenInstant)
  .describe('ISO 8601, UTC.')

export const integer = z.number().int()

/** A text that may be missing. */
export const textOrNull = z.string().nullable()

/** An object that the description gives a name of its own. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id })

/** One of some texts, which a refusal names. */
export const choice = <const V extends readonly string[]>(values: V) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })

/** A name that people give: trimmed, and measured as they see it. */
export const nameText = (what: string, longest: number) => {
  const message = `must be ${what}: text of 1 to ${longest} characters`
  return z
    .string({ error: message })
    .transform((text) => text.trim())
    .refine((text) => text !== '' && [...text].length <= longest, { error: message })
}
