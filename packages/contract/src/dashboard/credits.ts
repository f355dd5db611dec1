/** Credits on the dashboard: use, forecast, yield of each source, and the most an act can cost. */
import { z } from 'zod'
import { credits } from '../resources/index.ts'
import { integer, isoDateTime, uuid, bounds, choice, queryInteger, wholeNumberOrNull } from '../values/index.ts'
import { sessionOperationsOf, sourceIdsUpTo } from './operation.ts'

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
const sourceIds = sourceIdsUpTo(500)

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
        .describe('Number of sources that are not tracked yet.'),
      mode: choice(['engagers', 'posts_only']),
      creditCapPerSync: wholeNumberOrNull(bounds.creditCap, 'no limit'),
      caps: z
        .array(wholeNumberOrNull(bounds.creditCap, 'no limit'), { error: 'must be a list of caps' })
        .max(maxSources, { error: `must be a list of at most ${maxSources} caps` })
        .optional()
        .describe('The cap of each source, when they differ; replaces creditCapPerSync.'),
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
    summary: 'Read credits charged by day and source, and how long the balance lasts',
    query: z.object({ days }),
    success: z.object({
      credits,
      days: z.array(
        z.object({
          date: z.iso.date(),
          total: integer,
          bySource: z.array(
            z.object({
              key: z.string().describe('Key of an entry in `sources`; `other` for all but the ten largest.'),
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
          'Credits that sources used in the last 7 days on the day they were added; not included in the figures ' +
            'below.',
        ),
        dailyCap: integer
          .nullable()
          .describe('Maximum credits all daily syncs together can be charged; null without a limit.'),
        daysAtCap: integer
          .nullable()
          .describe('Days the balance lasts if every sync uses its cap; null when unknown or far off.'),
        dailyAverage: z
          .number()
          .describe('Average over the last 7 days, or the days available, without first syncs and within the caps.'),
        daysLeft: integer.nullable().describe('Null when no credits are being spent.'),
        emptyAt: isoDateTime.nullable(),
        resetAt: isoDateTime,
        lastsToReset: z.boolean(),
      }),
    }),
  }),
  operation('listYield', 'GET /credits/yield', {
    role: 'viewer',
    summary:
      'Read what each source yields, from people seen to leads sent, and the cost per fitting lead; dearest first',
    query: z.object({ days }),
    success: z.object({
      total: z
        .object(stages)
        .describe(
          'People of all sources. `seen` counts a person once per run; all later stages count people charged in ' +
            'the window, once per source.',
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
            creditsPerIcpLead: z.number().nullable().describe('Null when no lead fits or no criteria are set.'),
          }),
        )
        .describe('At most 200. Sources that cost credits and yield nobody who fits come first, then the dearest.'),
    }),
  }),
  operation('quoteCapture', 'POST /quotes', {
    role: 'member',
    summary: 'Quote the maximum cost of tracking or syncing, now and per day; changes nothing',
    body: z.object({ act }),
    success: z.object({
      sources: integer.describe('Number of sources that would be synced.'),
      perSync: integer.nullable().describe('The cap per sync when all sources have the same; null: no cap.'),
      now: integer.nullable().describe('Maximum cost now, from the caps; null when a source has no cap.'),
      daily: integer.nullable().describe('Maximum cost per day from tomorrow; 0 when nothing is added; null: no cap.'),
      balance: integer,
      days: integer.nullable().describe('Days the balance lasts at that maximum; null when the balance is not used.'),
    }),
  }),
] as const
