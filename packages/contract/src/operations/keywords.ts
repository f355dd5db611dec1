/** Tag `keywords` (specification «Keyword searches», «Versioning»; G59..G80). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { foundPostPage, keywordSearch, settingChange, warningsAbout, wholeSettings } from '../resources/index.ts'
import {
  aiProvider,
  captureMode,
  contractVersions,
  datePosted,
  idInPath,
  integer,
  isoDateTime,
  named,
  pageQuery,
  uuid,
} from '../values/index.ts'
import { notEditable, searchBody, searchEditBody } from './keyword-fields.ts'
import { byKeyword, icpRead, icpWrite, pushOf, syncOf, webhookRead, webhookWrite } from './sources.ts'
import { creditAPersonSaid } from '../words/index.ts'

const operation = operationsOf('keywords')
const sourceOperation = operationsOf('sources')

const deprecation = z
  .object({ field: z.enum(['creditCap', 'captureMode', 'datePosted', 'confirmSpend']), message: z.string() })
  .meta({ id: 'Deprecation' })
const ignoredFields = z.array(z.string()).optional().describe('Retired fields that were sent.')
const warnings = warningsAbout(
  'expression',
  'Parts of the expression that are accepted as written but are probably a mistake, such as an alternative with ' +
    'only exclusions.',
)
const changed = z.array(settingChange)
const filtering = named('Filtering', {
  applied: z.boolean().describe('True when an AI filter decides which posts are kept.'),
  suggestion: z.string().optional().describe('Present without an AI filter, or when its provider has no key stored.'),
  warning: z
    .string()
    .optional()
    .describe("Present only when no key is stored for the filter's provider: runs would end with ai_error."),
  aiKeyStoredFor: z.array(aiProvider),
})

/** The operations of this tag, including those that other sources have too. */
export const keywordOperations = [
  operation('trackKeyword', 'POST /keyword/track', {
    charges: true,
    summary: 'Track a keyword search, or resume it',
    description:
      'Creates the search (201), or resumes the search with matching terms, active or deleted (200). A resume ' +
      'applies the fields you send and keeps the rest. Resuming a deleted search tracks it again and starts a ' +
      'charged run at once. A resume that would change a targeting filter, sort, datePosted, contentType or the ' +
      `AI filter requires confirmChanges: true. The spend contract (${contractVersions.spend}) requires ` +
      `creditCap, captureMode, datePosted and confirmSpend: true. ${creditAPersonSaid}.`,
    body: searchBody,
    status: 201,
    otherStatus: { status: 200, when: 'resumed' },
    success: keywordSearch
      .extend({
        resumed: z.boolean(),
        filtering,
        syncNotQueuedReason: z.string().optional(),
        warnings,
        ignoredFields,
        deprecations: z.array(deprecation).optional().describe('Fields to add before the cut-over.'),
        cutoverAt: isoDateTime
          .nullable()
          .optional()
          .describe('Present with deprecations: when they become errors; null until configured.'),
      })
      .meta({ id: 'KeywordSearch' }),
    errors: [
      'invalid_urn',
      'invalid_contract_version',
      'scope_required',
      'no_capture_target',
      'identifier_in_use',
      'source_limit_reached',
      'spend_confirmation_required',
      'settings_conflict',
    ],
    example: {
      keywords: ['revenue operations', '"head of growth"'],
      creditCap: 100,
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      confirmSpend: true,
      contractVersion: contractVersions.spend,
    },
  }),
  operation('estimateKeyword', 'POST /keyword/estimate', {
    summary: 'Estimate what tracking a keyword search would cost',
    description:
      'Takes the same body as tracking. Creates nothing, charges nothing and needs no confirmation. Figures that ' +
      `cannot be estimated reliably are omitted; 0 days is a real warning. ${creditAPersonSaid}.`,
    body: searchBody,
    success: z.object({
      matchLogic: z.literal('any').optional().describe('Present only for several terms without an expression.'),
      creditCap: integer,
      captureMode,
      datePosted,
      captureEngagers: z.boolean().nullable(),
      capturePostAuthors: z.boolean().nullable(),
      resumed: z.boolean(),
      previous: wholeSettings
        .optional()
        .describe('Current settings of the search; present only when it would be resumed.'),
      changed: changed.optional().describe('Settings that would change; absent when nothing would change.'),
      settings: wholeSettings.optional().describe('Settings after the change; absent when nothing would change.'),
      remainingBalance: integer.optional(),
      estimatedDailyMax: integer.optional(),
      daysToExhaustAtCap: integer.optional(),
      dailyCeiling: integer.describe('Credits that all keyword searches of the team together may spend per day.'),
      warnings,
      ignoredFields,
      filtering,
    }),
    errors: ['invalid_urn', 'invalid_contract_version', 'no_capture_target'],
    example: { expression: '"head of growth" AND hiring AND NOT intern', creditCap: 50 },
  }),
  operation('editKeyword', `PATCH ${byKeyword.path}`, {
    charges: true,
    summary: 'Edit a keyword search',
    description:
      'Changes only the settings you send, from the next run on. [] clears a targeting filter; null clears name, ' +
      'contentType, maxEngagementsPerPost and the AI filter. Raising creditCap or postsPerSync, changing the ' +
      'mode, and turning captureEngagers back on require confirmSpend: true. Removing the limit that stopped a ' +
      'search starts it again.',
    params: byKeyword.params,
    refusedFields: notEditable,
    body: searchEditBody,
    success: keywordSearch.extend({
      previous: wholeSettings,
      changed,
      filtering,
      syncNotQueuedReason: z.string().optional(),
      ignoredFields,
    }),
    errors: ['invalid_urn', 'not_tracked', 'no_capture_target', 'spend_confirmation_required'],
    example: { creditCap: 40 },
  }),
  operation('untrackKeyword', `DELETE ${byKeyword.path}`, {
    summary: 'Untrack a keyword search',
    description:
      'A run in progress stops at its next checkpoint, and waiting enrichment is skipped. Leads stay readable by ' +
      'the search id and can still be pushed. Credits are not refunded.',
    params: byKeyword.params,
    success: z.object({
      ok: z.literal(true),
      id: uuid,
      username: z.string(),
      profileType: z.literal('keyword'),
      untracked: z.literal(true),
    }),
    errors: ['not_tracked', 'trial_source'],
  }),
  syncOf('getKeywordSync', byKeyword),
  webhookRead('getKeywordWebhook', byKeyword),
  webhookWrite('updateKeywordWebhook', byKeyword),
  icpRead('getKeywordIcp', byKeyword),
  icpWrite('updateKeywordIcp', byKeyword),
  pushOf('pushKeyword', byKeyword),
  sourceOperation('listKeptPosts', 'GET /sources/{id}/kept-posts', {
    summary: 'List the posts a keyword search kept, newest decision first',
    description:
      'Free. With include=swept, also returns discarded posts, each with its reason. Works for deleted searches ' +
      'too; sources of other kinds are refused.',
    params: z.object({ id: idInPath }),
    query: z.object({
      include: z
        .enum(['swept'], { error: 'must be swept, or left out' })
        .optional()
        .describe('swept: include discarded posts.'),
      ...pageQuery,
    }),
    success: foundPostPage,
    errors: ['not_found'],
  }),
] as const
