/** Search terms: cleaned, joined into the text that identifies a search, and shown. */
import { foldText } from '@les/contract'
import { needleOf } from '../../../platform/rules/matching.ts'

const curlyQuotes = /[“”„‟«»＂]/g
const spaces = /\s+/g
const quoteInHebrew = /(?<=\p{sc=Hebrew})["“”„](?=\p{sc=Hebrew})/gu
const operatorWord = /(?<![^\s"])(?:AND|OR|NOT)(?![^\s"])/g

/** Replaces the quote in a Hebrew abbreviation (`מנכ"ל`) by its proper mark, so that it opens no phrase; keeps the length. */
export const withGershayim = (text: string): string => text.replace(quoteInHebrew, '״')

/** A term as stored and sent to a vendor: composed, straight quotes, trimmed, inner spaces collapsed (G60). */
export function normaliseTerm(text: string): string {
  const plain = withGershayim(text.normalize('NFC')).replace(curlyQuotes, '"').replace(spaces, ' ').trim()
  const phrase = phraseIn(plain)
  return phrase === null ? plain : `"${phrase}"`
}

/** Terms, in their order, as the text that names a search (G60). */
export const joinTerms = (terms: readonly string[]): string => terms.join(' OR ')

/** Equal for the same search: joined, folded terms (G60, G167). Operators stay upper case: the term `a or b` is not a list. */
export const identityOfTerms = (terms: readonly string[]): string =>
  joinTerms(terms.map((term) => foldText(normaliseTerm(term))))

function phraseIn(term: string): string | null {
  const found = /^"([^"]*)"$/.exec(term)
  return found === null ? null : found[1]!.trim()
}

/** The first AND, OR or NOT that stands as a word outside double quotes (G147); null when there is none. */
export const operatorIn = (term: string): string | null =>
  term.replace(/"[^"]*"/g, ' ').match(operatorWord)?.[0] ?? null

/** Makes AND, OR and NOT ordinary words, as they are in an agent's topics (G94): lower case is no operator anywhere. */
export const withoutOperators = (term: string): string => term.replace(operatorWord, (word) => word.toLowerCase())

/** Why a normalised term cannot be searched for, in a few words; null when it can. */
export function termFault(term: string): string | null {
  if (/[()]/.test(term)) return 'has a parenthesis'
  if ((term.split('"').length - 1) % 2 === 1) return 'has a double quote without its pair'
  if (!term.isWellFormed() || /\p{Cc}/u.test(term)) return 'has a control character'
  if (needleOf(term) === null) return 'has neither a letter nor a digit nor a symbol'
  return null
}

const longestShown = 80

/** A term in double quotes for a message, cut when very long. */
export function quoted(term: string): string {
  const bare = phraseIn(term) ?? term
  return `"${bare.length > longestShown ? `${bare.slice(0, longestShown).toWellFormed()}…` : bare}"`
}

/** A term as a salesperson would name it. */
export const termInWords = (term: string): string =>
  phraseIn(term)?.includes(' ') ? `the phrase ${quoted(term)}` : quoted(term)
