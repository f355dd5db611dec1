import type { z } from 'zod'

/** The refusals of an input, each as `path: message`; empty if it is accepted. */
export const refusals = (schema: z.ZodType, input: unknown): readonly string[] =>
  (schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

/** The codes that refusals use instead of `invalid_request`. */
export const refusalCodes = (schema: z.ZodType, input: unknown): readonly unknown[] =>
  (schema.safeParse(input).error?.issues ?? []).map((issue) =>
    issue.code === 'custom' ? (issue.params?.refusal ?? null) : null,
  )

/** Which of the given values the schema accepts. */
export const taken = <T>(schema: z.ZodType, make: (value: T) => unknown, values: readonly T[]): readonly T[] =>
  values.filter((value) => schema.safeParse(make(value)).success)
