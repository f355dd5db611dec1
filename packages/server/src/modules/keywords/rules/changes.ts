/** How two settings of a search differ (specification «Keyword searches»: `changed`; KEY-06, KEY-09, KEY-55; G78). */
import {
  pickSettings,
  settingsOf,
  targetingFilterNames,
  type searchSettings,
  type TargetingFilter,
} from '@les/contract'
import type { z } from 'zod'
import { defaultModels } from '../../../providers/ai/port.ts'
import type { SearchState } from './settings.ts'

/** All settings of a search side by side, as answers carry them. */
export type FlatSettings = z.input<typeof searchSettings>

/** A setting that differs. */
export type Change = { readonly field: string; readonly from: unknown; readonly to: unknown }

/**
 * The settings side by side; a posts-only search has no capture targets (C21), and a model that was not named is the
 * default one in force (AIF-03).
 */
export function flatten({ search, source, schedule }: SearchState): FlatSettings {
  const captures = source.mode === 'engagers'
  return {
    name: search.name,
    ...pickSettings(source, settingsOf('search')),
    sort: search.sort,
    datePosted: search.datePosted,
    contentType: search.contentType,
    ...(Object.fromEntries(targetingFilterNames.map((name) => [name, [...(search.filters[name] ?? [])]])) as Record<
      TargetingFilter,
      string[]
    >),
    aiProvider: search.ai?.provider ?? null,
    aiModel: search.ai === null ? null : (search.ai.model ?? defaultModels[search.ai.provider]),
    aiPrompt: search.ai?.prompt ?? null,
    creditCap: search.creditCap,
    captureEngagers: captures ? search.captureEngagers : null,
    capturePostAuthors: captures ? search.capturePostAuthors : null,
    captureMode: search.captureMode,
    maxEngagementsPerPost: search.maxEngagementsPerPost,
    runOnce: schedule.runOnce,
    endAt: schedule.endAt?.toISOString() ?? null,
    maxRuns: schedule.maxRuns,
  }
}

/** A value as it is compared: the values of a filter in any order, each once. */
const comparable = (value: unknown): string => JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : value)

/** The settings that differ, in the order they are listed. */
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

/** Those of the changes that rewrite what the search looks for, which a resume must acknowledge. */
export const rewritesAmong = (changes: readonly Change[]): Change[] =>
  changes.filter(({ field }) => rewriting.includes(field))
