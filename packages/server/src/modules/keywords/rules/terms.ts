/** Search terms: how a list of them is cleaned, joined into the text that identifies a search, and shown. */
import { foldText } from '@les/contract'
import { needleOf } from '../../../platform/rules/matching.ts'

const curlyQuotes = /[“”„‟«»＂]/g
const spaces = /\s+/g
const quoteInHebrew = /(?<=\p{sc=Hebrew})["“”„](?=\p{sc=Hebrew})/gu
const operatorWord = /(?<![^\s"])(?:AND|OR|NOT)(?![^\s"])/g

/**
 * A text in which the quote of a Hebrew abbreviation is the mark it stands for (`מנכ"ל`), so that it opens no phrase;
 * as long as before.
 */
export const withGershayim = (text: string): string => text.replace(quoteInHebrew, '״')

/** A term as it is kept and sent to a vendor: composed, straight quotes, trimmed, inner spaces collapsed (G60). */
export function normaliseTerm(text: string): string {
  const plain = withGershayim(text.normalize('NFC')).replace(curlyQuotes, '"').replace(spaces, ' ').trim()
  const phrase = phraseIn(plain)
  return phrase === null ? plain : `"${phrase}"`
}

/** Terms, in their order, as the one text that names a search (G60). */
export const joinTerms = (terms: readonly string[]): string => terms.join(' OR ')

/**
 * What two searches must have in common to be the same one: joined terms as texts are compared (G60, G167). The operators stay upper case,
 * so the single term `a or b` is not the list of `a` and `b`.
 */
export const identityOfTerms = (terms: readonly string[]): string =>
  joinTerms(terms.map((term) => foldText(normaliseTerm(term))))

/** The words of a term in double quotes, null for any other term. */
function phraseIn(term: string): string | null {
  const found = /^"([^"]*)"$/.exec(term)
  return found === null ? null : found[1]!.trim()
}

/** The first AND, OR or NOT that a term holds as a word of its own outside double quotes (G147); null when it holds none. */
export const operatorIn = (term: string): string | null =>
  term.replace(/"[^"]*"/g, ' ').match(operatorWord)?.[0] ?? null

/**
 * A term in which AND, OR and NOT are ordinary words, as they are in an agent's topics (G94): in lower case no vendor
 * and no expression takes them for operators.
 */
export const withoutOperators = (term: string): string => term.replace(operatorWord, (word) => word.toLowerCase())

/** What keeps a normalised term from being searched for, in a few words; null when nothing does. */
export function termFault(term: string): string | null {
  if (/[()]/.test(term)) return 'has a parenthesis'
  if ((term.split('"').length - 1) % 2 === 1) return 'has a double quote without its pair'
  if (!term.isWellFormed() || /\p{Cc}/u.test(term)) return 'has a control character'
  if (needleOf(term) === null) return 'has neither a letter nor a digit nor a symbol'
  return null
}

const longestShown = 80

/** A term as a sentence shows it: in double quotes, cut when it is very long. */
export function quoted(term: string): string {
  const bare = phraseIn(term) ?? term
  return `"${bare.length > longestShown ? `${bare.slice(0, longestShown).toWellFormed()}…` : bare}"`
}

/** A term as a salesperson would name it. */
export const termInWords = (term: string): string =>
  phraseIn(term)?.includes(' ') ? `the phrase ${quoted(term)}` : quoted(term)
