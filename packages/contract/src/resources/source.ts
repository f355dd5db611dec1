import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'
import { rescoring } from './icp.ts'
import { searchRow } from './keyword.ts'
import { skippedReason } from './lead.ts'
import { sourceType } from './source-kind.ts'
import { shownSettings, sourceSettingNames } from './source-settings.ts'

/** A tracked source (specification «Tracked source»). */
export const source = z
  .object({
    id: uuid,
    sourceId: uuid,
    type: sourceType,
    username: z
      .string()
      .meta({ description: 'Handle or slug for person and company; post URN for post; joined terms for keyword.' }),
    status: z.enum(['active', 'inactive']),
    ...shownSettings(sourceSettingNames),
    postUrl: z.string().optional().meta({ description: 'Tracked posts only: the address as it was submitted.' }),
    nextSyncAt: isoDateTime.nullable(),
    createdAt: isoDateTime,
    rescoring: rescoring.optional().meta({
      description: 'Only while stored leads are being judged again by criteria that were saved.',
    }),
    lastRun: z
      .looseObject({
        stoppedBy: z
          .string()
          .nullable()
          .meta({
            description:
              'Keyword searches: budget, credits, exhausted, post_limit, error, ai_error, ' +
              'team_cap or lead_cap. Other sources: as the sync status says it, ' +
              'and budget when the balance ran out.',
          }),
        errorCode: z
          .string()
          .nullable()
          .meta({
            description:
              'As the sync status says it: insufficient_enriching_credits when the balance ran out, ' +
              'provider_error when the network did not answer, internal_error when the service itself failed; ' +
              'null when nothing went wrong.',
          }),
        creditsSpent: z.number().int(),
        finishedAt: isoDateTime,
        postsFetched: z.number().int().optional().meta({ description: 'Posts-only sources: posts stored.' }),
        postsScanned: z
          .number()
          .int()
          .optional()
          .meta({ description: 'Keyword searches: posts found, each once however many terms found it.' }),
        postsKept: z.number().int().optional(),
        discardedByExpression: z.number().int().optional(),
        postsFilteredOut: z.number().int().optional().meta({ description: 'Older name of discardedByExpression.' }),
        postAuthorsCaptured: z.number().int().optional(),
        companyAuthorsSkipped: z
          .number()
          .int()
          .optional()
          .meta({ description: 'Kept posts whose author is a company page, which is nobody.' }),
        engagersSeen: z
          .number()
          .int()
          .optional()
          .meta({ description: 'People seen on pages of engagement, also those who were charged before.' }),
        providerPageLimitReached: z
          .boolean()
          .optional()
          .meta({ description: 'True when creditCap kept further pages of a post from being asked for.' }),
        unappliedFilters: z
          .array(z.string())
          .optional()
          .meta({ description: 'Targeting filters that the provider could not apply; absent when all were.' }),
      })
      .optional(),
    ...searchRow.shape,
  })
  .meta({ id: 'Source' })

/** Progress and outcome of a source's capture sync (specification «Sync status», G28..G33, G131). */
export const syncStatus = z
  .object({
    syncId: uuid.nullable(),
    sourceId: uuid,
    type: sourceType,
    username: z.string(),
    state: z.enum(['idle', 'queued', 'capturing', 'enriching', 'completed', 'failed', 'untracked']),
    isFinal: z.boolean().meta({ description: 'False while enrichment is pending.' }),
    progress: z.object({
      postsTotal: z.number().int(),
      postsProcessed: z.number().int(),
      leadsCaptured: z.number().int().meta({ description: 'Lead rows this sync has stored so far.' }),
      leadsTotal: z.number().int().meta({ description: 'Lead rows of the source in all.' }),
      leadsEnriched: z.number().int(),
    }),
    capture: z.object({
      stoppedBy: z.enum(['credits', 'exhausted', 'capture_empty', 'provider_limit']).nullable(),
      creditsSpent: z.number().int().nullable(),
      leadRowsCaptured: z.number().int().nullable(),
      coverage: z
        .object({ declared: z.number().int(), captured: z.number().int() })
        .nullable()
        .meta({ description: 'Reactions and comments the posts declare, and lead rows held for those posts.' }),
    }),
    enrichment: z.object({
      pending: z.number().int(),
      completed: z.number().int(),
      failed: z.number().int(),
      skipped: z.number().int(),
    }),
    skippedReason: skippedReason.optional(),
    stoppedBy: z.string().nullable(),
    errorCode: z.string().nullable(),
    error: z.string().nullable().meta({ description: 'What went wrong, in words; null when nothing did.' }),
    startedAt: isoDateTime.nullable(),
    finishedAt: isoDateTime.nullable(),
    nextSyncAt: isoDateTime.nullable(),
  })
  .meta({ id: 'SyncStatus' })

/** Webhook configuration of a source (specification «Webhook configuration», G46). */
export const webhook = z.object({
  sourceId: uuid,
  type: sourceType,
  username: z.string(),
  webhookUrl: z.string().nullable(),
  icpOnly: z.boolean(),
  autoSend: z.boolean(),
  syncEvents: z.boolean(),
})

/** The same with the team's signing secret, as the GET answers. */
export const webhookWithSecret = webhook.extend({
  signingSecret: z
    .string()
    .meta({ description: 'whsec_…: the part after the underscore is the base64 of the signing key.' }),
})
