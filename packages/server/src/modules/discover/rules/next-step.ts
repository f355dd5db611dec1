/** What a run does next: read posts, rank people, look profiles up, add people. */
import { nextPlace, type Place } from './search.ts'

/** One step of a run; `search` names the keyword by its place in the list. */
export type Step =
  | { readonly kind: 'search'; readonly index: number }
  | { readonly kind: 'rank' }
  | { readonly kind: 'check' }
  | { readonly kind: 'add' }

/** The next step of a run that is not over. */
export function nextStep(run: {
  readonly phase: 'search' | 'check' | 'add' | 'over'
  readonly places: readonly Place[]
}): Step {
  if (run.phase === 'check') return { kind: 'check' }
  if (run.phase !== 'search') return { kind: 'add' }
  const index = nextPlace(run.places)
  return index === null ? { kind: 'rank' } : { kind: 'search', index }
}
