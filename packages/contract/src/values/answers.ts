/** What fields of answers are made of. */
import { z } from 'zod'

/** An id. */
export const uuid = z.uuid()

/** An instant. */
export const isoDateTime = z.iso.datetime({ precision: 3 }).describe('ISO 8601, UTC.')

/** A whole number. */
export const integer = z.number().int()

/** A text that may be missing. */
export const textOrNull = z.string().nullable()
