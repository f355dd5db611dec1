/** How sources are doing, and trying a keyword search out on posts that are stored. */
import { z } from 'zod'
import { sourceMode, sourceType } from '../resources/index.ts'
import { bounds, filterRows, idInPath, isoDateTime, leadFilterColumns, matchMode, uuid } from '../values/index.ts'
import { cursorQuery, nextCursor, sessionOperation } from './operation.ts'

const coverage = z.object({ declared: z.number().int(), captured: z.number().int() })

/** What may be wrong with a source, each with words and what to do. */
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
  label: z.string().meta({ description: 'A person or a company by name once it is known, else as it is tracked.' }),
  username: z.string(),
  name: z
    .string()
    .nullable()
    .meta({ description: 'What the person or company is called, once a post of theirs was read.' }),
  avatarUrl: z.string().nullable(),
  ended: z
    .string()
    .nullable()
    .meta({ description: 'Why a tracked search runs no more, in words; null while it does.' }),
  status: z.enum(['active', 'inactive']),
  mode: sourceMode,
  raw: z.boolean().meta({ description: 'Leads are captured without enrichment.' }),
  createdAt: isoDateTime,
  nextSyncAt: isoDateTime.nullable(),
  running: z.boolean(),
  waiting: z
    .string()
    .nullable()
    .meta({ description: 'What its run, or its people, wait for, in words; null while they wait for nothing.' }),
  lastRun: z
    .object({
      syncId: uuid,
      state: z.string(),
      stoppedBy: z.string().nullable(),
      words: z.string().meta({ description: 'Why it stopped, in words.' }),
      finishedAt: isoDateTime.nullable(),
      creditsSpent: z.number().int(),
      leadRows: z.number().int(),
    })
    .nullable(),
  coverage: coverage.nullable(),
  silentDays: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Whole days since a lead, or since tracking began; null in posts-only mode.' }),
  leads: z.number().int(),
  rawLeads: z.number().int(),
  icpLeads: z.number().int(),
  hasCriteria: z.boolean().meta({ description: 'Criteria of its own, or of the team, say who fits.' }),
  pendingEnrichment: z.number().int(),
  creditsSpent: z.number().int().meta({ description: 'In the last 30 days.' }),
  warnings: z.array(sourceWarning),
})

const listSourceHealth = sessionOperation({
  id: 'listSourceHealth',
  method: 'GET',
  path: '/sources/health',
  group: 'sources',
  role: 'viewer',
  summary: 'Every source with its last run, coverage, yield and warnings; active first, newest first',
  query: z.object({
    includeInactive: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((text) => text === 'true'),
    ...cursorQuery,
  }),
  success: z.object({ sources: z.array(sourceHealth), nextCursor }),
})

const getSourceHealth = sessionOperation({
  id: 'getSourceHealth',
  method: 'GET',
  path: '/sources/{id}/health',
  group: 'sources',
  role: 'viewer',
  summary: 'One source with its last run, coverage, yield and warnings',
  params: z.object({ id: idInPath }),
  success: z.object({ source: sourceHealth }),
  errors: ['not_found'],
})

const listSourceNames = sessionOperation({
  id: 'listSourceNames',
  method: 'GET',
  path: '/sources/names',
  group: 'sources',
  role: 'viewer',
  summary: 'What the sources are called: tracked ones first, newest first, the first 2,000',
  success: z.object({
    sources: z.array(
      z.object({
        id: uuid,
        type: sourceType,
        username: z.string(),
        status: z.enum(['active', 'inactive']),
        label: z
          .string()
          .meta({ description: 'A person or a company by name once it is known, else as it is tracked.' }),
      }),
    ),
  }),
})

const listRuns = sessionOperation({
  id: 'listRuns',
  method: 'GET',
  path: '/sources/{id}/runs',
  group: 'sources',
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
        stoppedBy: z.string().nullable(),
        words: z.string(),
        creditsSpent: z.number().int(),
        leadRows: z.number().int(),
        postsTotal: z.number().int(),
        postsProcessed: z.number().int(),
        coverage: coverage.nullable(),
        createdAt: isoDateTime,
        startedAt: isoDateTime.nullable(),
        finishedAt: isoDateTime.nullable(),
      }),
    ),
    nextCursor,
  }),
  errors: ['not_found'],
})

const comparedPerson = z.object({
  leadId: uuid,
  name: z.string().nullable(),
  jobTitle: z.string().nullable(),
  company: z.string().nullable(),
  country: z.string().nullable(),
  linkedinUrl: z.string(),
})

const comparedByRows = comparedPerson.extend({
  missing: z.number().int().nullable().meta({ description: 'Of near misses: the place of the one row they fail.' }),
})

