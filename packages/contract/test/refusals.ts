import type { z } from 'zod'

/** The refusals of an input, each as `path: message`; empty if it is accepted. */
export const refusals = (schema: z.ZodType, input: unknown): readonly string[] =>
  (schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

/** Which of the given values the schema accepts. */
export const taken = <T>(schema: z.ZodType, make: (value: T) => unknown, values: readonly T[]): readonly T[] =>
  values.filter((value) => schema.safeParse(make(value)).success)
