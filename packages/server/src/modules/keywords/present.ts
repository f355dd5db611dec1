/** Keyword searches as resources (G59, G72), and the answer of `POST /keyword/estimate` (KEY-50..KEY-59; G65..G67, G76). */
import { aiProvider, type Answer, type foundPost, type OperationOf } from '@les/contract'
import type { z } from 'zod'
import { presentPostFacts } from '../network/index.ts'
import type { Source } from '../sources/index.ts'
import { flatten, type AiFilter } from './rules/settings.ts'
import { searchQuote } from './rules/spend.ts'
import type { FoundPostRow, KeywordSearch } from './store.ts'
import type { TrackPlan } from './tracking.ts'

/** Fields that only searches have, in lists and answers alike; `filters` only when one is set (KEY-28). */
export function presentRow({ settings, schedule, nextSyncAt }: Source, search: KeywordSearch) {
  const filters = Object.entries(search.filters).map(([name, values]) => [name, [...values]] as const)
  return {
    ...flatten({ search, source: settings, schedule }),
    keywords: [...search.terms],
    expression: search.expression,
    config: { creditCap: search.creditCap },
    schedule: { ...schedule, nextRunAt: nextSyncAt },
    ...(filters.length === 0 ? {} : { filters: Object.fromEntries(filters) }),
  }
}

/** A post that a search has judged. */
export function presentFoundPost(row: FoundPostRow): z.input<typeof foundPost> {
  return { ...presentPostFacts(row), outcome: row.outcome, reason: row.reason, decidedAt: row.decided_at }
}

type Estimate = Answer<OperationOf<'estimateKeyword'>>

/** Whether an AI decides which posts are kept, and has a key; for every answer with a search's settings (G65, G67). */
export function presentFiltering(ai: AiFilter | null, storedKeys: readonly string[]): Estimate['filtering'] {
  const aiKeyStoredFor = aiProvider.options.filter((provider) => storedKeys.includes(provider))
  if (ai === null)
    return {
      applied: false,
      suggestion:
        'Send aiProvider and aiPrompt to let an AI keep only the posts you describe, before anybody is captured and charged.',
      aiKeyStoredFor,
    }
  if (aiKeyStoredFor.includes(ai.provider)) return { applied: true, aiKeyStoredFor }
  const missing = `No key is stored for ${ai.provider}: until one is, every run ends ai_error. Store one on the dashboard.`
  return { applied: true, suggestion: missing, warning: missing, aiKeyStoredFor }
}

/** What tracking would do; `dailyCeiling`: of all searches of the team; `storedKeys`: AI providers it has keys for. */
export function presentEstimate(
  { before, state, changed }: TrackPlan,
  team: { readonly balance: number; readonly dailyCeiling: number; readonly storedKeys: readonly string[] },
): Estimate {
  const settings = flatten(state)
  return {
    ...(state.search.expression === null && state.search.terms.length > 1 ? { matchLogic: 'any' as const } : {}),
    creditCap: settings.creditCap,
    captureMode: settings.captureMode,
    datePosted: settings.datePosted,
    captureEngagers: settings.captureEngagers,
    capturePostAuthors: settings.capturePostAuthors,
    resumed: before !== null,
    ...(before === null ? {} : { previous: flatten(before) }),
    ...(changed.length === 0 ? {} : { changed: [...changed], settings }),
    ...searchQuote(state, team.balance),
    dailyCeiling: team.dailyCeiling,
    filtering: presentFiltering(state.search.ai, team.storedKeys),
  }
}
