/** Tag `discover`: one-off searches for people who post about a topic (specification «Discover»; G90, G91, G94). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { countryWarnings, discoverRun, discoverRunWithPeople } from '../resources/index.ts'
import {
  bounds,
  flag,
  foldText,
  idInPath,
  signedWordIn,
  signRefusal,
  visibleText,
  wholeNumber,
  deletedAnswer,
} from '../values/index.ts'

const operation = operationsOf('discover')

const keywordMessage = `must be text of 1 to ${bounds.discoverKeyword} characters`
const keywordsMessage = `must be a list of ${bounds.discoverKeywords.min} to ${bounds.discoverKeywords.max} keywords`
const countryMessage = `must be the name of a country, text of 1 to ${bounds.discoverCountry} characters`
const countriesMessage = `must be a list of at most ${bounds.discoverCountries} countries`
const quotesOrBrackets = /["“”„‟«»＂()[\]{}]/

const collapsed = (text: string): string => visibleText(text).normalize('NFC').trim().replace(/\s+/g, ' ')

const keyword = z
  .string({ error: keywordMessage })
  .max(bounds.discoverKeyword)
  .refine((text) => foldText(text).trim() !== '', { error: 'must not be blank' })
  .refine((text) => !quotesOrBrackets.test(text), {
    error: 'must not have quotation marks or brackets: a keyword is plain words, all of which a post must have',
  })
  .refine((text) => text.isWellFormed() && !/(?!\s)\p{Cc}/u.test(text), { error: 'must not have control characters' })
  .superRefine((text, context) => {
    const signed = signedWordIn(text)
    if (signed !== null) context.addIssue({ code: 'custom', message: signRefusal(signed, 'a keyword') })
  })
  .transform(collapsed)
  .meta({
    openapi: { type: 'string', minLength: 1, maxLength: bounds.discoverKeyword, pattern: '^[^"“”„‟«»＂()\\[\\]{}]+$' },
  })

const country = z
  .string({ error: countryMessage })
  .max(bounds.discoverCountry)
  .refine((text) => foldText(text).trim() !== '' && text.isWellFormed() && !/(?!\s)\p{Cc}/u.test(text), {
    error: countryMessage,
  })
  .meta({ openapi: { type: 'string', minLength: 1, maxLength: bounds.discoverCountry } })

export const discoverOperations = [
  operation('startDiscover', 'POST /discover', {
    charges: true,
    summary: 'Find people who post about a topic and draw engagement',
    description:
      'Starts a run in the background and returns it. Each keyword is searched separately over the past month, ' +
      'by relevance; a post that matches any keyword counts. One credit for each person added; reading posts and ' +
      'looking up countries are free. AND, OR and NOT are ordinary words.',
    body: z.object({
      keywords: z
        .array(keyword, { error: keywordsMessage })
        .min(bounds.discoverKeywords.min)
        .max(bounds.discoverKeywords.max),
      countries: z
        .array(country, { error: countriesMessage })
        .max(bounds.discoverCountries)
        .nullish()
        .describe('Add only people whose profile country is in this list; null or empty: add everybody.'),
      minEngagement: wholeNumber(bounds.discoverMinEngagement)
        .optional()
        .describe(
          "Minimum average of reactions plus comments on a person's matching posts; default " +
            `${bounds.discoverMinEngagement.default}.`,
        ),
      maxInfluencers: wholeNumber(bounds.discoverInfluencers)
        .optional()
        .describe(
          `Maximum number of people to add, highest averages first; default ${bounds.discoverInfluencers.default}.`,
        ),
      confirmSpend: flag.optional().describe('True confirms the charge of one credit for each person added.'),
    }),
    status: 201,
    success: discoverRunWithPeople.extend({ warnings: countryWarnings }).meta({ id: 'StartedDiscoverRun' }),
    errors: ['spend_confirmation_required', 'insufficient_enriching_credits'],
    example: {
      keywords: ['sales automation'],
      countries: ['United States'],
      minEngagement: 20,
      maxInfluencers: 25,
      confirmSpend: true,
    },
  }),
  operation('listDiscoverRuns', 'GET /discover', {
    summary: 'List Discover runs, newest first',
    description: 'Free.',
    success: z.object({ runs: z.array(discoverRun) }),
  }),
  operation('getDiscoverRun', 'GET /discover/{id}', {
    summary: 'Read a Discover run and its people',
    description: 'Free. Counts update while the run is in progress; people appear as they are added.',
    params: z.object({ id: idInPath }),
    success: discoverRunWithPeople,
    errors: ['not_found'],
  }),
  operation('deleteDiscoverRun', 'DELETE /discover/{id}', {
    summary: 'Delete a Discover run',
    description: 'Deletes the run. Leads it added are kept, and nothing is refunded. A run in progress is stopped.',
    params: z.object({ id: idInPath }),
    success: deletedAnswer,
    errors: ['not_found'],
  }),
] as const
