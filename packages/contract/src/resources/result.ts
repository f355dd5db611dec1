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
  lastAt: isoDateTime.nullable().describe('When that was.'),
  replied: z.boolean().describe('They have replied at least once.'),
  meeting: z.boolean().describe('A meeting has come of it.'),
  won: z.boolean().describe('They have been won.'),
})

export const recordedResults = named('RecordedResults', {
  recorded: integer.describe('Results that were new.'),
  duplicates: integer.describe('Results known before, or sent twice in this call.'),
  notFound: z
    .array(integer)
    .describe('Places in the list, from 0, of those who are nobody this team has captured or sent.'),
})

export const resultGroups = ['source', 'keyword', 'topic', 'post', 'criteria'] as const

export type ResultGroup = (typeof resultGroups)[number]

export const resultFigures = named('ResultFigures', {
  key: textOrNull.describe(
    'What the group is: the id of a source, the words of a search, a topic, the URN of a post, or a name for criteria; ' +
      'null for what belongs to none, and in total.',
  ),
  label: z.string().describe('The same in words.'),
  credits: integer.describe('Credits charged, within from and to.'),
  people: integer.describe('People charged for, within from and to.'),
  fitPeople: integer.describe('Those of them who fit the ICP criteria.'),
  sent: integer.describe('People who were written to or asked to connect.'),
  accepted: integer.describe('People who accepted to connect.'),
  replied: integer.describe('People who replied.'),
  meetings: integer.describe('People a meeting has come of.'),
  won: integer.describe('People who were won.'),
  amount: z.number().describe('What those won are worth, in currency.'),
  currency: textOrNull.describe('The currency of the first of them that has one; null when none has.'),
  otherAmounts: z
    .array(z.object({ currency: z.string(), amount: z.number() }))
    .describe('What is in other currencies; never converted.'),
  costPerReply: z.number().nullable().describe('Credits for each person who replied; null while nobody has.'),
  costPerMeeting: z.number().nullable().describe('Credits for each person with a meeting; null while there is none.'),
})

export const resultSuggestion = named('ResultSuggestion', {
  row: filterRow.describe('The row to add to the ICP criteria of a source; nothing is applied by itself.'),
  why: z.string().describe('The reason in a sentence.'),
  people: integer.describe('People written to of whom the column is known: the sample.'),
  with: z
    .object({ people: integer, replied: integer, rate: z.number() })
    .describe('Those whom the row describes, however it is written: how many, and how many of them replied.'),
  without: z.object({ people: integer, replied: integer, rate: z.number() }).describe('All others of the sample.'),
  lift: z
    .number()
    .nullable()
    .describe('The rate of those with it, divided by that of those without; null when none of those replied.'),
  backtest: z
    .object({
      keptReplied: integer,
      replied: integer,
      kept: integer,
      people: integer,
      keptRate: z.number().describe('Replies for each person kept.'),
      rate: z.number().describe('Replies for each person without the row.'),
    })
    .describe('Whom the row would have kept: of those who replied, and of everybody who was written to.'),
})
