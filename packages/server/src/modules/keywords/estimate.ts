/** What `POST /keyword/estimate` answers (specification «Keyword searches»; KEY-50..KEY-59; G65..G67, G76). */
import type { aiProvider, Answer, OperationOf } from '@les/contract'
import type { z } from 'zod'
import { flatten } from './rules/changes.ts'
import { searchQuote } from './rules/figures.ts'
import type { AiFilter } from './rules/settings.ts'
import type { TrackDecision } from './rules/track.ts'

type Estimate = Answer<OperationOf<'estimateKeyword'>>
type AiProvider = z.output<typeof aiProvider>

/** How the team stands: credits to spend, credits its searches may spend a day, providers whose key it has stored. */
export type EstimateStanding = {
  readonly balance: number
  readonly dailyCeiling: number
  readonly storedKeys: readonly string[]
}

const isAiProvider = (kind: string): kind is AiProvider => ['openai', 'anthropic', 'google', 'mistral'].includes(kind)

/** Whether an AI decides which posts are kept, and whether it can: for every answer that says what a search is set to (G65, G67). */
export function presentFiltering(ai: AiFilter | null, storedKeys: readonly string[]): Estimate['filtering'] {
  const aiKeyStoredFor = storedKeys.filter(isAiProvider)
  if (ai === null)
    return {
      applied: false,
      suggestion:
        'Send aiProvider and aiPrompt to let an AI keep only the posts you describe, before anybody is captured and charged.',
      aiKeyStoredFor,
    }
  if (aiKeyStoredFor.includes(ai.provider)) return { applied: true, aiKeyStoredFor }
  return {
    applied: true,
    warning: `No key is stored for ${ai.provider}: until one is, every run ends ai_error. Store one on the dashboard.`,
    aiKeyStoredFor,
  }
}

/** An estimate of what tracking would come to. */
export function presentEstimate(
  decision: Extract<TrackDecision, { kind: 'track' }>,
  standing: EstimateStanding,
): Estimate {
  const { before, state, changed } = decision
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
    ...(changed.length === 0 ? {} : { changed, settings }),
    ...searchQuote(state, standing.balance),
    dailyCeiling: standing.dailyCeiling,
    filtering: presentFiltering(state.search.ai, standing.storedKeys),
  }
}
