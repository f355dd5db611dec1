/** Tag `results`: outcomes of leads, their cost, and suggestions (RSL-01..RSL-07). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { outcomes, recordedResults, resultFigures, resultGroups, resultSuggestion } from '../resources/index.ts'
import {
  bounds,
  choice,
  eitherOf,
  idOf,
  instant,
  integer,
  lastInstant,
  refuseReversed,
  textUpTo,
} from '../values/index.ts'

const operation = operationsOf('results')

const amountMessage = `must be an amount of money: a number from 0 to ${bounds.resultAmount}`
const currencyMessage = 'must be the code of a currency, three letters, for example EUR'

const result = z
  .strictObject(
    {
      leadId: idOf('a lead').optional().describe('Id of a lead of the person.'),
      profileUrl: textUpTo(bounds.postUrl, 'the address of a profile')
        .trim()
        .min(1, { error: 'must be the address of a profile' })
        .optional(),
      outcome: choice(outcomes).describe('Outcome to record for the person.'),
      at: instant.optional().describe('Time of the outcome; default now.'),
      amount: z
        .number({ error: amountMessage })
        .min(0)
        .max(bounds.resultAmount)
        .nullable()
        .optional()
        .describe('Value of a won deal.'),
      currency: z
        .string({ error: currencyMessage })
        .trim()
        .regex(/^[A-Za-z]{3}$/)
        .transform((code) => code.toUpperCase())
        .nullable()
        .optional()
        .describe('The currency of the amount, for example EUR.'),
      externalId: textUpTo(bounds.resultExternalId, 'an id of yours')
        .trim()
        .min(1, { error: 'must not be empty' })
        .nullable()
        .optional()
        .describe('Your own id for the result. A result sent again with the same id is a duplicate.'),
      note: textUpTo(bounds.resultNote, 'a note')
        .nullable()
        .optional()
        .describe('A free-text note to keep with the result.'),
    },
    { error: 'takes leadId or profileUrl, outcome, at, amount, currency, externalId and note' },
  )
  .superRefine(eitherOf('leadId', 'profileUrl'))

export const resultOperations = [
  operation('recordResults', 'POST /results', {
    summary: 'Record results of leads',
    description:
      'While the exclusion setting repliedElsewhere is on, a person who replied or was won is no longer sent ' +
      'automatically. unsubscribed and not_interested add the person to the exclusions, on do_not_contact; an ' +
      'entry on another list moves there. Free.',
    body: z.object({
      results: z
        .array(result, { error: `must be a list of 1 to ${bounds.results} results` })
        .min(1)
        .max(bounds.results),
    }),
    strictBody: true,
    largeBody: true,
    success: recordedResults,
    errors: ['unknown_field'],
    example: {
      results: [{ profileUrl: 'https://www.linkedin.com/in/jane-doe', outcome: 'meeting', externalId: 'crm-4711' }],
    },
  }),
  operation('getResultsSummary', 'GET /results/summary', {
    summary: 'Read the cost of replies and meetings',
    description:
      'Counts are people. A result counts once in the group of each source that charged for the person, and once ' +
      'in the total. from and to limit charges by the time of the charge, and results by the time they happened, ' +
      'independently. Returns the 1,000 groups with the most replies; groups with equal replies are sorted by ' +
      'cost, highest first. Free.',
    query: z
      .object({
        groupBy: choice(resultGroups)
          .default('source')
          .describe(
            'source; keyword: the search terms; topic: the topic an agent follows a source for; post: the post a ' +
              'person was first captured on; criteria: the current ICP criteria of the source. Default source.',
          ),
        from: instant.optional().describe('At or after this time.'),
        to: lastInstant.optional().describe('At or before this time; a date alone means the end of that day.'),
      })
      .superRefine(refuseReversed),
    success: z.object({ rows: z.array(resultFigures), total: resultFigures }),
  }),
  operation('listResultSuggestions', 'GET /results/suggestions', {
    summary: 'List suggested changes to ICP criteria, based on results',
    description:
      `Compares people who replied with people who did not, over the last ${bounds.suggestionPeople} people ` +
      `contacted. Returns nothing until ${bounds.suggestionMinimum.people} people were contacted and ` +
      `${bounds.suggestionMinimum.replied} replied. Ignores traits shared by fewer than ` +
      `${bounds.suggestionMinimum.group} people and differences that chance explains. No suggestion is applied ` +
      'automatically. Free.',
    success: z.object({
      people: integer.describe('Contacted people that were compared.'),
      replied: integer.describe('Compared people who replied.'),
      enough: z.boolean().describe('True when there are enough people to suggest something.'),
      minimum: z.object({ people: integer, replied: integer }).describe('The numbers needed for suggestions.'),
      suggestions: z.array(resultSuggestion).describe('Most certain first.'),
    }),
  }),
] as const
