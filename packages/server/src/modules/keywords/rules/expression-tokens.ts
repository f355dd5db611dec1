/** The tokens of a boolean expression, found in one pass (specification, Keywords: `expression`). */
import { withoutSign } from '@les/contract'
import { needleOf } from '../../../platform/rules/matching.ts'
import { normaliseTerm } from './terms.ts'

export type Token = {
  readonly kind: 'term' | 'and' | 'or' | 'not' | 'open' | 'close' /** As it is written in the canonical form. */
  readonly text: string /** The first character's number, from 1. */
  readonly position: number
}

/** Why an expression is refused: a sentence that names the token and the way out, the token, and the number of its first character. */
export type Fault = { readonly ok: false; readonly message: string; readonly token: string; readonly position: number }

const longestTokenShown = 40

/** A fault at a token; `why` completes the sentence that begins with the token and its position. */
export function faultAt(token: string, position: number, why: string): Fault {
  const plain = token.toWellFormed().replace(/\p{Cc}/gu, ' ')
  const shown = plain.length > longestTokenShown ? `${plain.slice(0, longestTokenShown).toWellFormed()}…` : plain
  return { ok: false, token: shown, position, message: `Expression: \`${shown}\` at character ${position} ${why}` }
}

const operators: Readonly<Record<string, Token['kind']>> = { AND: 'and', OR: 'or', NOT: 'not' }
const openingQuotes = '"“”„‟«»＂'
const wordEnds = /[\s()"“”„‟«»＂]/g
const phraseEnds = /["“”„‟«»＂]/g

/** A sign before a term is no exclusion and would be dropped: exactly what was to be left out would be searched for (G164). */
function signFault(text: string, from: number, end: number): Fault | null {
  const opens = openingQuotes.includes(text[end] ?? ' ')
  const headEnd = opens ? end + 1 : end
  const term = withoutSign(text.slice(from, headEnd))
  if (term === null) return null
  const termEnd = opens ? Math.min(text.length, nextOf(phraseEnds, text, headEnd) + 1) : end
  const written = text.slice(from, termEnd)
  const bare = normaliseTerm(text.slice(headEnd - term.length, termEnd))
  return faultAt(
    written,
    from + 1,
    `has a sign before the term, which leaves nothing out. Write AND NOT ${bare} to exclude it, ` +
      'or put it in double quotes to search for it as text.',
  )
}

/**
 * The tokens of a text of bounded length, or its first fault. Operators are upper case; quotes of any shape make a phrase.
 */
export function tokenise(text: string): { readonly ok: true; readonly tokens: readonly Token[] } | Fault {
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
        return faultAt(text.slice(at).trim(), position, 'opens a phrase that never ends. Add the closing double quote.')
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
  if (/[()]/.test(written))
    return faultAt(written, position, 'has a parenthesis inside the quotes. Leave it out: posts are matched by words.')
  if (!written.isWellFormed() || /(?!\s)\p{Cc}/u.test(written))
    return faultAt(written, position, 'has a control character. Leave it out.')
  if (needleOf(written) === null)
    return faultAt(
      written,
      position,
      'has neither a letter nor a digit nor a symbol. Leave it out, or put it in double quotes together with a word.',
    )
  return { kind: 'term', text: normaliseTerm(written), position }
}
