/**
 * Which contract a keyword search is tracked under: the one rule of the cut-over (specification «Versioning»;
 * VER-03..VER-09; G68..G71; C15, C16).
 */
import { contractVersions, spendScope, type ContractVersion } from '@les/contract'

/**
 * The older contract asks for nothing; the spend contract for its scope and a yes. A pin to the older one is refused
 * from the cut-over on.
 */
export type Contract = 'older' | 'spend' | 'pin_refused'

/** Decides which contract holds at `now`; a cut-over that is not configured never comes. */
export function decideContract(version: ContractVersion | undefined, now: Date, cutoverAt: Date | null): Contract {
  if (version === contractVersions.spend) return 'spend'
  const cutOver = cutoverAt !== null && now >= cutoverAt
  if (!cutOver) return 'older'
  return version === contractVersions.older ? 'pin_refused' : 'spend'
}

/** What the spend contract wants to be told. */
export type Scope = { readonly [K in (typeof spendScope)[number]]?: unknown }

/** The scope that a request leaves out; being named counts, whatever the value (KEY-46). */
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
