/**
 * A sign before a search term, as other search boxes take it: `-webinar`, `!webinar`. No search here leaves anything out by it: the
 * sign would be dropped, and exactly what was to be left out would be bought. So it is refused (G164).
 */
import { unseenCharacters } from './text.ts'

const sign = '[-‐‑‒–—―−﹣－!！¬]'
const unseen = `(?:${unseenCharacters.source})*`
/** What a term begins with: a letter, a digit, a picture, a quote, or a sign that begins words. */
const begins = `[\\p{L}\\p{N}\\p{So}"“”„‟«»＂'‘’‚‛‹›#@$&]`

/** At the beginning of a term; what cannot be seen beside a sign hides it from nobody who reads. */
const signs = new RegExp(`^${unseen}${sign}(?:${unseen}${sign})*(?=${unseen}${begins})`, 'u')
/**
 * The same at the beginning of any word of a text, with the word; a bracket beside it, or a comma before it, joins it to nothing. No
 * character that cannot be seen is such an end, though one of them counts as a blank: a text of nothing else would be read from each.
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

/** The first word of a text that has a sign before it, outside double quotes; null when none has. */
export function signedWordIn(text: string): string | null {
  const plain = text.replace(/"[^"]*"/g, (phrase) => `"${'_'.repeat(phrase.length - 2)}"`)
  const found = within.exec(plain)
  if (found === null) return null
  const word = text.slice(found.index, found.index + found[0].length)
  // A phrase has blanks: it is shown as a whole.
  const phrase = /^[^"]*"[^"]*"/.exec(text.slice(found.index))?.[0]
  return phrase !== undefined && withoutSign(word)?.startsWith('"') ? phrase : word
}

/** Why such a word is refused where words alone are taken; `what` they are taken as. */
export const signRefusal = (signed: string, what: string): string =>
  `must not have a sign before a word (${shown(signed)}): ${what} is plain words and leaves nothing out`

/** At most 80 characters of a text, in a sentence. */
const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text)
