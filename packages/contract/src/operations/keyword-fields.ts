/** Fields of keyword searches and the rules of one request (specification «Keyword searches»; KEY-10..KEY-47, AIF-01..AIF-07). */
import { z } from 'zod'
import { initialEnd, initialSearch, judgePostsPerSync, sentSettings } from '../resources/index.ts'
import {
  aiProvider,
  unwrapId,
  signedWordIn,
  signRefusal,
  bounds,
  captureMode,
  contractVersions,
  datePosted,
  flag,
  instant,
  refuserOf,
  searchContentType,
  searchSort,
  expectedValue,
  targetingFilterNames,
  targetingValues,
  wholeNumber,
  wholeNumberOrNull,
  type TargetingFilter,
  type ContractVersion,
} from '../values/index.ts'

/** `shownMax` is the limit named in the refusal when the schema accepts more than a caller should send. */
const text = (max: number, shownMax = max) =>
  z.string({ error: `must be text of 1 to ${shownMax} characters` }).max(max)
const filled = (max: number, shownMax = max) =>
  text(max, shownMax).refine((value) => value.trim() !== '', { error: 'must not be blank' })

/** Values become bare ids without duplicates; a value that is not an id is refused as `invalid_urn`. */
function targeting(filter: TargetingFilter) {
  return targetingValues
    .transform((values, context) => {
      const ids = values.map((value, index) => {
        const id = unwrapId(filter, value)
        const signed = filter === 'authorKeyword' ? signedWordIn(value) : null
        if (signed !== null)
          context.addIssue({ code: 'custom', path: [index], message: signRefusal(signed, 'a value of it') })
        if (id === null)
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `must be ${expectedValue(filter)}`,
            params: { refusal: filter === 'authorKeyword' ? 'invalid_request' : 'invalid_urn' },
          })
        return id ?? ''
      })
      return [...new Set(ids)]
    })
    .meta({
      description: `Each value: ${expectedValue(filter)}.`,
      openapi: {
        type: 'array',
        maxItems: bounds.targetingValues,
        items: { type: 'string', maxLength: bounds.targetingText },
      },
    })
}

const targetingFields = Object.fromEntries(targetingFilterNames.map((name) => [name, targeting(name).optional()])) as {
  [K in TargetingFilter]: z.ZodOptional<ReturnType<typeof targeting>>
}

/** Settings that create, resume and edit take alike. */
const settings = {
  ...sentSettings('search'),
  sort: searchSort.optional().describe(`Default ${initialSearch.sort}; stored, but runs currently use relevance.`),
  datePosted: datePosted.optional().describe(`Default ${initialSearch.datePosted}.`),
  ...targetingFields,
  creditCap: wholeNumber(bounds.creditCap)
    .optional()
    .describe(`Credits one run may spend; default ${initialSearch.creditCap}.`),
  captureEngagers: flag
    .optional()
    .describe(
      `Default ${initialSearch.captureEngagers}; false needs capturePostAuthors: true; refused with posts_only.`,
    ),
  capturePostAuthors: flag.optional().describe(`Default ${initialSearch.capturePostAuthors}; refused with posts_only.`),
  captureMode: captureMode.optional().describe(`Default ${initialSearch.captureMode}.`),
  runOnce: flag.optional().describe(`Default ${initialEnd.runOnce}; the same as maxRuns: 1.`),
  endAt: z
    .union([instant, z.null()], { error: 'must be an ISO 8601 date-time in the future, or null' })
    .optional()
    .describe('No run starts after this instant, which must be in the future; null = no end.'),
  maxRuns: wholeNumberOrNull(bounds.maxRuns, 'no limit')
    .optional()
    .describe('Number of counted runs after which the search stops; null = no limit.'),
  postBudget: z
    .unknown()
    .optional()
    .meta({ description: 'Retired: accepted, ignored and listed in ignoredFields.', deprecated: true }),
}

const modelText = text(bounds.aiModel)
const promptText = filled(bounds.aiPrompt)

type Combined = { mode?: string | undefined; captureMode?: string | undefined } & {
  [K in
    | 'postsPerSync'
    | 'captureEngagers'
    | 'capturePostAuthors'
    | 'maxEngagementsPerPost'
    | 'runOnce'
    | 'maxRuns']?: unknown
}

