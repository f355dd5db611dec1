/**
 * What a keyword search is set to, and how named settings go over the present ones (specification «Keyword searches»;
 * KEY-16..KEY-38, KEY-62..KEY-64, KEY-71).
 */
import {
  bounds,
  initialSearch,
  initialSettings,
  pickSettings,
  settingsOf,
  targetingFilterNames,
  type aiProvider,
  type captureMode,
  type datePosted,
  type searchContentType,
  type searchSort,
  type SettingOf,
  type SourceSettings,
  type TargetingFilters,
} from '@les/contract'
import type { z } from 'zod'
import { endlessSchedule, type Schedule } from '../../sources/rules/schedule.ts'
import { applyRequested } from '../../sources/rules/settings.ts'
import { decideSchedule } from './schedule.ts'

/** The AI filter of a search; `model` null is the provider's default. */
export type AiFilter = {
  readonly provider: z.output<typeof aiProvider>
  readonly model: string | null
  readonly prompt: string
}

/**
 * What a search looks for, and what bounds its runs; mode, posts per run, replies and raw mode stand on its source,
 * which has the same id.
 */
export type SearchSettings = {
  /** A label only (KEY-03). */
  readonly name: string | null
  /** One provider call each; a quoted phrase keeps its quotes. */
  readonly terms: readonly string[]
  /** In canonical form; null for a plain list of terms. */
  readonly expression: string | null
  readonly sort: z.output<typeof searchSort>
  readonly datePosted: z.output<typeof datePosted>
  readonly contentType: z.output<typeof searchContentType> | null
  /** Bare ids; only filters that are set. */
  readonly filters: TargetingFilters
  readonly ai: AiFilter | null
  /** Credits one run may spend. */
  readonly creditCap: number
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  readonly captureMode: z.output<typeof captureMode>
  /** Breadth only; null = no limit. */
  readonly maxEngagementsPerPost: number | null
}

/** All that a search is set to. */
export type SearchState = {
  readonly search: SearchSettings
  readonly source: SourceSettings
  readonly schedule: Schedule
}

type Named<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The settings a request names; what it does not name stays, null clears. An AI filter is named whole or not at all. */
export type RequestedSearch = Named<TargetingFilters> &
  Named<
    Pick<
      SearchSettings,
      | 'name'
      | 'sort'
      | 'datePosted'
      | 'contentType'
      | 'creditCap'
      | 'captureEngagers'
      | 'capturePostAuthors'
      | 'captureMode'
      | 'maxEngagementsPerPost'
    >
  > &
  Named<Pick<SourceSettings, SettingOf<'search'>>> &
  Named<Pick<Schedule, 'runOnce' | 'maxRuns' | 'endAt'>> & { readonly ai?: AiFilter | null | undefined }

/** A search of these terms about which nobody has said anything else. */
export const freshState = (subject: Pick<SearchSettings, 'terms' | 'expression'>): SearchState => ({
  search: {
    ...subject,
    ...initialSearch,
    filters: {},
    ai: null,
  },
  source: initialSettings,
  schedule: endlessSchedule,
})

/** The settings after a request, or the combination of them that cannot be (G3: judged on the result). */
export type Merged =
  | { readonly ok: true; readonly state: SearchState }
  | { readonly ok: false; readonly kind: 'no_capture_target' }
  | { readonly ok: false; readonly kind: 'invalid'; readonly message: string }

const invalid = (message: string): Merged => ({ ok: false, kind: 'invalid', message })

/** Settings that a request gives although the mode it leaves the search in has no use for them. */
function misplaced(state: SearchState, named: RequestedSearch): string | null {
  const mode = named.mode ?? state.source.mode
  if (mode === 'posts_only') {
    const field = (['captureEngagers', 'capturePostAuthors'] as const).find((each) => named[each] !== undefined)
    if (field) return `\`${field}\` cannot be combined with mode posts_only, which captures nobody`
    if ((named.postsPerSync ?? state.source.postsPerSync) === null)
      return (
        `\`postsPerSync\` is required with mode posts_only: a whole number from ${bounds.postsPerSync.min} ` +
        `to ${bounds.postsPerSync.max}`
      )
  } else if (named.postsPerSync !== undefined) return '`postsPerSync` is only allowed with mode: posts_only'
  if ((named.captureMode ?? state.search.captureMode) === 'depth' && (named.maxEngagementsPerPost ?? null) !== null)
    return '`maxEngagementsPerPost` is only allowed with captureMode: breadth'
  return null
}

function filtersAfter(present: TargetingFilters, named: RequestedSearch): TargetingFilters {
  const after = targetingFilterNames.map((name) => [name, named[name] ?? present[name] ?? []] as const)
  return Object.fromEntries(after.filter(([, values]) => values.length > 0))
}

/**
 * The settings after a request: named ones over the present ones. Posts-only has no capture targets, engagers no posts
 * per run, depth no limit per post.
 */
export function mergeSettings(state: SearchState, named: RequestedSearch, now: Date): Merged {
  const fault = misplaced(state, named)
  if (fault !== null) return invalid(fault)
  const { search, source } = state
  const mode = named.mode ?? source.mode
  const captureEngagers = mode === 'posts_only' || (named.captureEngagers ?? search.captureEngagers)
  const capturePostAuthors = mode === 'engagers' && (named.capturePostAuthors ?? search.capturePostAuthors)
  if (!captureEngagers && !capturePostAuthors) return { ok: false, kind: 'no_capture_target' }
  const captureMode = named.captureMode ?? search.captureMode
  const or = <T>(value: T | undefined, present: T): T => (value === undefined ? present : value)
  return {
    ok: true,
    state: {
      search: {
        ...search,
        name: or(named.name, search.name),
        sort: named.sort ?? search.sort,
        datePosted: named.datePosted ?? search.datePosted,
        contentType: or(named.contentType, search.contentType),
        filters: filtersAfter(search.filters, named),
        ai: or(named.ai, search.ai),
        creditCap: named.creditCap ?? search.creditCap,
        captureEngagers,
        capturePostAuthors,
        captureMode,
        maxEngagementsPerPost:
          captureMode === 'depth' ? null : or(named.maxEngagementsPerPost, search.maxEngagementsPerPost),
      },
      source: applyRequested(source, pickSettings(named, settingsOf('search'))),
      schedule: decideSchedule(state.schedule, named, now),
    },
  }
}
