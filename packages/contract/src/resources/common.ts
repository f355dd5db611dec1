import { z } from 'zod'
import { integer } from '../values/index.ts'

/** The four kinds of tracked source (CON-19). */
export const sourceType = z.enum(['person', 'company', 'post', 'keyword'])

export const sourceMode = z.enum(['engagers', 'posts_only'])

/** Warnings about a value of `field` that was accepted but is probably a mistake. Absent without warnings. */
export const warningsAbout = <Field extends string>(field: Field, description: string) =>
  z
    .array(z.object({ field: z.literal(field), message: z.string() }))
    .optional()
    .meta({ description })

export const countryWarnings = warningsAbout(
  'countries',
  'Entries that are not a known country. They are kept as written and compared word by word.',
)

export const deliveryState = z.enum(['pending', 'sending', 'sent', 'failed', 'held', 'cancelled', 'excluded'])

/** The position of a page in its list; `total` is exact (G37). */
export const pageFields = { total: integer, limit: integer, offset: integer, hasMore: z.boolean() }
