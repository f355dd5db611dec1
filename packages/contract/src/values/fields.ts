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

/** A text that `read` understands; any other is refused with `message`, what is no text with `noText`. */
export const readText = <T>(message: string, read: (text: string) => T | null | undefined, noText = message) =>
  z.string({ error: noText }).transform((text, context): T => {
    const found = read(text) ?? null
    if (found !== null) return found
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/** Refuses a field; for rules about several fields. */
export const refuserOf = (context: z.RefinementCtx) => (field: string, message: string) =>
  context.addIssue({ code: 'custom', path: [field], message })

/** Refuses unless exactly one of two fields is sent. */
export const eitherOf =
  <One extends string, Other extends string>(one: One, other: Other) =>
  (sent: { readonly [K in One | Other]?: unknown }, context: z.RefinementCtx): void => {
    if ((sent[one] === undefined) === (sent[other] === undefined))
      context.addIssue({ code: 'custom', path: [], message: `needs either \`${one}\` or \`${other}\`, and not both` })
  }

/** How ids are described. */
export const uuidText = { type: 'string', format: 'uuid' } as const

/** An id in a request, in any UUID shape whatever its version digit. */
export const idOf = (what: string) =>
  z
    .guid({ error: `must be the id of ${what}, a uuid` })
    .toLowerCase()
    .meta({ openapi: uuidText })

/** Text of at most `longest` characters; `what` is what it must be. */
export const textUpTo = (longest: number, what: string) =>
  z
    .string({ error: `must be ${what}, as text` })
    .max(longest, { error: `must be ${what}, at most ${longest} characters` })

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
