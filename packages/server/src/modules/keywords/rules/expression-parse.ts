/**
 * The grammar of expressions: an OR of groups, each an AND of terms and exclusions; terms side by side mean OR, and NOT
 * needs an operator before it (G147).
 */
import { type Fault, faultAt, type Token } from './expression-tokens.ts'

/** A term, or a term that must not occur; `position` is its first character in the text it was parsed from, from 1. */
export type Unit = { readonly term: string; readonly excluded: boolean; readonly position: number }

/** What is kept: posts that fit every unit of at least one group. */
export type Groups = readonly (readonly Unit[])[]

/**
 * Reads tokens into groups, each kept once and holding each unit once. Parentheses are passed over: the caller accepts them only in
 * a text that equals its own canonical form. A token that cannot stand where it stands is a fault.
 */
export function groupsOf(tokens: readonly Token[]): { readonly ok: true; readonly groups: Groups } | Fault {
  const groups: Unit[][] = []
  /** The operator or NOT that still waits for its right side; null after a term. */
  let waiting: Token | null = null
  let not: Token | null = null
  for (const token of tokens) {
    if (token.kind === 'open' || token.kind === 'close') continue
    if (token.kind === 'term') {
      const unit: Unit = { term: token.text, excluded: not !== null, position: (not ?? token).position }
      const last = groups.at(-1)
      if (waiting?.kind === 'and' && last !== undefined) last.push(unit)
      else groups.push([unit])
      waiting = null
      not = null
    } else if (token.kind === 'not') {
      if (not !== null)
        return faultAt(token.text, token.position, 'follows another NOT. Write one NOT before each term to exclude.')
      if (waiting === null && groups.length > 0)
        return faultAt(
          token.text,
          token.position,
          'follows a term without an operator and would be an alternative of its own. Write AND NOT to exclude what comes after it.',
        )
      not = token
    } else {
      const before = not ?? waiting
      if (before !== null)
        return faultAt(
          token.text,
          token.position,
          `follows ${before.text}. Put a term between the two, or write ${token.text.toLowerCase()} in lower case to search for the word.`,
        )
      if (groups.length === 0)
        return faultAt(
          token.text,
          token.position,
          `has no term before it. Begin with a term, or write ${token.text.toLowerCase()} in lower case to search for the word.`,
        )
      waiting = token
    }
  }
  const unfinished = not ?? waiting
  if (unfinished !== null)
    return faultAt(
      unfinished.text,
      unfinished.position,
      `has no term after it. Add one, or write ${unfinished.text.toLowerCase()} in lower case to search for the word.`,
    )
  const first = tokens[0]
  if (groups.length === 0)
    return faultAt(first?.text ?? '', first?.position ?? 1, 'is not a term. Write at least one term to search for.')
  return {
    ok: true,
    groups: withoutRepeats(
      groups.map((group) => withoutRepeats(group, unitText)),
      groupText,
    ),
  }
}

/** A unit as the canonical form writes it. */
export const unitText = (unit: Unit): string => (unit.excluded ? `NOT ${unit.term}` : unit.term)

/** A group as the canonical form writes it: in parentheses when it is an AND of several units (G61). */
export const groupText = (group: readonly Unit[]): string =>
  group.length === 1 ? unitText(group[0]!) : `(${group.map(unitText).join(' AND ')})`

/** Repeats differ at most in the case of their terms; the first of them stays. */
function withoutRepeats<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = textOf(item).toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
