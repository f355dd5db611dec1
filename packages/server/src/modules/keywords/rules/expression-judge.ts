/** Whether a post fits an expression, and if not, why not, in words for a person (specification, Keywords: kept posts). */
import { contained, type Finder, needleOf, prepare } from '../../../platform/rules/matching.ts'
import type { Expression } from './expression.ts'
import type { Unit } from './expression-parse.ts'
import { type Judgement, quoted, termInWords } from './terms.ts'

/** An expression's terms, each once, made ready to be found in many texts. */
type Ready = { readonly finder: Finder; readonly indexOf: ReadonlyMap<string, number> }

const prepared = new WeakMap<Expression, Ready>()

function ready(expression: Expression): Ready {
  const known = prepared.get(expression)
  if (known !== undefined) return known
  const terms = [...new Set(expression.groups.flat().map((unit) => unit.term))]
  const made = { finder: prepare(terms.map(needleOf)), indexOf: new Map(terms.map((term, index) => [term, index])) }
  prepared.set(expression, made)
  return made
}

/** Of each group, what a text does not meet. */
function unmetUnits(expression: Expression, text: string): readonly (readonly Unit[])[] {
  const { finder, indexOf } = ready(expression)
  const found = contained(finder, text)
  return expression.groups.map((group) => group.filter((unit) => found[indexOf.get(unit.term)!] === unit.excluded))
}

/**
 * The one part that keeps a text out of an expression, as it would be written; null where it is kept, misses by more,
 * or where a term alone is enough, since then everything would miss by one.
 */
export function missesBy(expression: Expression, text: string): string | null {
  const unmet = unmetUnits(expression, text)
  if (unmet.some((units) => units.length === 0)) return null
  const at = unmet.findIndex((units, index) => units.length === 1 && expression.groups[index]!.length > 1)
  const unit = unmet[at]?.[0]
  return unit === undefined ? null : unit.excluded ? `NOT ${unit.term}` : unit.term
}

/**
 * Judges a text: whole words without regard to case and accents, phrases as words side by side. A refusal is explained by the group
 * that came closest: its excluded terms that occur, else its terms that are missing.
 */
export function judgeByExpression(expression: Expression, text: string): Judgement {
  const unmet = unmetUnits(expression, text)
  if (unmet.some((units) => units.length === 0)) return { kept: true }
  if (unmet.length > 1 && expression.groups.every((group) => group.length === 1 && !group[0]!.excluded))
    return { kept: false, reason: `Contains none of ${listed(expression.groups.flat())}` }
  return { kept: false, reason: reasonFor(closest(unmet)) }
}

/** The group with the fewest units unmet; of equals, one that only an exclusion keeps out, since the post is about the subject. */
function closest(unmet: readonly (readonly Unit[])[]): readonly Unit[] {
  const missing = (units: readonly Unit[]) => units.filter((unit) => !unit.excluded).length
  return [...unmet].sort((a, b) => a.length - b.length || missing(a) - missing(b))[0]!
}

function reasonFor(units: readonly Unit[]): string {
  const excluded = units.filter((unit) => unit.excluded)
  if (excluded.length > 0)
    return `Contains the excluded ${excluded.length === 1 ? nameOf(excluded[0]!.term) : `terms ${listed(excluded)}`}`
  return units.length === 1 ? `Does not contain ${termInWords(units[0]!.term)}` : `Does not contain ${listed(units)}`
}

const nameOf = (term: string): string => (term.includes(' ') ? `phrase ${quoted(term)}` : `term ${quoted(term)}`)
const mostListed = 5

function listed(units: readonly Unit[]): string {
  const shown = units
    .slice(0, mostListed)
    .map((unit) => quoted(unit.term))
    .join(', ')
  return units.length > mostListed ? `${shown} and ${units.length - mostListed} more` : shown
}
