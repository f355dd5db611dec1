/**
 * A search's settings: named ones over the present ones, differences, and answers (KEY-03..KEY-09, KEY-16..KEY-38, KEY-55,
 * KEY-62..KEY-64, KEY-71; C21; G72, G73, G78). Settings without a rule of their own are in the contract.
 */
import {
  bounds,
  initialEnd,
  initialSearch,
  initialSettings,
  pickSettings,
  settingsOf,
  targetingFilterNames,
  type Input,
  type OperationOf,
  type searchSettings,
  type SettingOf,
  type SourceSettings,
  type TargetingFilters,
} from '@les/contract'
import type { z } from 'zod'
import { defaultModels } from '../../../providers/ai/port.ts'
import { endlessSchedule, stopReason, type Schedule } from '../../sources/rules/schedule.ts'
import { applyRequested } from '../../sources/rules/settings.ts'

type FlatSettings = z.input<typeof searchSettings>

/** The AI filter of a search; `model` null is the provider's default. */
export type AiFilter = {
  readonly provider: NonNullable<FlatSettings['aiProvider']>
  readonly model: string | null
  readonly prompt: string
}

/** What a search looks for and what bounds its runs; settings shared with other kinds of sources are on its source. */
export type SearchSettings = Readonly<
  Omit<Pick<FlatSettings, keyof typeof initialSearch>, 'captureEngagers' | 'capturePostAuthors'>
> & {
  /** One provider call each; a quoted phrase keeps its quotes. */
  readonly terms: readonly string[]
  /** Canonical form; null for a plain list of terms. */
  readonly expression: string | null
  /** Bare ids; only filters that are set. */
  readonly filters: TargetingFilters
  readonly ai: AiFilter | null
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
}

export type SearchState = {
  readonly search: SearchSettings
  readonly source: SourceSettings
  readonly schedule: Schedule
}

type Named<T> = { readonly [K in keyof T]?: T[K] | undefined }

type NamedEnd = Named<Pick<Schedule, keyof typeof initialEnd>>

/** The settings a request names; others stay, null clears. An AI filter is named whole or not at all. */
export type RequestedSearch = Named<TargetingFilters> &
  Named<Pick<SearchSettings, keyof typeof initialSearch | 'ai'>> &
  Named<Pick<SourceSettings, SettingOf<'search'>>> &
  NamedEnd

const searchNames = Object.keys(initialSearch) as (keyof typeof initialSearch)[]
const endNames = Object.keys(initialEnd) as (keyof typeof initialEnd)[]

const pickNamed = <T extends object, K extends keyof T>(from: T, fields: readonly K[]): Partial<Pick<T, K>> =>
  Object.fromEntries(
    fields.filter((field) => from[field] !== undefined).map((field) => [field, from[field]]),
  ) as Partial<Pick<T, K>>

type Body = Input<OperationOf<'trackKeyword'>> | Omit<Input<OperationOf<'editKeyword'>>, 'id'>

/** The settings a body names; an AI filter with a missing or blank model uses the provider's default. */
export function requestedIn(body: Body): RequestedSearch {
  const { aiProvider, aiModel, aiPrompt } = body
  const named = pickNamed(body, [...searchNames, ...settingsOf('search'), ...endNames, ...targetingFilterNames])
  const name = typeof body.name === 'string' ? { name: body.name.trim() } : {}
  if (typeof aiProvider === 'string' && typeof aiPrompt === 'string')
    return { ...named, ...name, ai: { provider: aiProvider, model: (aiModel ?? '').trim() || null, prompt: aiPrompt } }
  return { ...named, ...name, ...(aiProvider === null || aiPrompt === null ? { ai: null } : {}) }
}

/** The people and pages whose posts, or posts about whom, a request looks for. */
export const targetsOf = (named: RequestedSearch): readonly string[] =>
  targetingFilterNames.flatMap((filter) => named[filter] ?? [])

/** A search of these terms with default settings. */
export const freshState = (subject: Pick<SearchSettings, 'terms' | 'expression'>): SearchState => ({
  search: { ...subject, ...initialSearch, filters: {}, ai: null },
  source: initialSettings,
  schedule: endlessSchedule,
})

/** Settings that exclude each other (G3: judged on the result). */
type SettingsFault =
  | { readonly ok: false; readonly kind: 'no_capture_target' }
  | { readonly ok: false; readonly kind: 'invalid'; readonly message: string }

/** A setting that the resulting mode has no use for, as a message; null when there is none. */
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

