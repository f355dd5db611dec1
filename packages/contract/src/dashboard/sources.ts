import { z } from 'zod'
import { sourceMode, sourceType } from '../resources/index.ts'
import {
  bounds,
  filterRows,
  idInPath,
  integer,
  isoDateTime,
  leadFilterColumns,
  matchMode,
  textOrNull,
  uuid,
  choice,
} from '../values/index.ts'
import { cursorQuery, nextCursor, sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('sources')
const keywordOperation = sessionOperationsOf('keywords')

const coverage = z.object({ declared: integer, captured: integer })

export const sourceWarning = z.object({
  kind: z.enum([
    'silent',
    'starved',
    'failing',
    'waiting',
    'low_coverage',
    'no_icp',
    'low_yield',
    'out_of_credits',
    'webhook_disabled',
    'outreach_paused',
  ]),
  text: z.string(),
  advice: z.string(),
})

const sourceHealth = z.object({
  id: uuid,
  type: sourceType,
  label: z.string().describe('Name of the person or company once known; otherwise the tracked identifier.'),
  username: z.string(),
  name: textOrNull.describe('Name of the person or company, once one of their posts was read.'),
  avatarUrl: textOrNull,
  ended: textOrNull.describe('Why a tracked search no longer runs, as text; null while it runs.'),
  status: z.enum(['active', 'inactive']),
  mode: sourceMode,
  raw: z.boolean().describe('True when leads are captured without enrichment.'),
  createdAt: isoDateTime,
  nextSyncAt: isoDateTime.nullable(),
  running: z.boolean(),
  waiting: textOrNull.describe('What the run or its people are waiting for, as text; null when nothing is waiting.'),
  lastRun: z
    .object({
      syncId: uuid,
      state: z.string(),
      stoppedBy: textOrNull,
      words: z.string().describe('Why the run stopped, as text.'),
      finishedAt: isoDateTime.nullable(),
      creditsSpent: integer,
      leadRows: integer,
    })
    .nullable(),
  coverage: coverage.nullable(),
  silentDays: integer
    .nullable()
    .describe('Whole days since the last lead, or since tracking began; null in posts-only mode.'),
  leads: integer,
  rawLeads: integer,
  icpLeads: integer,
  hasCriteria: z.boolean().describe('True when the source or the team has ICP criteria.'),
  pendingEnrichment: integer,
  creditsSpent: integer.describe('Credits spent in the last 30 days.'),
  warnings: z.array(sourceWarning),
})

const comparedPerson = z.object({
  leadId: uuid,
  name: textOrNull,
  jobTitle: textOrNull,
  company: textOrNull,
  country: textOrNull,
  linkedinUrl: z.string(),
})

const comparedByRows = comparedPerson.extend({
  missing: integer.nullable().describe('For near misses: the position of the one row that fails.'),
})

const expressionText = z
  .string({ error: 'must be an expression' })
  .max(bounds.expressionInput, { error: `must be at most ${bounds.expression} characters` })

const changed = z.object({ gained: integer, lost: integer, near: integer })

const wordDifference = z.object({
  words: z.string().describe('The current words of the search.'),
  isExpression: z.boolean().describe('False for a list of terms, which keeps everything the network finds.'),
  posts: changed,
  people: changed.describe('People known to have engaged with those posts, each counted once.'),
  credits: z
    .object({ from: integer, to: integer, lost: integer })
    .describe('Expected cost of the posts gained, and the past cost of the posts lost.'),
  creditCap: integer.describe('Maximum credits per run of the search.'),
  isWhole: z.boolean().describe('False when only the newest 50,000 leads were checked.'),
  gainedPeople: z.array(comparedPerson).describe('The newest 25.'),
  lostPeople: z.array(comparedPerson),
  nearPeople: z.array(comparedPerson),
})

export const sourceDashboardOperations = [
  operation('listSourceHealth', 'GET /sources/health', {
    role: 'viewer',
    summary: 'List sources with last run, coverage, yield and warnings; active first, newest first',
    query: z.object({
      includeInactive: choice(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true'),
      ...cursorQuery,
    }),
    success: z.object({ sources: z.array(sourceHealth), nextCursor }),
  }),
  operation('getSourceHealth', 'GET /sources/{id}/health', {
    role: 'viewer',
    summary: 'Read a source with its last run, coverage, yield and warnings',
    params: z.object({ id: idInPath }),
    success: z.object({ source: sourceHealth }),
    errors: ['not_found'],
  }),
  operation('listSourceNames', 'GET /sources/names', {
    role: 'viewer',
    summary: 'List source names: tracked sources first, newest first; at most 2,000',
    success: z.object({
      sources: z.array(
        z.object({
          id: uuid,
          type: sourceType,
          username: z.string(),
          status: z.enum(['active', 'inactive']),
          label: z.string().describe('Name of the person or company once known; otherwise the tracked identifier.'),
        }),
      ),
    }),
  }),
  operation('listRuns', 'GET /sources/{id}/runs', {
    role: 'viewer',
    summary: 'List runs of a source, newest first, each with why it stopped',
    params: z.object({ id: idInPath }),
    query: z.object({ ...cursorQuery }),
    success: z.object({
      runs: z.array(
        z.object({
          syncId: uuid,
          trigger: z.enum(['track', 'scheduled', 'manual']),
          state: z.string(),
          stoppedBy: textOrNull,
          words: z.string(),
          creditsSpent: integer,
          leadRows: integer,
          postsTotal: integer,
          postsProcessed: integer,
          coverage: coverage.nullable(),
          createdAt: isoDateTime,
          startedAt: isoDateTime.nullable(),
          finishedAt: isoDateTime.nullable(),
        }),
      ),
      nextCursor,
    }),
    errors: ['not_found'],
  }),
  operation('compareCriteria', 'POST /sources/{id}/icp/compare', {
    role: 'viewer',
    summary:
      'Compare criteria person by person: who would newly fit, who would no longer fit, and who misses by one ' +
      'row; changes nothing',
    params: z.object({ id: idInPath }),
    body: z.object({ rules: filterRows(leadFilterColumns), matchMode: matchMode.default('all') }),
    success: z.object({
      people: integer.describe('People with enriched leads, each counted once.'),
      fitNow: integer,
      fitTried: integer,
      gained: integer,
      lost: integer,
      near: integer.describe('People who fail exactly one of several rows when all rows must match.'),
      nearBy: z.array(z.object({ row: integer, count: integer })),
      hasCriteria: z.boolean().describe('False while the source has no criteria, so nobody is judged.'),
      isWhole: z.boolean().describe('False when only the newest 50,000 leads were checked.'),
      creditsPerFit: z
        .object({ now: z.number().nullable(), tried: z.number().nullable() })
        .describe('Credits per person who fits, based on the share of people who fit; null: nobody fits.'),
      gainedPeople: z.array(comparedByRows).describe('The newest 25.'),
      lostPeople: z.array(comparedByRows),
      nearPeople: z.array(comparedByRows),
    }),
    errors: ['not_tracked'],
  }),
  keywordOperation('parseExpression', 'POST /keyword/parse', {
    role: 'viewer',
    summary: 'Parse an expression while it is typed',
    body: z.object({ expression: expressionText }),
    success: z.object({
      ok: z.boolean(),
      canonical: textOrNull,
      terms: z.array(z.string()),
      warnings: z.array(z.string()),
      error: z.object({ message: z.string(), token: z.string(), position: integer }).nullable(),
    }),
  }),
  keywordOperation('backtestKeyword', 'POST /keyword/backtest', {
    role: 'member',
    summary:
      'Test an expression or an AI prompt (with the team’s own key) on stored posts; nothing changes and no ' +
      'credit is charged',
    body: z
      .object({
        expression: expressionText.optional(),
        ai: z
          .object({
            provider: z.enum(['openai', 'anthropic', 'google', 'mistral']),
            model: z.string().max(bounds.aiModel).nullable().default(null),
            prompt: z.string().min(1).max(bounds.aiPrompt),
          })
          .optional(),
        sourceId: z
          .guid({ error: 'must be the id of a keyword search' })
          .optional()
          .describe('Only posts that this search has seen; default: the newest posts of the team.'),
        compareWith: z
          .guid({ error: 'must be the id of a keyword search' })
          .optional()
          .describe("Without `sourceId`: the search to compare the team's newest posts with."),
        posts: integer.min(1).max(200).default(50),
      })
      .refine((body) => body.expression !== undefined || body.ai !== undefined, {
        error: 'needs `expression` or `ai`',
      }),
    success: z.object({
      considered: integer,
      kept: integer,
      posts: z.array(
        z.object({
          urn: z.string(),
          url: z.string(),
          author: textOrNull,
          postedAt: isoDateTime.nullable(),
          text: z.string(),
          kept: z.boolean(),
          reason: textOrNull,
          before: z.enum(['kept', 'discarded']).nullable().describe("The search's own decision."),
          now: z.boolean().nullable().describe('Whether the current words of the search keep the post.'),
          engagement: integer.describe('Reactions and comments that the post reports.'),
          missesBy: textOrNull.describe('The one part of the expression that excludes the post when all others match.'),
        }),
      ),
      difference: wordDifference.nullable().describe('Difference from the given search, person by person.'),
    }),
    errors: ['not_found', 'credential_missing', 'credential_rejected', 'provider_unavailable'],
  }),
] as const
