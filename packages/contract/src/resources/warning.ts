import { z } from 'zod'

/** What an answer warns of in one field: it was taken as it is written, and is hardly meant. Absent when there is nothing to warn of. */
export const warningsAbout = <Field extends string>(field: Field, description: string) =>
  z
    .array(z.object({ field: z.literal(field), message: z.string() }))
    .optional()
    .meta({ description })

/** Warnings about a list of countries. */
export const countryWarnings = warningsAbout(
  'countries',
  'Entries that name no known country: they are kept as written and compared word by word.',
)
