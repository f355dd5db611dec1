/** Keyword searches as resources (specification «Tracked source», «Keyword searches»; G59, G72). */
import type { foundPost } from '@les/contract'
import type { z } from 'zod'
import { presentPostFacts } from '../network/index.ts'
import type { Source } from '../sources/index.ts'
import type { FoundPostRow } from './found-posts.ts'
import { flatten } from './rules/changes.ts'
import type { SearchState } from './rules/settings.ts'
import type { KeywordSearch } from './store.ts'

/** All that a search is set to. */
export const stateOf = (source: Source, search: KeywordSearch): SearchState => ({
  search,
  source: source.settings,
  schedule: source.schedule,
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

const presentSchedule = ({ schedule, nextSyncAt }: Source) => ({
  runsCompleted: schedule.runsCompleted,
  maxRuns: schedule.maxRuns,
  runOnce: schedule.runOnce,
  endAt: iso(schedule.endAt),
  nextRunAt: iso(nextSyncAt),
  stoppedAt: iso(schedule.stoppedAt),
  stoppedReason: schedule.stoppedReason,
})

/** What only searches have, in lists of sources and in answers alike; `filters` only when one is set (KEY-28). */
export function presentRow(source: Source, search: KeywordSearch) {
  return {
    ...flatten(stateOf(source, search)),
    keywords: [...search.terms],
    expression: search.expression,
    config: { creditCap: search.creditCap },
    schedule: presentSchedule(source),
    ...(Object.keys(search.filters).length === 0
      ? {}
      : { filters: Object.fromEntries(Object.entries(search.filters).map(([name, values]) => [name, [...values]])) }),
  }
}

/** A post that a search has judged. */
export function presentFoundPost(row: FoundPostRow): z.input<typeof foundPost> {
  return { ...presentPostFacts(row), outcome: row.outcome, reason: row.reason, decidedAt: row.decided_at.toISOString() }
}
