/**
 * Boolean expressions: NOT binds tighter than AND, AND tighter than OR, and terms side by side mean OR (G60 to G62). An
 * expression is an OR of groups, each an AND of terms and exclusions. Every fault names a token and the way out.
 */
import { foldText, withoutSign } from '@les/contract'
import { needleOf } from '../../../platform/rules/matching.ts'
import { joinTerms, normaliseTerm, withGershayim } from './terms.ts'

/** `text` is in canonical form; `position` is the number of the first character, from 1. */
type Token = {
  readonly kind: 'term' | 'and' | 'or' | 'not' | 'open' | 'close'
  readonly text: string
  readonly position: number
}

type Fault = { readonly ok: false; readonly message: string; readonly token: string; readonly position: number }

const longestTokenShown = 40

function faultAt({ text, position }: Pick<Token, 'text' | 'position'>, why: string): Fault {
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, ' ')
  const shown = plain.length > longestTokenShown ? `${plain.slice(0, longestTokenShown).toWellFormed()}…` : plain
  return { ok: false, token: shown, position, message: `Expression: \`${shown}\` at character ${position} ${why}` }
}

const operators: Readonly<Record<string, Token['kind']>> = { AND: 'and', OR: 'or', NOT: 'not' }
const openingQuotes = '"“”„‟«»＂'
const wordEnds = /[\s()"“”„‟«»＂]/g
const phraseEnds = /["“”„‟«»＂]/g

/** A sign before a term does not exclude it; dropped silently, it would search for exactly what was to be left out (G164). */
function signFault(text: string, from: number, end: number): Fault | null {
  const opens = openingQuotes.includes(text[end] ?? ' ')
  const headEnd = opens ? end + 1 : end
  const term = withoutSign(text.slice(from, headEnd))
  if (term === null) return null
  const termEnd = opens ? Math.min(text.length, nextOf(phraseEnds, text, headEnd) + 1) : end
  const written = text.slice(from, termEnd)
  const bare = normaliseTerm(text.slice(headEnd - term.length, termEnd))
  return faultAt(
    { text: written, position: from + 1 },
    `has a sign before the term, which leaves nothing out. Write AND NOT ${bare} to exclude it, ` +
      'or put it in double quotes to search for it as text.',
  )
}

/** The tokens of a text of bounded length, or its first fault. Operators are upper case; quotes of any shape make a phrase. */
function tokenise(text: string): { readonly ok: true; readonly tokens: readonly Token[] } | Fault {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    const position = at + 1
    if (/\s/.test(character)) at++
    else if (character === '(' || character === ')') {
      tokens.push({ kind: character === '(' ? 'open' : 'close', text: character, position })
      at++
    } else if (openingQuotes.includes(character)) {
      const end = nextOf(phraseEnds, text, at + 1)
      if (end === text.length)
        return faultAt(
          { text: text.slice(at).trim(), position },
          'opens a phrase that never ends. Add the closing double quote.',
        )
      const phrase = termOf(`"${text.slice(at + 1, end)}"`, position)
      if ('ok' in phrase) return phrase
      tokens.push(phrase)
      at = end + 1
    } else {
      const end = nextOf(wordEnds, text, at)
      const signed = signFault(text, at, end)
      if (signed !== null) return signed
      const word = text.slice(at, end)
      const operator = operators[word]
      const token = operator === undefined ? termOf(word, position) : { kind: operator, text: word, position }
      if ('ok' in token) return token
      tokens.push(token)
      at = end
    }
  }
  return { ok: true, tokens }
}

function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

function termOf(written: string, position: number): Token | Fault {
  const at = { text: written, position }
  if (/[()]/.test(written))
    return faultAt(at, 'has a parenthesis inside the quotes. Leave it out: posts are matched by words.')
  if (!written.isWellFormed() || /(?!\s)\p{Cc}/u.test(written))
    return faultAt(at, 'has a control character. Leave it out.')
  if (needleOf(written) === null)
    return faultAt(
      at,
      'has neither a letter nor a digit nor a symbol. Leave it out, or put it in double quotes together with a word.',
    )
  return { kind: 'term', text: normaliseTerm(written), position }
}

/** A term that must occur, or must not; `position` is its first character in the parsed text, from 1. */
export type Unit = { readonly term: string; readonly excluded: boolean; readonly position: number }

/** A post is kept when it fits every unit of at least one group. */
type Group = readonly Unit[]

/** Reads tokens into groups without repeats; skips parentheses, which the caller accepts only in a canonical text. */
function groupsOf(tokens: readonly Token[]): { readonly ok: true; readonly groups: readonly Group[] } | Fault {
  const groups: Unit[][] = []
  /** The operator that still waits for its right side; null after a term. */
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
      if (not !== null) return faultAt(token, 'follows another NOT. Write one NOT before each term to exclude.')
      if (waiting === null && groups.length > 0)
        return faultAt(
          token,
          'follows a term without an operator and would be an alternative of its own. Write AND NOT to exclude what comes after it.',
        )
      not = token
    } else {
      const before = not ?? waiting
      if (before !== null)
        return faultAt(
          token,
          `follows ${before.text}. Put a term between the two, or write ${token.text.toLowerCase()} in lower case to search for the word.`,
        )
      if (groups.length === 0)
        return faultAt(
          token,
          `has no term before it. Begin with a term, or write ${token.text.toLowerCase()} in lower case to search for the word.`,
        )
      waiting = token
    }
  }
  const unfinished = not ?? waiting
  if (unfinished !== null)
    return faultAt(
      unfinished,
      `has no term after it. Add one, or write ${unfinished.text.toLowerCase()} in lower case to search for the word.`,
    )
  const first = tokens[0]
  if (groups.length === 0)
    return faultAt(first ?? { text: '', position: 1 }, 'is not a term. Write at least one term to search for.')
  return {
    ok: true,
    groups: withoutRepeats(
      groups.map((group) => withoutRepeats(group, unitText)),
      groupText,
    ),
  }
}

