/** Bounded numbers (LIM); bounds are inclusive. */
import { z } from 'zod'
import { bounds } from './bounds.ts'
import { choice } from './fields.ts'

/** A whole number in a JSON body; fractions and numeric strings are refused. */
export const wholeNumber = (range: { min: number; max: number }, unit = '') => {
  const message = `must be a whole number from ${range.min} to ${range.max}${unit}`
  return z.number({ error: message }).int().min(range.min).max(range.max)
}

/** A whole number or null; `nullMeans` explains null in the refusal. */
export const wholeNumberOrNull = (range: { min: number; max: number }, nullMeans: string) => {
  const message = `must be a whole number from ${range.min} to ${range.max}, or null (${nullMeans})`
  // The message is set twice: for a number out of bounds, a union reports its member's message.
  return z.union([z.number({ error: message }).int().min(range.min).max(range.max), z.null()], { error: message })
}

export const queryInteger = (range: { min: number; max: number }) => {
  const message = `must be a whole number from ${range.min} to ${range.max}`
  return z
    .string({ error: message })
    .regex(/^-?\d{1,15}$/)
    .transform(Number)
    .refine((number) => number >= range.min && number <= range.max, { error: message })
}

export const queryNumberOr = (range: { min: number; max: number; default: number }) =>
  queryInteger(range)
    .default(range.default)
    .meta({ openapi: { type: 'integer', minimum: range.min, maximum: range.max, default: range.default } })

export const pageQuery = { limit: queryNumberOr(bounds.leadsLimit), offset: queryNumberOr(bounds.offset) }

/** Only `true` and `false` are accepted (G11). */
export const queryBoolean = choice(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ openapi: { type: 'boolean' } })

export const flag = z.boolean({ error: 'must be true or false' })
