/** Outcomes of leads and figures computed from them (RSL-01..RSL-07). */
import { z } from 'zod'
import { filterRow, integer, isoDateTime, named, textOrNull } from '../values/index.ts'

export const outcomes = [
  'sent',
  'accepted',
  'replied',
  'interested',
  'not_interested',
  'meeting',
  'won',
  'lost',
  'bounced',
  'unsubscribed',
] as const

export type Outcome = (typeof outcomes)[number]

/** A person's outcomes so far, repeated on each of their leads. */
export const leadResults = named('LeadResults', {
  last: z.enum(outcomes).nullable().describe('The latest outcome; null while there is none.'),
  lastAt: isoDateTime.nullable().describe('When the latest outcome happened.'),
  replied: z.boolean().describe('True when the person replied at least once.'),
  meeting: z.boolean().describe('True when the person has a meeting result.'),
  won: z.boolean().describe('True when the person was won.'),
})

export const recordedResults = named('RecordedResults', {
  recorded: integer.describe('New results.'),
  duplicates: integer.describe('Results already recorded, or sent twice in this call.'),
  notFound: z
    .array(integer)
    .describe('Positions in the list, from 0, of results about people this team never captured or sent.'),
})

export const resultGroups = ['source', 'keyword', 'topic', 'post', 'criteria'] as const

export type ResultGroup = (typeof resultGroups)[number]

export const resultFigures = named('ResultFigures', {
  key: textOrNull.describe(
    'Identifies the group: a source id, the terms of a search, a topic, the URN of a post, or a name for ' +
      'criteria; null for items that belong to no group, and in total.',
  ),
  label: z.string().describe('Display name of the group.'),
  credits: integer.describe('Credits charged, within from and to.'),
  people: integer.describe('People charged for, within from and to.'),
  fitPeople: integer.describe('Charged people who match the ICP criteria.'),
  sent: integer.describe('People contacted or asked to connect.'),
  accepted: integer.describe('People who accepted the connection request.'),
  replied: integer.describe('People who replied.'),
  meetings: integer.describe('People with a meeting.'),
  won: integer.describe('People who were won.'),
  amount: z.number().describe('Total value of won people, in currency.'),
  currency: textOrNull.describe('Currency of the first amount that has one; null when none has.'),
  otherAmounts: z
    .array(z.object({ currency: z.string(), amount: z.number() }))
    .describe('Amounts in other currencies; never converted.'),
  costPerReply: z.number().nullable().describe('Credits per person who replied; null while nobody has replied.'),
  costPerMeeting: z.number().nullable().describe('Credits per person with a meeting; null while there is none.'),
})

export const resultSuggestion = named('ResultSuggestion', {
  row: filterRow.describe("The row to add to a source's ICP criteria; it is never applied automatically."),
  why: z.string().describe('The reason as a sentence.'),
  people: integer.describe('The sample: contacted people with a known value in the column.'),
  with: z
    .object({ people: integer, replied: integer, rate: z.number() })
    .describe('People the row describes, however it is written: how many, and how many of them replied.'),
  without: z
    .object({ people: integer, replied: integer, rate: z.number() })
    .describe('All other people in the sample.'),
  lift: z
    .number()
    .nullable()
    .describe('The reply rate with the row, divided by the rate without it; null when nobody without it replied.'),
  backtest: z
    .object({
      keptReplied: integer,
      replied: integer,
      kept: integer,
      people: integer,
      keptRate: z.number().describe('Replies per person kept.'),
      rate: z.number().describe('Replies per person without the row.'),
    })
    .describe('People the row would have kept: of those who replied, and of everyone contacted.'),
})