/** A unit in canonical form. */
export const unitText = (unit: Unit): string => (unit.excluded ? `NOT ${unit.term}` : unit.term)

/** A group in canonical form: in parentheses when it is an AND of several units (G61). */
const groupText = (group: Group): string =>
  group.length === 1 ? unitText(group[0]!) : `(${group.map(unitText).join(' AND ')})`

/** Repeats differ at most in case; the first one stays. */
function withoutRepeats<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = textOf(item).toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}

export type Expression = { readonly groups: readonly Group[] }

type Parsed = { readonly ok: true; readonly expression: Expression } | Fault

const expressionLimits = { requiredTerms: 10, tokens: 60, characters: 1000 } as const

/**
 * Parses an expression, or says what is wrong with it, with the token and the number of its first character, from 1.
 *
 * The limits apply to what is sent. A canonical form writes out the OR between terms side by side, and parentheses; in a
 * canonical text neither counts, so that whatever is accepted can be sent back as the service shows it.
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
  // A fault beyond the length limit is reported as exceeding that limit.
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
      parenthesis,
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
      extra,
      `is token ${expressionLimits.tokens + discount + 1}; an expression has at most ${expressionLimits.tokens} terms and operators.`,
    )
  if (!parsed.ok) return parsed
  const expression: Expression = { groups: parsed.groups }
  return beyondLimits(expression) ?? { ok: true, expression }
}

function tooLong(text: string): Fault {
  const start = text.length - text.trimStart().length + expressionLimits.characters
  const token =
    /^\S*/.exec(text.slice(start, start + expressionLimits.characters))?.[0] || text.slice(start).trim().slice(0, 1)
  return faultAt(
    { text: token, position: start + 1 },
    `passes the end of the longest expression, ${expressionLimits.characters} characters.`,
  )
}

/** How many ORs of a canonical form could be left out: those not before a NOT. */
const sparedOrs = ({ groups }: Expression): number =>
  groups.filter((group, index) => index > 0 && !group[0]!.excluded).length

/** Warnings: an alternative of only exclusions is valid, but hardly meant (G147). */
export function warningsOf(expression: Expression): string[] {
  return expression.groups
    .filter((group) => group.every((unit) => unit.excluded))
    .map(
      (group) =>
        `The alternative ${groupText(group)} holds exclusions only, so it matches nearly every post, ` +
        'and those posts cost credits. To leave such posts out, join it to the other terms by AND instead of OR.',
    )
}

/** The canonical form (G61); it parses to the same expression, and is accepted unchanged. */
export const canonicalText = (expression: Expression): string => joinTerms(expression.groups.map(groupText))

/** Equal for expressions that are the same search: the canonical form without the case of terms (G60). */
export const identityOfExpression = (expression: Expression): string =>
  canonicalText({
    groups: expression.groups.map((group) => group.map((unit) => ({ ...unit, term: foldText(unit.term) }))),
  })

/** The positive terms, each once, in order; phrases keep their quotes (G61, G62). */
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
      { text: 'NOT', position: expression.groups[0]![0]!.position },
      'begins an expression of exclusions only, which finds nothing to exclude from. Add a term to search for.',
    )
  const extra = required[expressionLimits.requiredTerms]
  return (
    extra &&
    faultAt(
      { text: extra.term, position: extra.position },
      `is required term ${expressionLimits.requiredTerms + 1}; an expression has at most ${expressionLimits.requiredTerms}.`,
    )
  )
}