/** Named settings over the present ones; posts-only clears capture targets, engagers posts per run, depth the limit per post. */
export function mergeSettings(
  { search, source, schedule }: SearchState,
  named: RequestedSearch,
  now: Date,
): { readonly ok: true; readonly state: SearchState } | SettingsFault {
  const fault = misplaced({ search, source, schedule }, named)
  if (fault !== null) return { ok: false, kind: 'invalid', message: fault }
  const merged = { ...search, ...pickNamed(named, [...searchNames, 'ai']) } as SearchSettings
  const mode = named.mode ?? source.mode
  const captureEngagers = mode === 'posts_only' || merged.captureEngagers
  const capturePostAuthors = mode === 'engagers' && merged.capturePostAuthors
  if (!captureEngagers && !capturePostAuthors) return { ok: false, kind: 'no_capture_target' }
  const filters = { ...search.filters, ...pickNamed(named, targetingFilterNames) } as TargetingFilters
  return {
    ok: true,
    state: {
      search: {
        ...merged,
        filters: Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0)),
        captureEngagers,
        capturePostAuthors,
        maxEngagementsPerPost: merged.captureMode === 'depth' ? null : merged.maxEngagementsPerPost,
      },
      source: applyRequested(source, pickSettings(named, settingsOf('search'))),
      schedule: decideSchedule(schedule, named, now),
    },
  }
}

/** `runOnce: true` is one counted run; `runOnce: false` alone lifts the limit only when that was one run (G73). */
function limitsAfter(present: Schedule, { runOnce, maxRuns }: NamedEnd): Pick<Schedule, 'maxRuns' | 'runOnce'> {
  if (runOnce === true) return { runOnce, maxRuns: 1 }
  if (maxRuns !== undefined) return { runOnce: runOnce === undefined && maxRuns === 1 && present.runOnce, maxRuns }
  if (runOnce === false) return { runOnce, maxRuns: present.maxRuns === 1 ? null : present.maxRuns }
  return present
}

const stillHolds = (schedule: Schedule, now: Date): boolean =>
  schedule.stoppedReason === 'end_at'
    ? schedule.endAt !== null && schedule.endAt <= now
    : schedule.stoppedReason !== null && schedule.maxRuns !== null && schedule.runsCompleted >= schedule.maxRuns

/**
 * The schedule after a request (KRN-20..KRN-22). A stop is lifted only when no limit holds; otherwise it keeps its instant, and
 * its reason while that still holds.
 */
export function decideSchedule(present: Schedule, named: NamedEnd, now: Date): Schedule {
  const { maxRuns, runOnce } = limitsAfter(present, named)
  const next = { ...present, maxRuns, runOnce, endAt: named.endAt === undefined ? present.endAt : named.endAt }
  const reason = stopReason(next, now)
  if (reason === null) return { ...next, stoppedAt: null, stoppedReason: null }
  if (present.stoppedAt === null) return { ...next, stoppedAt: now, stoppedReason: reason }
  return { ...next, stoppedReason: stillHolds(next, now) ? present.stoppedReason : reason }
}

/** The schedule of a search tracked again: runs are counted anew; an end that has passed still holds. */
export const revivedSchedule = (present: Schedule): Schedule => ({
  ...present,
  runsCompleted: 0,
  stoppedAt: null,
  stoppedReason: null,
})

/** The settings in one object; a posts-only search has no capture targets, an unnamed model is the default (AIF-03). */
export function flatten({ search, source, schedule }: SearchState): FlatSettings {
  const { name, sort, datePosted, contentType, filters, ai, creditCap, captureMode, maxEngagementsPerPost } = search
  const captures = source.mode === 'engagers'
  return {
    name,
    ...pickSettings(source, settingsOf('search')),
    sort,
    datePosted,
    contentType,
    ...(Object.fromEntries(targetingFilterNames.map((filter) => [filter, [...(filters[filter] ?? [])]])) as Pick<
      FlatSettings,
      keyof TargetingFilters
    >),
    aiProvider: ai?.provider ?? null,
    aiModel: ai === null ? null : (ai.model ?? defaultModels[ai.provider]),
    aiPrompt: ai?.prompt ?? null,
    creditCap,
    captureEngagers: captures ? search.captureEngagers : null,
    capturePostAuthors: captures ? search.capturePostAuthors : null,
    captureMode,
    maxEngagementsPerPost,
    runOnce: schedule.runOnce,
    endAt: schedule.endAt?.toISOString() ?? null,
    maxRuns: schedule.maxRuns,
  }
}

export type Change = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** Filter values compare in any order, each once. */
const comparable = (value: unknown): string => JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : value)

/** The settings that differ, in listing order. */
export function changesBetween(before: SearchState, after: SearchState): Change[] {
  const [from, to] = [flatten(before), flatten(after)]
  return (Object.keys(from) as (keyof FlatSettings)[])
    .filter((field) => comparable(from[field]) !== comparable(to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }))
}

const rewriting: readonly string[] = [
  ...targetingFilterNames,
  'sort',
  'datePosted',
  'contentType',
  'aiProvider',
  'aiModel',
  'aiPrompt',
]

/** Changes of what the search looks for, which a resume must acknowledge. */
export const rewritesAmong = (changes: readonly Change[]): Change[] =>
  changes.filter(({ field }) => rewriting.includes(field))
