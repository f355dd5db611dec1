/** The settings that a body names, in the words of the rules. */
import { settingsOf, targetingFilterNames, type Input, type OperationOf } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import type { AiFilter, RequestedSearch } from './rules/settings.ts'

type Body = Input<OperationOf<'trackKeyword'>> | Omit<Input<OperationOf<'editKeyword'>>, 'id'>

const plain = [
  'name',
  'sort',
  'datePosted',
  'contentType',
  'creditCap',
  'captureEngagers',
  'capturePostAuthors',
  'captureMode',
  'maxEngagementsPerPost',
  ...settingsOf('search'),
  'runOnce',
  'maxRuns',
  'endAt',
  ...targetingFilterNames,
] as const

/** The AI filter a body names: whole, null to clear it, undefined when it says nothing; a blank model is the provider's default. */
function requestedAiFilter({ aiProvider, aiModel, aiPrompt }: Body): AiFilter | null | undefined {
  if (typeof aiProvider === 'string' && typeof aiPrompt === 'string')
    return { provider: aiProvider, model: (aiModel ?? '').trim() || null, prompt: aiPrompt }
  return aiProvider === null || aiPrompt === null ? null : undefined
}

/** What a body names; refuses an end that is not in the future (KEY-39). */
export function requestedSettingsIn(body: Body, now: Date): RequestedSearch {
  if (body.endAt && body.endAt <= now)
    refuse('invalid_request', {}, `\`endAt\` must be in the future: ${body.endAt.toISOString()} has passed`)
  const named = Object.fromEntries(
    plain.filter((field) => body[field] !== undefined).map((field) => [field, body[field]]),
  ) as RequestedSearch
  const name = typeof named.name === 'string' ? { name: named.name.trim() } : {}
  const ai = requestedAiFilter(body)
  return { ...named, ...name, ...(ai === undefined ? {} : { ai }) }
}

/** Retired fields that a body carries, whatever their value (KEY-41, KEY-42). */
export const retiredFieldsIn = (body: Body): { ignoredFields?: string[] } =>
  Object.hasOwn(body, 'postBudget') ? { ignoredFields: ['postBudget'] } : {}