/** Invalid combinations whatever settings are stored. */
function judgeCombination(body: Combined, context: z.RefinementCtx): void {
  const refuse = refuserOf(context)
  // Without a mode, the stored one decides.
  if (body.mode !== undefined) judgePostsPerSync(body, context)
  if (body.mode === 'posts_only')
    for (const field of ['captureEngagers', 'capturePostAuthors'] as const)
      if (body[field] !== undefined) refuse(field, 'cannot be combined with mode posts_only, which captures nobody')
  if (body.captureMode === 'depth' && (body.maxEngagementsPerPost ?? null) !== null)
    refuse('maxEngagementsPerPost', 'is only allowed with captureMode: breadth')
  if (body.runOnce === true && body.maxRuns !== undefined && body.maxRuns !== 1)
    refuse('maxRuns', 'must be 1 or left out with runOnce: true')
}

/** Create or resume: provider and prompt come together, a model only with a provider. */
function judgeAi(
  body: { aiProvider?: unknown; aiModel?: string | undefined; aiPrompt?: unknown },
  context: z.RefinementCtx,
): void {
  const refuse = refuserOf(context)
  if (body.aiProvider !== undefined && body.aiPrompt === undefined) refuse('aiPrompt', 'is required with `aiProvider`')
  if (body.aiProvider === undefined && body.aiPrompt !== undefined) refuse('aiPrompt', 'needs `aiProvider`')
  if (body.aiProvider === undefined && (body.aiModel ?? '').trim() !== '') refuse('aiModel', 'needs `aiProvider`')
}

const contractVersion = z
  .unknown()
  .transform((value, context): ContractVersion => {
    const version = Object.values(contractVersions).find((one) => one === value)
    if (version !== undefined) return version
    context.addIssue({
      code: 'custom',
      message: `must be ${contractVersions.spend} (the spend contract) or ${contractVersions.older}`,
      params: { refusal: 'invalid_contract_version' },
    })
    return z.NEVER
  })
  .meta({ openapi: { type: 'string', enum: Object.values(contractVersions) } })

