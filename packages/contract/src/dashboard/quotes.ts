/** What an act costs at most, before it is done: the one quote that pages show beside the button. */
import { z } from 'zod'
import { bounds, integer, wholeNumberOrNull } from '../values/index.ts'
import { sessionOperation } from './operation.ts'

const mostSources = 100
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
        .number({ error: `must be a whole number from 1 to ${mostSources}` })
        .int()
        .min(1)
        .max(mostSources)
        .describe('How many that are not tracked yet.'),
      mode: z.enum(['engagers', 'posts_only'], { error: 'must be engagers or posts_only' }),
      creditCapPerSync: wholeNumberOrNull(bounds.creditCap, 'no limit'),
      caps: z
        .array(wholeNumberOrNull(bounds.creditCap, 'no limit'), { error: 'must be a list of caps' })
        .max(mostSources, { error: `must be a list of at most ${mostSources} caps` })
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

const quoteCapture = sessionOperation('quoteCapture', 'POST /quotes', {
  group: 'credits',
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
})

/** The operations about quotes. */
export const quoteDashboardOperations = [quoteCapture] as const
