/** What both vendors' searches share: how much of a term is sent, what is judged here, and where a read ends. */
import { termFinder } from '../../../platform/rules/matching.ts'
import type { Post } from '../../ports.ts'

/** The network reads no more of a search term. */
export const maxTermLength = 85
/**
 * A read of one search ends after so many rows: no run looks at more posts, and a vendor that repeats its pages must
 * not go on for ever.
 */
export const maxRows = 2_000

type Part = { readonly words: readonly string[]; readonly quoted: boolean }

/** A term as its words and quoted phrases; a quote that is never closed reaches to the end. */
function partsOf(term: string): Part[] {
  return [...term.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([whole, phrase]) => ({
    words: (phrase ?? whole).split(/\s/).filter((word) => word !== ''),
    quoted: phrase !== undefined,
  }))
}

const spelled = ({ words, quoted }: Part): string => (quoted ? `"${words.join(' ')}"` : words.join(' '))

const operator = /(?<![\p{L}\p{N}])(?:AND|OR|NOT)(?![\p{L}\p{N}])/gu

/**
 * A text in which AND, OR and NOT are ordinary words (G94, G147): the network, which minds no case, takes them for
 * operators in capitals only.
 */
export const plainWords = (text: string): string => text.replace(operator, (word) => word.toLowerCase())

/** Plain words as one side of an OR: what would group or open a phrase without end is left out. */
export function plainAlternative(text: string): string {
  const ungrouped = plainWords(text).replace(/[()]/g, ' ')
  const quotes = ungrouped.split('"').length - 1
  return (quotes % 2 === 0 ? ungrouped : ungrouped.replaceAll('"', ' ')).replace(/\s+/g, ' ').trim()
}

/**
 * As much of a term as the network reads: whole words, none of them an operator, a phrase cut between its words. `rest`
 * says whether anything was left out,
 * so that the posts found must be judged by the whole term.
 */
export function sentTerm(term: string): { sent: string; rest: boolean } {
  const plain = plainWords(term.trim().replace(/\s+/g, ' '))
  if (plain.length <= maxTermLength) return { sent: plain, rest: false }
  let sent = ''
  for (const part of partsOf(plain)) {
    for (let taken = part.words.length; taken > 0; taken--) {
      const longer = [sent, spelled({ ...part, words: part.words.slice(0, taken) })]
        .filter((piece) => piece !== '')
        .join(' ')
      if (longer.length > maxTermLength) continue
      sent = longer
      break
    }
  }
  return { sent: sent === '' ? plain.slice(0, maxTermLength) : sent, rest: true }
}

/** Whether a text has every word of a term, and its quoted phrases word after word (G123). */
export const textHasTerm = (text: string | null, term: string): boolean =>
  text !== null && termFinder(term)(text) === null

/**
 * Whether an author's headline has all words of any of the keywords (G122); an author without a headline has none. No
 * keywords: everyone.
 */
export function headlineHasAny(author: Post['author'], keywords: readonly string[] | undefined): boolean {
  if (keywords === undefined || keywords.length === 0) return true
  return keywords.some((keyword) => textHasTerm(author.headline, keyword))
}

/** A filter's values as vendors take them; null when it filters nothing. */
export const commaList = (values: readonly string[] | undefined): string | null =>
  values === undefined || values.length === 0 ? null : values.join(',')
