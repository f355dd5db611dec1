/** Which of a list of terms a text contains, found in one pass over the text and one over its words for each term. */
import { cut, fold } from './words.ts'

/** A run of words to be found side by side; `signed` when signs such as those of `#hiring` or `C++` have to be there too. */
export type Needle = { readonly words: readonly string[]; readonly signed: boolean }

/** The words of a term; none when it has neither a letter nor a digit. */
export function needleOf(term: string): Needle {
  const folded = fold(term)
  const bare: string[] = []
  const all: string[] = []
  cut(folded, {
    word: (start, end) => {
      const word = folded.slice(start, end)
      bare.push(word)
      all.push(word)
    },
    sign: (start, end) => all.push(folded.slice(start, end)),
  })
  return all.length > bare.length ? { words: all, signed: true } : { words: bare, signed: false }
}

/** Needles made ready for many texts. */
export type Finder = { readonly numbers: ReadonlyMap<string, number>; readonly patterns: readonly { readonly ids: readonly number[]; readonly fallback: readonly number[]; readonly signed: boolean }[] }

/** Prepares needles for `contained`. */
export function prepare(needles: readonly Needle[]): Finder {
  const numbers = new Map<string, number>()
  const patterns = needles.map(({ words, signed }) => {
    const ids = words.map((word) => {
      if (!numbers.has(word)) numbers.set(word, numbers.size + 1)
      return numbers.get(word)!
    })
    return { ids, fallback: fallbackOf(ids), signed }
  })
  return { numbers, patterns }
}

/** For each needle, in order, whether the text contains its words side by side. */
export function contained(finder: Finder, text: string): readonly boolean[] {
  const folded = fold(text)
  const { numbers, patterns } = finder
  const bare: number[] = []
  const all: number[] = []
  // Words no needle has are all the number 0, and a run of them is one: only what stands between known words matters.
  const add = (list: number[], id: number) => {
    if (id !== 0 || list[list.length - 1] !== 0) list.push(id)
  }
  const numberOf = (start: number, end: number) => numbers.get(folded.slice(start, end)) ?? 0
  const anySigned = patterns.some((pattern) => pattern.signed)
  cut(folded, {
    word: (start, end) => {
      const id = numberOf(start, end)
      add(bare, id)
      if (anySigned) add(all, id)
    },
    sign: (start, end) => {
      if (anySigned) add(all, numberOf(start, end))
    },
  })
  return patterns.map(({ ids, fallback, signed }) => occurs(ids, fallback, signed ? all : bare))
}

/** Knuth, Morris and Pratt: for each position of the pattern, how much of its beginning ends there. */
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
