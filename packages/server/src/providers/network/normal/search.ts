/** Shared by the vendors' searches: which part of a term is sent, what is filtered here, and where a read ends. */
import { termFinder } from '../../../platform/rules/matching.ts'
import type { Post } from '../../ports.ts'

/** The network ignores the rest of a longer term. */
export const maxTermLength = 85
/** Most rows read per search: no run looks at more posts, and a vendor that repeats pages must not cause an endless read. */
export const maxRows = 2_000

type Part = { readonly words: readonly string[]; readonly quoted: boolean }

function partsOf(term: string): Part[] {
  return [...term.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([whole, phrase]) => ({
    words: (phrase ?? whole).split(/\s/).filter((word) => word !== ''),
    quoted: phrase !== undefined,
  }))
}

const spelled = ({ words, quoted }: Part): string => (quoted ? `"${words.join(' ')}"` : words.join(' '))

const operator = /(?<![\p{L}\p{N}])(?:AND|OR|NOT)(?![\p{L}\p{N}])/gu

/** Turns AND, OR and NOT into ordinary words (G94, G147): the network ignores case and takes only capitals for operators. */
export const plainWords = (text: string): string => text.replace(operator, (word) => word.toLowerCase())

/** Plain words as one side of an OR, without brackets and unbalanced quotes. */
export function plainAlternative(text: string): string {
  const ungrouped = plainWords(text).replace(/[()]/g, ' ')
  const quotes = ungrouped.split('"').length - 1
  return (quotes % 2 === 0 ? ungrouped : ungrouped.replaceAll('"', ' ')).replace(/\s+/g, ' ').trim()
}

/** The part of a term the network reads, in whole words without operators. `rest`: more follows, so posts must be checked. */
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

/** Whether a text contains every word of a term, and its quoted phrases word by word (G123). */
export const textHasTerm = (text: string | null, term: string): boolean =>
  text !== null && termFinder(term)(text) === null

/** Whether the author's headline contains all words of any keyword (G122). No headline matches nothing; no keywords match all. */
export function headlineHasAny(author: Post['author'], keywords: readonly string[] | undefined): boolean {
  if (keywords === undefined || keywords.length === 0) return true
  return keywords.some((keyword) => textHasTerm(author.headline, keyword))
}

/** Filter values in the vendors' format; null when there is no filter. */
export const commaList = (values: readonly string[] | undefined): string | null =>
  values === undefined || values.length === 0 ? null : values.join(',')