const compareCriteria = sessionOperation({
  id: 'compareCriteria',
  method: 'POST',
  path: '/sources/{id}/icp/compare',
  group: 'sources',
  role: 'viewer',
  summary:
    'Who would fit by other criteria and does not now, who would no longer, and who misses by one row: person by person; writes nothing',
  params: z.object({ id: idInPath }),
  body: z.object({ rules: filterRows(leadFilterColumns), matchMode: matchMode.default('all') }),
  success: z.object({
    people: z.number().int().meta({ description: 'People whose leads are enriched, each once.' }),
    fitNow: z.number().int(),
    fitTried: z.number().int(),
    gained: z.number().int(),
    lost: z.number().int(),
    near: z.number().int().meta({ description: 'People who fail exactly one of several rows that must all match.' }),
    nearBy: z.array(z.object({ row: z.number().int(), count: z.number().int() })),
    hasCriteria: z.boolean().meta({ description: 'False while the source has none: nobody is judged.' }),
    isWhole: z.boolean().meta({ description: 'False when only the newest 50,000 leads were looked at.' }),
    creditsPerFit: z
      .object({ now: z.number().nullable(), tried: z.number().nullable() })
      .meta({ description: 'Credits that a person who fits costs, at the share of people who do; null: nobody does.' }),
    gainedPeople: z.array(comparedByRows).meta({ description: 'The newest 25.' }),
    lostPeople: z.array(comparedByRows),
    nearPeople: z.array(comparedByRows),
  }),
  errors: ['not_tracked'],
})

const expressionText = z
  .string({ error: 'must be an expression' })
  .max(bounds.expressionInput, { error: `must be at most ${bounds.expression} characters` })

const parseExpression = sessionOperation({
  id: 'parseExpression',
  method: 'POST',
  path: '/keyword/parse',
  group: 'keywords',
  role: 'viewer',
  summary: 'Read an expression as it is typed',
  body: z.object({ expression: expressionText }),
  success: z.object({
    ok: z.boolean(),
    canonical: z.string().nullable(),
    terms: z.array(z.string()),
    warnings: z.array(z.string()),
    error: z.object({ message: z.string(), token: z.string(), position: z.number().int() }).nullable(),
  }),
})

const changed = z.object({ gained: z.number().int(), lost: z.number().int(), near: z.number().int() })

const wordDifference = z.object({
  words: z.string().meta({ description: 'What the search looks for now.' }),
  isExpression: z.boolean().meta({ description: 'False for a list of terms, which keeps whatever the network finds.' }),
  posts: changed,
  people: changed.meta({ description: 'People who are known to have engaged with those posts, each once.' }),
  credits: z
    .object({ from: z.number().int(), to: z.number().int(), lost: z.number().int() })
    .meta({ description: 'What posts gained are expected to cost, and what posts lost have cost.' }),
  creditCap: z.number().int().meta({ description: 'Credits that a run of the search spends at most.' }),
  isWhole: z.boolean().meta({ description: 'False when only the newest 50,000 leads were looked at.' }),
  gainedPeople: z.array(comparedPerson).meta({ description: 'The newest 25.' }),
  lostPeople: z.array(comparedPerson),
  nearPeople: z.array(comparedPerson),
})

const backtestKeyword = sessionOperation({
  id: 'backtestKeyword',
  method: 'POST',
  path: '/keyword/backtest',
  group: 'keywords',
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
        .meta({ description: 'Only posts that this search has seen; else the newest posts of the team.' }),
      compareWith: z
        .guid({ error: 'must be the id of a keyword search' })
        .optional()
        .meta({ description: 'Without `sourceId`: the search that the newest posts of the team are compared by.' }),
      posts: z.number().int().min(1).max(200).default(50),
    })
    .refine((body) => body.expression !== undefined || body.ai !== undefined, { error: 'needs `expression` or `ai`' }),
  success: z.object({
    considered: z.number().int(),
    kept: z.number().int(),
    posts: z.array(
      z.object({
        urn: z.string(),
        url: z.string(),
        author: z.string().nullable(),
        postedAt: isoDateTime.nullable(),
        text: z.string(),
        kept: z.boolean(),
        reason: z.string().nullable(),
        before: z.enum(['kept', 'discarded']).nullable().meta({ description: 'How the search itself judged it.' }),
        now: z.boolean().nullable().meta({ description: 'Whether the words the search has keep it.' }),
        engagement: z.number().int().meta({ description: 'Reactions and comments that the post declares.' }),
        missesBy: z
          .string()
          .nullable()
          .meta({ description: 'The one part of the expression that keeps it out, where all others are met.' }),
      }),
    ),
    difference: wordDifference.nullable().meta({ description: 'Against the search that is named, person by person.' }),
  }),
  errors: ['not_found', 'credential_missing', 'credential_rejected', 'provider_unavailable'],
})

/** The operations about sources and searches. */
export const sourceDashboardOperations = [
  listSourceHealth,
  getSourceHealth,
  listSourceNames,
  listRuns,
  compareCriteria,
  parseExpression,
  backtestKeyword,
] as const
