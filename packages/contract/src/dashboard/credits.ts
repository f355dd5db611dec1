/** Credits on the dashboard: use, forecast, yield of each source, and the most an act can cost. */
import { z } from 'zod'
import { credits } from '../resources/index.ts'
import { integer, isoDateTime, uuid, bounds, choice, queryInteger, wholeNumberOrNull } from '../values/index.ts'
import { sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('credits')

const days = queryInteger({ min: 1, max: 90 }).default(30)

const stages = {
  seen: integer,
  charged: integer,
  enriched: integer,
  icp: integer,
  delivered: integer,
  sent: integer,
}

const maxSources = 100
const sourceIds = z
  .array(z.guid({ error: 'must be the id of a source' }), { error: 'must be a list of ids of sources' })
  .min(1, { error: 'must name at least one source' })
  .max(500, { error: 'must name at most 500 sources' })

const act = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('track'),
      sources: z
        .number({ error: `must be a whole number from 1 to ${maxSources}` })
        .int()
        .min(1)
        .max(maxSources)
        .describe('How many that are not tracked yet.'),
      mode: choice(['engagers', 'posts_only']),
      creditCapPerSync: wholeNumberOrNull(bounds.creditCap, 'no limit'),
      caps: z
        .array(wholeNumberOrNull(bounds.creditCap, 'no limit'), { error: 'must be a list of caps' })
        .max(maxSources, { error: `must be a list of at most ${maxSources} caps` })
        .optional()
        .describe('The cap of each source, where they have different ones; instead of creditCapPerSync.'),
      postsPerSync: z
        .number({ error: 'must be a whole number' })
        .int()
        .min(bounds.postsPerSync.min)
        .max(bounds.postsPerSync.max)
        .optional(),
    }),
    z.strictObject({ kind: z.literal('sync'), sourceIds }),
    z.strictObject({ kind: z.literal('resume'), sourceIds }),
  ],
  { error: 'must say a `kind`: track, sync or resume' },
)

export const creditDashboardOperations = [
  operation('getBurn', 'GET /credits/burn', {
    role: 'viewer',
    summary: 'Credits charged by day and source, and how long the balance lasts',
    query: z.object({ days }),
    success: z.object({
      credits,
      days: z.array(
        z.object({
          date: z.iso.date(),
          total: integer,
          bySource: z.array(
            z.object({
              key: z.string().describe('Of `sources`; `other` for all but the largest ten.'),
              credits: integer,
            }),
          ),
        }),
      ),
      sources: z.array(
        z.object({
          key: z.string(),
          sourceId: uuid.nullable(),
          type: z.string(),
          label: z.string(),
          credits: integer,
        }),
      ),
      forecast: z.object({
        firstSyncs: integer.describe(
          'Credits that sources used in the last 7 days on the day they were added; left out below.',
        ),
        dailyCap: integer
          .nullable()
          .describe('What all daily syncs can be charged together at most; null without a bound.'),
        daysAtCap: integer
          .nullable()
          .describe('Days the balance lasts when every sync uses its cap; null when that is unknown or far off.'),
        dailyAverage: z
          .number()
          .describe('Over the last 7 days, or as many as there are, without first syncs and within the caps.'),
        daysLeft: integer.nullable().describe('Null when nothing is being spent.'),
        emptyAt: isoDateTime.nullable(),
        resetAt: isoDateTime,
        lastsToReset: z.boolean(),
      }),
    }),
  }),
  operation('listYield', 'GET /credits/yield', {
    role: 'viewer',
    summary: 'What each source yields, from people seen to leads sent, and what a lead that fits costs; dearest first',
    query: z.object({ days }),
    success: z.object({
      total: z
        .object(stages)
        .describe(
          'People of all sources. `seen` counts somebody once a run; all further stages count people charged in ' +
            'the window, each once a source.',
        ),
      sources: z
        .array(
          z.object({
            sourceId: uuid,
            type: z.string(),
            label: z.string(),
            status: z.enum(['active', 'inactive']),
            ...stages,
            credits: integer,
            creditsPerIcpLead: z.number().nullable().describe('Null when no lead fits, or no criteria are set.'),
          }),
        )
        .describe('At most 200; those that cost credits and yield nobody who fits come first, then the dearest.'),
    }),
  }),
  operation('quoteCapture', 'POST /quotes', {
    role: 'member',
    summary: 'What tracking or syncing costs at most, now and each day after; writes nothing',
    body: z.object({ act }),
    success: z.object({
      sources: integer.describe('Sources that would be synced.'),
      perSync: integer.nullable().describe('The cap of one sync when all have the same; null: none.'),
      now: integer.nullable().describe('At most now, of the caps; null where one has no cap.'),
      daily: integer.nullable().describe('At most a day from tomorrow; 0 when nothing is added; null: no cap.'),
      balance: integer,
      days: integer.nullable().describe('How long the balance lasts at most of that; null when it is not used.'),
    }),
  }),
] as const
