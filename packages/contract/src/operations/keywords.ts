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
import { byKeyword } from './sources.ts'
import { icpRead, icpWrite } from './sources.ts'
import { notEditable, searchBody, searchEditBody } from './keyword-fields.ts'
import { pushOf } from './sources.ts'
import { syncOf, webhookRead, webhookWrite } from './sources.ts'
import { creditAPersonSaid } from '../words/index.ts'

const operation = operationsOf('keywords')
const sourceOperation = operationsOf('sources')

const deprecation = z
  .object({ field: z.enum(['creditCap', 'captureMode', 'datePosted', 'confirmSpend']), message: z.string() })
  .meta({ id: 'Deprecation' })
const ignoredFields = z.array(z.string()).optional().describe('Retired fields that were sent.')
const warnings = warningsAbout(
  'expression',
  'What is taken as it is written and hardly meant, such as an alternative of exclusions alone.',
)
const changed = z.array(settingChange)
const filtering = named('Filtering', {
  applied: z.boolean().describe('An AI filter decides which posts are kept.'),
  suggestion: z.string().optional().describe('Only when no filter is set, or its provider has no key stored.'),
  warning: z
    .string()
    .optional()
    .describe("Only when the filter's provider has no key stored: runs would end ai_error."),
  aiKeyStoredFor: z.array(aiProvider),
})

/** The operations of this tag, including those that other sources have too. */
export const keywordOperations = [
  operation('trackKeyword', 'POST /keyword/track', {
    charges: true,
    summary: 'Track a keyword search, or resume it',
    description:
      'Creates the search (201), or resumes the one whose terms match, active or deleted (200): ' +
      'what is named is applied, the rest stays, and a deleted one is tracked again with a charging run at once. ' +
      'A resume that would rewrite a targeting filter, sort, datePosted, contentType or the AI filter needs ' +
      `confirmChanges: true. The spend contract (${contractVersions.spend}) requires ` +
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
        deprecations: z.array(deprecation).optional().describe('What to add before the cut-over.'),
        cutoverAt: isoDateTime
          .nullable()
          .optional()
          .describe('With deprecations: when they become refusals; null until configured.'),
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
    summary: 'Say what tracking a keyword search would come to',
    description:
      'Takes the same body as tracking, creates and charges nothing, and asks for no confirmation. ' +
      `A figure without an honest number is left out; 0 days is a real warning. ${creditAPersonSaid}.`,
    body: searchBody,
    success: z.object({
      matchLogic: z.literal('any').optional().describe('Only for several terms without an expression.'),
      creditCap: integer,
      captureMode,
      datePosted,
      captureEngagers: z.boolean().nullable(),
      capturePostAuthors: z.boolean().nullable(),
      resumed: z.boolean(),
      previous: wholeSettings.optional().describe('What the search is set to now; only when it would be resumed.'),
      changed: changed.optional().describe('What would change; absent when nothing would.'),
      settings: wholeSettings.optional().describe('What the search would be set to; absent when nothing would change.'),
      remainingBalance: integer.optional(),
      estimatedDailyMax: integer.optional(),
      daysToExhaustAtCap: integer.optional(),
      dailyCeiling: integer.describe('Credits all keyword searches of the team may spend a day.'),
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
      'Changes the settings it names and leaves the rest; binds from the next run. [] clears a targeting filter; ' +
      'null clears name, contentType, maxEngagementsPerPost and the AI filter. ' +
      'Raising creditCap or postsPerSync, another mode, and capturing engagers again need confirmSpend: true. ' +
      'Lifting what stopped a search starts it again.',
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
      'A run under way is abandoned at its next checkpoint and waiting enrichment is skipped. ' +
      'Leads stay readable by its id and can still be pushed; credits are not refunded.',
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
    summary: 'List the posts a keyword search has kept, newest decision first',
    description:
      'Free. With include=swept also those it discarded, each with its reason. A deleted search still answers; ' +
      'a source of another kind is refused.',
    params: z.object({ id: idInPath }),
    query: z.object({
      include: z
        .enum(['swept'], { error: 'must be swept, or left out' })
        .optional()
        .describe('swept: discarded posts too.'),
      ...pageQuery,
    }),
    success: foundPostPage,
    errors: ['not_found'],
  }),
] as const
