/**
 * What tracking or editing a search may spend, and the confirmation it needs: which contract holds (VER-03..VER-09; G68..G71;
 * C15, C16), the figures (KEY-56, KEY-57; G18, G76), and what an edit raises (KEY-65..KEY-70; C17).
 */
import { contractVersions, spendScope, type ContractVersion } from '@les/contract'
import { quote, type Quote } from '../../credits/rules/spend-gate.ts'
import type { SearchState } from './settings.ts'

/** The older contract requires nothing; the spend contract requires its scope and a confirmation. */
export type SpendContract = 'older' | 'spend'

/** The contract at `now`. Without a configured cut-over the older one stays; after it, a pin to the older one is refused. */
export function decideContract(
  version: ContractVersion | undefined,
  now: Date,
  cutoverAt: Date | null,
): SpendContract | 'pin_refused' {
  if (version === contractVersions.spend) return 'spend'
  const cutOver = cutoverAt !== null && now >= cutoverAt
  if (!cutOver) return 'older'
  return version === contractVersions.older ? 'pin_refused' : 'spend'
}

type Scope = { readonly [K in (typeof spendScope)[number]]?: unknown }

/** The scope fields a request leaves out; naming one counts, whatever the value (KEY-46). */
export const missingScope = (named: Scope): (typeof spendScope)[number][] =>
  spendScope.filter((field) => named[field] === undefined)

const advice = {
  creditCap: 'Name creditCap, the credits one run may spend: the spend contract requires it.',
  captureMode: 'Name captureMode, depth or breadth: the spend contract requires it.',
  datePosted: 'Name datePosted, how old found posts may be: the spend contract requires it.',
  confirmSpend: 'Send confirmSpend: true: under the spend contract nothing is tracked without it.',
} as const

/** What a request under the older contract will have to add (G70). */
export const deprecationsOf = (named: Scope, confirmSpend: boolean | undefined) =>
  [...missingScope(named), ...(confirmSpend === true ? [] : (['confirmSpend'] as const))].map((field) => ({
    field,
    message: advice[field],
  }))

/** Most credits a day: the cap of its one run; for posts-only, at most one credit a post. */
const searchDailyMax = ({ search, source }: SearchState): number =>
  source.mode === 'posts_only' && source.postsPerSync !== null
    ? Math.min(source.postsPerSync, search.creditCap)
    : search.creditCap

/** The daily cost, compared with the balance. */
export const searchQuote = (state: SearchState, balance: number): Quote =>
  quote({ per: 'day', credits: searchDailyMax(state) }, balance)

/** The settings by which a search may spend more: a higher bound, another mode, engagers captured again. */
export function raisedBetween(before: SearchState, after: SearchState): string[] {
  if (before.source.mode !== after.source.mode)
    return [...(after.search.creditCap > before.search.creditCap ? ['creditCap'] : []), 'mode']
  const raised = {
    creditCap: after.search.creditCap > before.search.creditCap,
    postsPerSync: (after.source.postsPerSync ?? 0) > (before.source.postsPerSync ?? 0),
    captureEngagers: after.search.captureEngagers && !before.search.captureEngagers,
  }
  return Object.entries(raised).flatMap(([field, isRaised]) => (isRaised ? [field] : []))
}
