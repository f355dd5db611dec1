import { z } from 'zod'
import {
  aiProvider,
  bounds,
  captureMode,
  datePosted,
  integer,
  isoDateTime,
  named,
  searchContentType,
  searchSort,
  type TargetingFilter,
  targetingFilterNames,
  textOrNull,
  uuid,
} from '../values/index.ts'
import { pageFields } from './common.ts'
import { postRow } from './post.ts'
import { settingsOf, shownSettings, type SettingOf } from './source-settings.ts'

const eachFilter = <T extends z.ZodType>(schema: T) =>
  Object.fromEntries(targetingFilterNames.map((name) => [name, schema])) as { [K in TargetingFilter]: T }

/** Bare ids of the filters that are set; present when at least one is. */
const searchFilters = z.object(eachFilter(z.array(z.string()).optional())).meta({ id: 'SearchFilters' })

/** When a search runs next, and what ends it (G72). */
const searchSchedule = named('SearchSchedule', {
  runsCompleted: integer.describe(
    'Runs that count towards maxRuns: runs that ended with exhausted, credits, post_limit, team_cap or lead_cap.',
  ),
  maxRuns: integer.nullable(),
  runOnce: z.boolean(),
  endAt: isoDateTime.nullable(),
  nextRunAt: isoDateTime.nullable(),
  stoppedAt: isoDateTime.nullable(),
  stoppedReason: z.enum(['max_runs', 'run_once', 'end_at']).nullable(),
})

export const searchSettings = z.object({
  name: textOrNull.describe('A label only.'),
  ...shownSettings(settingsOf('search')),
  sort: searchSort,
  datePosted,
  contentType: searchContentType.nullable(),
  ...eachFilter(z.array(z.string())),
  aiProvider: aiProvider.nullable(),
  aiModel: textOrNull.describe("Null: the provider's default model."),
  aiPrompt: textOrNull,
  creditCap: integer.describe('Credits one run may spend.'),
  captureEngagers: z.boolean().nullable().describe('Null for posts-only.'),
  capturePostAuthors: z.boolean().nullable().describe('Null for posts-only.'),
  captureMode,
  maxEngagementsPerPost: integer.nullable(),
  runOnce: z.boolean(),
  endAt: isoDateTime.nullable(),
  maxRuns: integer.nullable(),
})

type SearchSettings = z.output<typeof searchSettings>

/** Defaults of a search (specification «Keyword searches»), except targeting, AI filter, end and `initialSettings`. */
export const initialSearch = {
  name: null,
  sort: 'DATE_POSTED',
  datePosted: 'PAST_WEEK',
  contentType: null,
  creditCap: bounds.creditCap.default,
  captureEngagers: true,
  capturePostAuthors: false,
  captureMode: 'depth',
  maxEngagementsPerPost: null,
} as const satisfies Partial<SearchSettings>

export const initialTargeting = Object.fromEntries(targetingFilterNames.map((name) => [name, [] as const])) as {
  readonly [K in TargetingFilter]: readonly []
}

export const initialEnd = { runOnce: false, endAt: null, maxRuns: null } as const satisfies Partial<SearchSettings>

/** Fields a request must name under the spend contract, even at their defaults (KEY-46; G69). */
export const spendScope = [
  'creditCap',
  'captureMode',
  'datePosted',
] as const satisfies readonly (keyof SearchSettings)[]

/** Fields of a source row that only keyword searches have. */
export const searchRow = searchSettings
  .omit(Object.fromEntries(settingsOf('search').map((name) => [name, true])) as Record<SettingOf<'search'>, true>)
  .extend({
    keywords: z.array(z.string()),
    expression: textOrNull,
    config: z.object({ creditCap: integer }),
    filters: searchFilters,
    schedule: searchSchedule,
  })
  .partial()

export const settingChange = z
  .object({ field: z.string(), from: z.unknown(), to: z.unknown() })
  .meta({ id: 'SettingChange' })

export const wholeSettings = searchSettings.meta({ id: 'SearchSettings' })

/** A keyword search (G59). */
export const keywordSearch = searchSettings.extend({
  id: uuid,
  sourceId: uuid,
  type: z.literal('keyword'),
  username: z.string().describe('The search terms, joined.'),
  status: z.enum(['active', 'inactive']),
  keywords: z.array(z.string()).describe('One provider call each.'),
  expression: textOrNull.describe('The expression in canonical form; you can send it back unchanged.'),
  filters: searchFilters.optional(),
  config: z.object({ creditCap: integer }),
  schedule: searchSchedule,
  seenPosts: integer.describe("Posts that the search's runs have checked."),
  syncId: uuid.nullable().describe('The queued or current run.'),
})

/** A post found by a search, and whether it was kept (G79). */
export const foundPost = named('FoundPost', {
  postUrn: z.string(),
  url: textOrNull,
  ...postRow,
  outcome: z.enum(['kept', 'discarded']),
  reason: textOrNull,
  decidedAt: isoDateTime,
})

export const foundPostPage = named('FoundPostPage', {
  sourceId: uuid,
  posts: z.array(foundPost),
  ...pageFields,
})
