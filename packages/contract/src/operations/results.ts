/** Tag `results`: outcomes of leads, their cost, and suggestions (RSL-01..RSL-07). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { outcomes, recordedResults, resultFigures, resultGroups, resultSuggestion } from '../resources/index.ts'
import { bounds, choice, instant, integer, isUuid, lastInstant } from '../values/index.ts'

const operation = operationsOf('results')

const text = (what: string, max: number) =>
  z.string({ error: `must be ${what}, as text` }).max(max, { error: `must be ${what}, at most ${max} characters` })

const idMessage = 'must be the id of a lead, a uuid'
const amountMessage = `must be an amount of money: a number from 0 to ${bounds.resultAmount}`
const currencyMessage = 'must be the code of a currency, three letters, for example EUR'

const result = z
  .strictObject(
    {
      leadId: z
        .string({ error: idMessage })
        .refine(isUuid, { error: idMessage })
        .transform((id) => id.toLowerCase())
        .optional()
        .meta({ openapi: { type: 'string', format: 'uuid' }, description: 'Id of a lead of the person.' }),
      profileUrl: text('the address of a profile', bounds.postUrl)
        .trim()
        .min(1, { error: 'must be the address of a profile' })
        .optional(),
      outcome: choice(outcomes).describe('What came of them.'),
      at: instant.optional().describe('When; default now.'),
      amount: z
        .number({ error: amountMessage })
        .min(0, { error: amountMessage })
        .max(bounds.resultAmount, { error: amountMessage })
        .nullable()
        .optional()
        .describe('What somebody won is worth.'),
      currency: z
        .string({ error: currencyMessage })
        .trim()
        .regex(/^[A-Za-z]{3}$/, { error: currencyMessage })
        .transform((code) => code.toUpperCase())
        .nullable()
        .optional()
        .describe('The currency of the amount, for example EUR.'),
      externalId: text('an id of yours', bounds.resultExternalId)
        .trim()
        .min(1, { error: 'must not be empty' })
        .nullable()
        .optional()
        .describe('Your own id of the result: sent again, it is a duplicate.'),
      note: text('a note', bounds.resultNote).nullable().optional().describe('Whatever you want to keep with it.'),
    },
    { error: 'takes leadId or profileUrl, outcome, at, amount, currency, externalId and note' },
  )
  .superRefine((one, context) => {
    if ((one.leadId === undefined) === (one.profileUrl === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'needs either `leadId` or `profileUrl`, and not both' })
  })

const listMessage = `must be a list of 1 to ${bounds.results} results`

export const resultOperations = [
  operation('recordResults', 'POST /results', {
    summary: 'Record what came of leads',
    description:
      'A person who replied or was won is not sent again by any automatic way while that setting of the exclusions is on; ' +
      'unsubscribed and not_interested become entries of the exclusions, on do_not_contact; who is on another list moves there. Free.',
    body: z.object({
      results: z
        .array(result, { error: listMessage })
        .min(1, { error: listMessage })
        .max(bounds.results, { error: listMessage }),
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
    summary: 'Read what a reply and a meeting have cost',
    description:
      'Counts are people. A result is counted in the group of each source that charged for the person, and once in total; ' +
      'from and to bound charges by when they were made, and results by when they happened, each by itself. ' +
      'The 1,000 groups with the most replies are shown, those that cost more first among equals. Free.',
    query: z
      .object({
        groupBy: choice(resultGroups)
          .default('source')
          .describe(
            'source; keyword: the words of a search; topic: what an agent follows a source for; post: the post a person was ' +
              'first captured on; criteria: the ICP criteria that the source has now. Default source.',
          ),
        from: instant.optional().describe('At or after.'),
        to: lastInstant.optional().describe('At or before; a day alone: its end.'),
      })
      .superRefine((query, context) => {
        if (query.from && query.to && query.to < query.from)
          context.addIssue({ code: 'custom', path: ['from'], message: 'must not be after to' })
      }),
    success: z.object({ rows: z.array(resultFigures), total: resultFigures }),
  }),
  operation('listResultSuggestions', 'GET /results/suggestions', {
    summary: 'List changes of criteria that results speak for',
    description:
      `Compares those who replied with those who did not, over the ${bounds.suggestionPeople} people written to last. Says nothing ` +
      `before ${bounds.suggestionMinimum.people} people were written to and ${bounds.suggestionMinimum.replied} replied, nor of what ` +
      `fewer than ${bounds.suggestionMinimum.group} people share or chance explains. Nothing is applied by itself. Free.`,
    success: z.object({
      people: integer.describe('People written to who were looked at.'),
      replied: integer.describe('Those of them who replied.'),
      enough: z.boolean().describe('Whether they are enough to say something.'),
      minimum: z.object({ people: integer, replied: integer }).describe('How many that would be.'),
      suggestions: z.array(resultSuggestion).describe('The most certain first.'),
    }),
  }),
] as const
