/** The one whole-word matcher of the service: one pass over the text, and one over its words per term. */
import { cut, fold } from './words.ts'

/**
 * The adjacent words of a term. `signed`: `words` has the signs of `#hiring` or `C++`; `tight`: no gap between words of one
 * character; `literal`: a term of symbols only, as written.
 */
type Needle = {
  readonly words: readonly string[]
  readonly signed: boolean
  readonly tight: boolean
  readonly literal: string | null
}

const symbol = /[\p{S}&@#%*§¶†‡‰]/u
const variationSelectors = /[\ufe00-\ufe0f]/g

/** Null for a term without a letter, digit or symbol. */
export function needleOf(term: string): Needle | null {
  const folded = fold(term)
  const bare: string[] = []
  const all: string[] = []
  let gaps = 0
  cut(folded, {
    word: (start, end) => {
      const word = folded.slice(start, end)
      bare.push(word)
      all.push(word)
    },
    sign: (start, end) => all.push(folded.slice(start, end)),
    gap: () => gaps++,
  })
  if (bare.length > 0)
    return all.length > bare.length
      ? { words: all, signed: true, tight: false, literal: null }
      : { words: bare, signed: false, tight: gaps === 0, literal: null }
  const literal = term.replaceAll('"', '').replace(variationSelectors, '').trim()
  return symbol.test(literal) ? { words: [], signed: false, tight: false, literal } : null
}

type Finder = {
  readonly numbers: ReadonlyMap<string, number>
  readonly patterns: readonly (Pick<Needle, 'signed' | 'tight' | 'literal'> & {
    readonly ids: readonly number[]
    readonly fallback: readonly number[]
  })[]
}

/** Prepares needles for `contained`; null is never found. */
export function prepare(needles: readonly (Needle | null)[]): Finder {
  const numbers = new Map<string, number>()
  const patterns = needles.map((needle) => {
    const { words, signed, tight, literal } = needle ?? { words: [], signed: false, tight: false, literal: null }
    const ids = words.map((word) => {
      if (!numbers.has(word)) numbers.set(word, numbers.size + 1)
      return numbers.get(word)!
    })
    return { ids, fallback: fallbackOf(ids), signed, tight, literal }
  })
  return { numbers, patterns }
}

/** For each needle, in order, whether the text contains it. */
export function contained(finder: Finder, text: string): readonly boolean[] {
  const folded = fold(text)
  const { numbers, patterns } = finder
  const bare: number[] = []
  const tight: number[] = []
  const all: number[] = []
  // Unknown words are 0, and a run of them one 0: only known words must be adjacent.
  const add = (list: number[], id: number) => {
    if (id !== 0 || list[list.length - 1] !== 0) list.push(id)
  }
  const numberOf = (start: number, end: number) => numbers.get(folded.slice(start, end)) ?? 0
  const anySigned = patterns.some((pattern) => pattern.signed)
  let anyGap = false
  cut(folded, {
    word: (start, end) => {
      const id = numberOf(start, end)
      add(bare, id)
      if (anyGap) add(tight, id)
      if (anySigned) add(all, id)
    },
    sign: (start, end) => {
      if (anySigned) add(all, numberOf(start, end))
    },
    gap: () => {
      // Up to the first gap the two lists are equal.
      if (!anyGap) tight.push(...bare)
      anyGap = true
      add(tight, 0)
    },
  })
  return patterns.map(({ ids, fallback, signed, tight: isTight, literal }) => {
    if (literal !== null) return text.replace(variationSelectors, '').includes(literal)
    return occurs(ids, fallback, signed ? all : isTight && anyGap ? tight : bare)
  })
}

/** The failure function of Knuth, Morris and Pratt. */
function fallbackOf(pattern: readonly number[]): number[] {
  const fallback = [0]
  let length = 0
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = fallback[length - 1]!
    if (pattern[at] === pattern[length]) length++
    fallback.push(length)
  }
  return fallback
}

function occurs(pattern: readonly number[], fallback: readonly number[], text: readonly number[]): boolean {
  if (pattern.length === 0) return false
  let length = 0
  for (const id of text) {
    while (length > 0 && id !== pattern[length]) length = fallback[length - 1]!
    if (id === pattern[length]) length++
    if (length === pattern.length) return true
  }
  return false
}

/** Words and quoted phrases as written; an unclosed quote reaches to the end. */
export function partsOf(term: string): string[] {
  return (term.match(/"[^"]*"?|[^\s"]+/g) ?? []).filter((part) => part.replaceAll('"', '').trim() !== '')
}

/** Makes a search for the first part of a term that a text lacks, or null: words in any order, quoted phrases adjacent (G123). */
export function termFinder(term: string): (text: string) => string | null {
  const parts = partsOf(term).map((part) => ({ part, needle: needleOf(part) }))
  const asked = parts.filter(({ needle }) => needle !== null && needle.words.length > 0)
  // Symbols count only in a term of nothing else.
  const wanted = asked.length > 0 ? asked : parts.filter(({ needle }) => needle !== null)
  const finder = prepare(wanted.map(({ needle }) => needle))
  return (text) => {
    const found = contained(finder, text)
    return wanted.find((_, index) => !found[index])?.part ?? null
  }
}