/** The body of `POST /keyword/track` and `POST /keyword/estimate`. */
export const searchBody = z
  .object({
    keywords: z
      .array(text(bounds.keywordTerm), {
        error: `must be a list of ${bounds.keywords.min} to ${bounds.keywords.max} terms`,
      })
      .min(bounds.keywords.min)
      .max(bounds.keywords.max)
      .optional()
      .describe(
        'Distinct search terms. Each term is one provider call per run. A term in double quotes is an exact ' +
          'phrase. A term with AND, OR or NOT in capitals is refused: use expression. Send exactly one of ' +
          'keywords, keyword and expression.',
      ),
    keyword: filled(bounds.keywordTerm).optional().describe('Same as keywords with a single term.'),
    expression: filled(bounds.expressionInput, bounds.expression)
      .optional()
      .meta({
        description:
          'Terms joined by AND, OR and NOT in upper case; NOT binds tighter than AND, AND tighter than OR; no ' +
          'parentheses; adjacent terms mean OR; NOT must follow AND or OR, or begin the expression; double ' +
          'quotes make a phrase. At most 1000 characters, not counting the parentheses and the OR between ' +
          'adjacent terms that the canonical form adds.',
        openapi: { type: 'string', minLength: 1, maxLength: bounds.expressionInput },
      }),
    name: filled(bounds.searchName).optional().describe('A label; does not identify the search.'),
    ...settings,
    contentType: searchContentType.optional(),
    aiProvider: aiProvider
      .optional()
      .describe('AI vendor whose model decides which posts to keep; store its key on the dashboard.'),
    aiModel: modelText.optional().describe("Blank or omitted: the provider's default model."),
    aiPrompt: promptText.optional().describe('Describes which posts to keep. Required with aiProvider.'),
    maxEngagementsPerPost: wholeNumber(bounds.maxEngagementsPerPost)
      .optional()
      .describe('Only with captureMode breadth; never raises creditCap.'),
    confirmChanges: flag
      .optional()
      .describe(
        'Confirms that the resume may change a targeting filter, sort, datePosted, contentType or the AI filter.',
      ),
    confirmSpend: flag
      .optional()
      .describe(`Confirms the spending of the search; required by contract version ${contractVersions.spend}.`),
    contractVersion: contractVersion
      .optional()
      .describe(
        `Omitted: ${contractVersions.older} before the cut-over to ${contractVersions.spend}, ` +
          `${contractVersions.spend} from the cut-over on.`,
      ),
  })
  .superRefine((body, context) => {
    const named = (['keywords', 'keyword', 'expression'] as const).filter((field) => body[field] !== undefined)
    if (named.length === 0) context.addIssue({ code: 'custom', message: 'needs `keywords` or `expression`' })
    if (named.length > 1)
      context.addIssue({
        code: 'custom',
        message:
          'must have only one of `keywords`, `keyword` and `expression`: ' +
          `it has ${named.map((field) => `\`${field}\``).join(' and ')}`,
      })
    judgeCombination(body, context)
    judgeAi(body, context)
  })

const orNull = <T extends z.ZodType>(schema: T, error: string) => z.union([schema, z.null()], { error })

/** Fields an edit can change; `confirmSpend` and the retired field are not settings. */
const editable = [
  'name',
  ...Object.keys(settings).filter((field) => field !== 'postBudget'),
  'contentType',
  'aiProvider',
  'aiModel',
  'aiPrompt',
  'maxEngagementsPerPost',
] as const

/** Edit: the AI filter is set as a whole, or cleared by null (KEY-63, KEY-64). */
function judgeAiEdit(
  body: {
    aiProvider?: string | null | undefined
    aiModel?: string | null | undefined
    aiPrompt?: string | null | undefined
  },
  context: z.RefinementCtx,
): void {
  const refuse = refuserOf(context)
  const { aiProvider: provider, aiPrompt: prompt, aiModel: model } = body
  if (provider === undefined && prompt === undefined && model === undefined) return
  const [hasProvider, hasPrompt] = [(provider ?? null) !== null, (prompt ?? null) !== null]
  const isNulled = provider === null || prompt === null
  if (isNulled && !hasProvider && !hasPrompt && (model ?? '').trim() === '') return
  const together = 'the AI filter is rewritten together, or cleared with null'
  if (!hasProvider) refuse('aiProvider', `is required with \`aiModel\` and \`aiPrompt\`: ${together}`)
  else if (!hasPrompt) refuse('aiPrompt', `is required with \`aiProvider\`: ${together}`)
}

const createOnly = 'cannot be edited: what a search looks for is what identifies it; track another search instead'

export const notEditable = { keywords: createOnly, keyword: createOnly, expression: createOnly } as const

export const searchEditBody = z
  .object({
    ...settings,
    name: orNull(
      filled(bounds.searchName),
      `must be text of 1 to ${bounds.searchName} characters, not blank, or null to clear it`,
    )
      .optional()
      .describe('Null clears it.'),
    contentType: orNull(
      searchContentType,
      'must be VIDEO, IMAGE, JOB, LIVE_VIDEO, DOCUMENT or COLLABORATIVE_ARTICLE, or null to clear it',
    )
      .optional()
      .describe('Null clears it.'),
    aiProvider: orNull(aiProvider, 'must be openai, anthropic, google or mistral, or null to clear the AI filter')
      .optional()
      .describe('With aiPrompt; null clears the AI filter.'),
    aiModel: orNull(modelText, `must be text of at most ${bounds.aiModel} characters, or null`)
      .optional()
      .describe("Blank, null or omitted: the provider's default model."),
    aiPrompt: orNull(
      promptText,
      `must be text of 1 to ${bounds.aiPrompt} characters, not blank, or null to clear the AI filter`,
    )
      .optional()
      .describe('Describes which posts to keep; null clears the AI filter.'),
    maxEngagementsPerPost: wholeNumberOrNull(bounds.maxEngagementsPerPost, 'no limit')
      .optional()
      .describe('Only with captureMode breadth; null clears it.'),
    confirmSpend: flag.optional().describe('Confirms an edit that may spend more.'),
  })
  .superRefine((body, context) => {
    judgeCombination(body, context)
    judgeAiEdit(body, context)
    if (editable.every((field) => (body as Record<string, unknown>)[field] === undefined))
      context.addIssue({ code: 'custom', message: 'must name at least one setting to change, for example `creditCap`' })
  })
