import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { rescoring } from './icp.ts'
import { searchRow } from './keyword.ts'
import { skippedReason } from './lead.ts'
import { sourceType } from './common.ts'
import { shownSettings, sourceSettingNames } from './source-settings.ts'

/** A tracked source (specification «Tracked source»). */
export const source = named('Source', {
  id: uuid,
  sourceId: uuid,
  type: sourceType,
  username: z.string().describe('Handle or slug for person and company; post URN for post; joined terms for keyword.'),
  status: z.enum(['active', 'inactive']),
  ...shownSettings(sourceSettingNames),
  postUrl: z.string().optional().describe('Tracked posts only: the URL as submitted.'),
  nextSyncAt: isoDateTime.nullable(),
  createdAt: isoDateTime,
  rescoring: rescoring.optional().describe('Present only while stored leads are judged again by newly saved criteria.'),
  lastRun: z
    .looseObject({
      stoppedBy: textOrNull.describe(
        'Keyword searches: budget, credits, exhausted, post_limit, error, ai_error, team_cap or lead_cap. Other ' +
          'sources: as in the sync status, and budget when the balance ran out.',
      ),
      errorCode: textOrNull.describe(
        'As in the sync status: insufficient_enriching_credits when the balance ran out, provider_error when the ' +
          'network did not respond, internal_error when the service itself failed; null when there was no error.',
      ),
      creditsSpent: integer,
      finishedAt: isoDateTime,
      postsFetched: integer.optional().describe('Posts-only sources: posts stored.'),
      postsScanned: integer
        .optional()
        .describe('Keyword searches: posts found; a post found by several terms counts once.'),
      postsKept: integer.optional(),
      discardedByExpression: integer.optional(),
      postsFilteredOut: integer.optional().describe('Older name of discardedByExpression.'),
      postAuthorsCaptured: integer.optional(),
      companyAuthorsSkipped: integer
        .optional()
        .describe('Kept posts whose author is a company page, which is not a person.'),
      engagersSeen: integer.optional().describe('People seen in the engagement, including people charged before.'),
      providerPageLimitReached: z
        .boolean()
        .optional()
        .describe('True when creditCap stopped the run from reading further pages of a post.'),
      unappliedFilters: z
        .array(z.string())
        .optional()
        .describe('Targeting filters that the provider could not apply; absent when all were applied.'),
    })
    .optional(),
  ...searchRow.shape,
})

/** Progress and outcome of a sync (specification «Sync status», G28..G33, G131). */
export const syncStatus = named('SyncStatus', {
  syncId: uuid.nullable(),
  sourceId: uuid,
  type: sourceType,
  username: z.string(),
  state: z.enum(['idle', 'queued', 'capturing', 'enriching', 'completed', 'failed', 'untracked']),
  isFinal: z.boolean().describe('False while enrichment is pending.'),
  progress: z.object({
    postsTotal: integer,
    postsProcessed: integer,
    leadsCaptured: integer.describe('Lead rows this sync has stored so far.'),
    leadsTotal: integer.describe('Total lead rows of the source.'),
    leadsEnriched: integer,
  }),
  capture: z.object({
    stoppedBy: z.enum(['credits', 'exhausted', 'capture_empty', 'provider_limit']).nullable(),
    creditsSpent: integer.nullable(),
    leadRowsCaptured: integer.nullable(),
    coverage: z
      .object({ declared: integer, captured: integer })
      .nullable()
      .describe('Reactions and comments that the posts report, and lead rows stored for those posts.'),
  }),
  enrichment: z.object({
    pending: integer,
    completed: integer,
    failed: integer,
    skipped: integer,
  }),
  skippedReason: skippedReason.optional(),
  stoppedBy: textOrNull,
  errorCode: textOrNull,
  error: textOrNull.describe('Error message; null when there was no error.'),
  startedAt: isoDateTime.nullable(),
  finishedAt: isoDateTime.nullable(),
  nextSyncAt: isoDateTime.nullable(),
})

/** A source's webhook (specification «Webhook configuration», G46). */
export const webhook = z.object({
  sourceId: uuid,
  type: sourceType,
  username: z.string(),
  webhookUrl: textOrNull,
  icpOnly: z.boolean(),
  autoSend: z.boolean(),
  syncEvents: z.boolean(),
})

/** Only the GET shows the team's signing secret. */
export const webhookWithSecret = webhook.extend({
  signingSecret: z.string().describe('whsec_…: the part after the underscore is the base64-encoded signing key.'),
})
