/** What resources of several kinds are made of. */
import { z } from 'zod'
import { integer } from '../values/index.ts'

/** The four kinds of tracked source (CON-19). */
export const sourceType = z.enum(['person', 'company', 'post', 'keyword'])

export const sourceMode = z.enum(['engagers', 'posts_only'])

/** What an answer warns of in one field: it was taken as it is written, and is hardly meant. Absent when there is nothing to warn of. */
export const warningsAbout = <Field extends string>(field: Field, description: string) =>
  z
    .array(z.object({ field: z.literal(field), message: z.string() }))
    .optional()
    .meta({ description })

export const countryWarnings = warningsAbout(
  'countries',
  'Entries that name no known country: they are kept as written and compared word by word.',
)

export const deliveryState = z.enum(['pending', 'sending', 'sent', 'failed', 'held', 'cancelled', 'excluded'])

/** Where a page lies in its list, whose length is exact (G37). */
export const pageFields = { total: integer, limit: integer, offset: integer, hasMore: z.boolean() }
