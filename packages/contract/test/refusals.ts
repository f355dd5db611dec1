/** What a schema says to an input, for tables of refusals. */
import type { z } from 'zod'

/** The refusals of an input, each as `path: message`; an empty list when it is taken. */
export const refusals = (schema: z.ZodType, input: unknown): readonly string[] =>
  (schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

/** The codes that refusals ask for in place of `invalid_request`. */
export const refusalCodes = (schema: z.ZodType, input: unknown): readonly unknown[] =>
  (schema.safeParse(input).error?.issues ?? []).map((issue) =>
    issue.code === 'custom' ? (issue.params?.refusal ?? null) : null,
  )

/** Which lengths of a text, a list or digits are taken, of those given. */
export const taken = <T>(schema: z.ZodType, make: (value: T) => unknown, values: readonly T[]): readonly T[] =>
  values.filter((value) => schema.safeParse(make(value)).success)
