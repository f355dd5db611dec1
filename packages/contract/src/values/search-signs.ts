/**
 * Exclusion signs before search terms (`-webinar`, `!webinar`), as other search boxes accept them. Searches here do not support
 * them: the sign would be dropped, and what was to be excluded would be bought. So it is refused (G164).
 */
import { unseenCharacters } from './text.ts'

const sign = '[-‐‑‒–—―−﹣－!！¬]'
const unseen = `(?:${unseenCharacters.source})*`
/** First character of a term: letter, digit, symbol, quote, or a sign that begins words. */
const begins = `[\\p{L}\\p{N}\\p{So}"“”„‟«»＂'‘’‚‛‹›#@$&]`

/** At the start of a term; invisible characters around the sign do not hide it. */
const signs = new RegExp(`^${unseen}${sign}(?:${unseen}${sign})*(?=${unseen}${begins})`, 'u')
/**
 * At the start of any word of a text, also after a bracket or comma. The lookbehind excludes U+FEFF, which counts as a blank: a
 * text of nothing else would otherwise be scanned again from every position.
 */
const within = new RegExp(
  `(?<![^\\s"([,;]|\\ufeff)${unseen}${sign}(?:${unseen}${sign})*(?=${unseen}(?:${begins}|[([{]))\\S*`,
  'u',
)

/** The term without its sign; null when it has none. */
export const withoutSign = (term: string): string | null => {
  const found = signs.exec(term)
  return found === null ? null : term.slice(found[0].length)
}

/** The first word with a sign before it, outside double quotes; null when there is none. */
export function signedWordIn(text: string): string | null {
  const plain = text.replace(/"[^"]*"/g, (phrase) => `"${'_'.repeat(phrase.length - 2)}"`)
  const found = within.exec(plain)
  if (found === null) return null
  const word = text.slice(found.index, found.index + found[0].length)
  // A quoted phrase is returned whole.
  const phrase = /^[^"]*"[^"]*"/.exec(text.slice(found.index))?.[0]
  return phrase !== undefined && withoutSign(word)?.startsWith('"') ? phrase : word
}

/** The refusal of such a word; `what` names the field's content, as in «a topic». */
export const signRefusal = (signed: string, what: string): string =>
  `must not have a sign before a word (${shown(signed)}): ${what} is plain words and leaves nothing out`

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text)
