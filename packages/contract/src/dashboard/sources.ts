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
  label: z.string().describe('A person or a company by name once it is known, else as it is tracked.'),
  username: z.string(),
  name: textOrNull.describe('What the person or company is called, once a post of theirs was read.'),
  avatarUrl: textOrNull,
  ended: textOrNull.describe('Why a tracked search runs no more, in words; null while it does.'),
  status: z.enum(['active', 'inactive']),
  mode: sourceMode,
  raw: z.boolean().describe('Leads are captured without enrichment.'),
  createdAt: isoDateTime,
  nextSyncAt: isoDateTime.nullable(),
  running: z.boolean(),
  waiting: textOrNull.describe('What its run, or its people, wait for, in words; null while they wait for nothing.'),
  lastRun: z
    .object({
      syncId: uuid,
      state: z.string(),
      stoppedBy: textOrNull,
      words: z.string().describe('Why it stopped, in words.'),
      finishedAt: isoDateTime.nullable(),
      creditsSpent: integer,
      leadRows: integer,
    })
    .nullable(),
  coverage: coverage.nullable(),
  silentDays: integer.nullable().describe('Whole days since a lead, or since tracking began; null in posts-only mode.'),
  leads: integer,
  rawLeads: integer,
  icpLeads: integer,
  hasCriteria: z.boolean().describe('Criteria of its own, or of the team, say who fits.'),
  pendingEnrichment: integer,
  creditsSpent: integer.describe('In the last 30 days.'),
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
  missing: integer.nullable().describe('Of near misses: the place of the one row they fail.'),
})

const expressionText = z
  .string({ error: 'must be an expression' })
  .max(bounds.expressionInput, { error: `must be at most ${bounds.expression} characters` })

const changed = z.object({ gained: integer, lost: integer, near: integer })

const wordDifference = z.object({
  words: z.string().describe('What the search looks for now.'),
  isExpression: z.boolean().describe('False for a list of terms, which keeps whatever the network finds.'),
  posts: changed,
  people: changed.describe('People who are known to have engaged with those posts, each once.'),
  credits: z
    .object({ from: integer, to: integer, lost: integer })
    .describe('What posts gained are expected to cost, and what posts lost have cost.'),
  creditCap: integer.describe('Credits that a run of the search spends at most.'),
  isWhole: z.boolean().describe('False when only the newest 50,000 leads were looked at.'),
  gainedPeople: z.array(comparedPerson).describe('The newest 25.'),
  lostPeople: z.array(comparedPerson),
  nearPeople: z.array(comparedPerson),
})

export const sourceDashboardOperations = [
  operation('listSourceHealth', 'GET /sources/health', {
    role: 'viewer',
    summary: 'Every source with its last run, coverage, yield and warnings; active first, newest first',
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
    summary: 'One source with its last run, coverage, yield and warnings',
    params: z.object({ id: idInPath }),
    success: z.object({ source: sourceHealth }),
    errors: ['not_found'],
  }),
  operation('listSourceNames', 'GET /sources/names', {
    role: 'viewer',
    summary: 'What the sources are called: tracked ones first, newest first, the first 2,000',
    success: z.object({
      sources: z.array(
        z.object({
          id: uuid,
          type: sourceType,
          username: z.string(),
          status: z.enum(['active', 'inactive']),
          label: z.string().describe('A person or a company by name once it is known, else as it is tracked.'),
        }),
      ),
    }),
  }),
  operation('listRuns', 'GET /sources/{id}/runs', {
    role: 'viewer',
    summary: 'Runs of a source, newest first, each with why it stopped',
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
      'Who would fit by other criteria and does not now, who would no longer, and who misses by one row: person by person; writes nothing',
    params: z.object({ id: idInPath }),
    body: z.object({ rules: filterRows(leadFilterColumns), matchMode: matchMode.default('all') }),
    success: z.object({
      people: integer.describe('People whose leads are enriched, each once.'),
      fitNow: integer,
      fitTried: integer,
      gained: integer,
      lost: integer,
      near: integer.describe('People who fail exactly one of several rows that must all match.'),
      nearBy: z.array(z.object({ row: integer, count: integer })),
      hasCriteria: z.boolean().describe('False while the source has none: nobody is judged.'),
      isWhole: z.boolean().describe('False when only the newest 50,000 leads were looked at.'),
      creditsPerFit: z
        .object({ now: z.number().nullable(), tried: z.number().nullable() })
        .describe('Credits that a person who fits costs, at the share of people who do; null: nobody does.'),
      gainedPeople: z.array(comparedByRows).describe('The newest 25.'),
      lostPeople: z.array(comparedByRows),
      nearPeople: z.array(comparedByRows),
    }),
    errors: ['not_tracked'],
  }),
  keywordOperation('parseExpression', 'POST /keyword/parse', {
    role: 'viewer',
    summary: 'Read an expression as it is typed',
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
      'Judge stored posts by an expression, or by an AI prompt with the team’s own key; nothing is changed and no credit is charged',
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
          .describe('Only posts that this search has seen; else the newest posts of the team.'),
        compareWith: z
          .guid({ error: 'must be the id of a keyword search' })
          .optional()
          .describe('Without `sourceId`: the search that the newest posts of the team are compared by.'),
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
          before: z.enum(['kept', 'discarded']).nullable().describe('How the search itself judged it.'),
          now: z.boolean().nullable().describe('Whether the words the search has keep it.'),
          engagement: integer.describe('Reactions and comments that the post declares.'),
          missesBy: textOrNull.describe('The one part of the expression that keeps it out, where all others are met.'),
        }),
      ),
      difference: wordDifference.nullable().describe('Against the search that is named, person by person.'),
    }),
    errors: ['not_found', 'credential_missing', 'credential_rejected', 'provider_unavailable'],
  }),
] as const
