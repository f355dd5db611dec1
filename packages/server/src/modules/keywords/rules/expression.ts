/**
 * Boolean expressions: NOT binds tighter than AND, AND tighter than OR, and terms side by side mean OR (specification, Keywords:
 * `expression`; G60 to G62). An expression is an OR of groups, each an AND of terms and exclusions, which is all that a language
 * without parentheses can say.
 */
import { foldText } from '@les/contract'
import { type Groups, groupsOf, groupText, type Unit } from './expression-parse.ts'
import { type Fault, faultAt, tokenise } from './expression-tokens.ts'
import { joinTerms, withGershayim } from './terms.ts'

export { judgeByExpression, missesBy } from './expression-judge.ts'

/** A parsed expression. */
export type Expression = { readonly groups: Groups }

type Parsed = { readonly ok: true; readonly expression: Expression } | Fault

/** What an expression may not pass (specification, Bounds). */
export const expressionLimits = { requiredTerms: 10, tokens: 60, characters: 1000 } as const

/**
 * Parses an expression, or says what is wrong with it, naming the token and the number of its first character, from 1.
 *
 * The limits hold for what is sent. A canonical form writes out the OR that terms side by side mean, and parentheses: in a text that
 * is one neither counts, so whatever is accepted can be sent back as the service shows it.
 */
export function parseExpression(text: string): Parsed {
  const trimmed = text.trim()
  if (trimmed === '')
    return {
      ok: false,
      token: '',
      position: 1,
      message: 'Expression: it is blank. Write at least one term, such as sales AND "head of growth".',
    }
  if (trimmed.length > 2 * expressionLimits.characters) return tooLong(text)
  const spelled = withGershayim(text)
  const found = tokenise(spelled)
  // A fault beyond the limit is the limit's.
  if (!found.ok)
    return found.position - (text.length - text.trimStart().length) > expressionLimits.characters
      ? tooLong(text)
      : found
  const parenthesis = found.tokens.find((token) => token.kind === 'open' || token.kind === 'close')
  const parsed = groupsOf(found.tokens)
  const canonical = parsed.ok ? canonicalText(parsed) : null
  const isCanonical = spelled.normalize('NFC').trim() === canonical
  if (parenthesis !== undefined && !isCanonical)
    return faultAt(
      parenthesis.text,
      parenthesis.position,
      'is a parenthesis, which an expression does not have. NOT binds tighter than AND, ' +
        'and AND tighter than OR: for (a OR b) AND c write a AND c OR b AND c.',
    )
  const discount = isCanonical && parsed.ok ? sparedOrs(parsed) : 0
  const characters = isCanonical ? trimmed.replace(/[()]/g, '').length - ' OR'.length * discount : trimmed.length
  if (Math.min(characters, trimmed.normalize('NFC').length) > expressionLimits.characters) return tooLong(text)
  const counted = found.tokens.filter((token) => token.kind !== 'open' && token.kind !== 'close')
  const extra = counted[expressionLimits.tokens + discount]
  if (extra !== undefined)
    return faultAt(
      extra.text,
      extra.position,
      `is token ${expressionLimits.tokens + discount + 1}; an expression has at most ${expressionLimits.tokens} terms and operators.`,
    )
  if (!parsed.ok) return parsed
  const expression: Expression = { groups: parsed.groups }
  return beyondLimits(expression) ?? { ok: true, expression }
}

/** The fault of a text that is too long: the token at which it passes the limit. */
function tooLong(text: string): Fault {
  const start = text.length - text.trimStart().length + expressionLimits.characters
  return faultAt(
    /^\S*/.exec(text.slice(start, start + expressionLimits.characters))?.[0] || text.slice(start).trim().slice(0, 1),
    start + 1,
    `passes the end of the longest expression, ${expressionLimits.characters} characters.`,
  )
}

/** How many OR of a canonical form could be left out: those with a term on either side, but not before a NOT. */
const sparedOrs = ({ groups }: Expression): number =>
  groups.filter((group, index) => index > 0 && !group[0]!.excluded).length

/** What an expression is warned of: an alternative of exclusions alone is what it says, and hardly what was meant (G147). */
export function warningsOf(expression: Expression): string[] {
  return expression.groups
    .filter((group) => group.every((unit) => unit.excluded))
    .map(
      (group) =>
        `The alternative ${groupText(group)} holds exclusions only, so it matches nearly every post, ` +
        'and those posts cost credits. To leave such posts out, join it to the other terms by AND instead of OR.',
    )
}

/** The one way the service writes an expression (G61); it parses to the same expression and is accepted back unchanged. */
export const canonicalText = (expression: Expression): string => joinTerms(expression.groups.map(groupText))

/** What two expressions must have in common to be the same search: the canonical form without regard to the case of terms (G60). */
export const identityOfExpression = (expression: Expression): string =>
  canonicalText({
    groups: expression.groups.map((group) => group.map((unit) => ({ ...unit, term: foldText(unit.term) }))),
  })

/** What an expression compiles to: its positive terms, each once, in order; phrases keep their quotes (G61, G62). */
export const requiredTerms = (expression: Expression): string[] =>
  [...firstOfEachTerm(expression).values()].map((unit) => unit.term)

function firstOfEachTerm(expression: Expression): Map<string, Unit> {
  const first = new Map<string, Unit>()
  for (const unit of expression.groups.flat()) {
    const key = foldText(unit.term)
    if (!unit.excluded && !first.has(key)) first.set(key, unit)
  }
  return first
}

function beyondLimits(expression: Expression): Fault | undefined {
  const required = [...firstOfEachTerm(expression).values()]
  if (required.length === 0)
    return faultAt(
      'NOT',
      expression.groups[0]![0]!.position,
      'begins an expression of exclusions only, which finds nothing to exclude from. Add a term to search for.',
    )
  const extra = required[expressionLimits.requiredTerms]
  return (
    extra &&
    faultAt(
      extra.term,
      extra.position,
      `is required term ${expressionLimits.requiredTerms + 1}; an expression has at most ${expressionLimits.requiredTerms}.`,
    )
  )
}
