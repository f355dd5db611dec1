/** Text as words, so that phrases are found whole and quickly. */

/** A word of a text, folded. `quoted`: it stands at the head of a quotation; `capitals`: written in capitals; `sentence`: which one it stands in. */
export type Word = { readonly text: string; readonly quoted: boolean; readonly capitals: boolean; readonly sentence: number }

const apart: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ı: 'i' }

/** Lower case without accents. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[ßøæœłđı]/g, (letter) => apart[letter]!)
}

const wordOrMark = /[\p{L}\p{N}\p{M}]+(?:[+#]+(?![\p{L}\p{N}]))?|["“”„«»‘‚]|(?<=^|\s)'(?=\p{L})|[.!?…\n]+/gu
const opening = /["“”„«»‘‚']/u

/** The words of a text in order; `C++` and `C#` are words, an apostrophe or a hyphen parts two. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let sentence = 0
  let quoted = false
  for (const [piece] of text.matchAll(wordOrMark)) {
    if (/[\p{L}\p{N}]/u.test(piece)) {
      const capitals = piece.length >= 2 && piece === piece.toUpperCase() && piece !== piece.toLowerCase()
      words.push({ text: fold(piece), quoted, capitals, sentence })
      quoted = false
    } else if (opening.test(piece)) quoted = true
    else {
      sentence += 1
      quoted = false
    }
  }
  return words
}

/** A phrase as its folded words. */
export const asWords = (phrase: string): string[] => wordsOf(phrase).map((word) => word.text)

/** True when the words of a phrase follow each other in a text; false for a phrase without words. */
export function containsPhrase(text: readonly Word[], phrase: readonly string[]): boolean {
  const [first] = phrase
  if (first === undefined) return false
  for (let at = 0; at + phrase.length <= text.length; at++) {
    if (text[at]!.text === first && phrase.every((one, step) => text[at + step]!.text === one)) return true
  }
  return false
}

/** One step of a pattern: a word, a gap of up to eight words, something quoted, or something in capitals or quoted. */
type Step = { readonly word: string } | 'gap' | 'quoted' | 'named'

/** Patterns by their first word. */
export type Phrases = ReadonlyMap<string, readonly { readonly steps: readonly Step[]; readonly phrase: string; readonly asks: boolean }[]>

/** Words that a request can follow within its sentence: «like and comment …». */
const leadsIn = new Set(['and', 'just', 'please', 'then', 'simply', 'or', 'it', 'you', 'to', 'und', 'einfach', 'et', 'puis', 'y', 'solo', 'e', 'o', 'en', 'och', 'og'])

const longestGap = 8

/**
 * Reads a table of phrases, one a line. In a phrase `…` stands for up to eight words of the same sentence, `"X"` for something
 * quoted, `X` for something quoted or in capitals; it begins with a word. One that begins with `!` is a request: it opens its
 * sentence or follows «and», «just», «please» and their like, so that «her comment "yes" …» asks for nothing.
 */
export function readPhrases(...tables: readonly string[]): Phrases {
  const phrases = tables.flatMap((table) => table.split('\n').map((line) => line.trim()).filter((line) => line !== ''))
  const read = phrases.map((line) => {
    const asks = line.startsWith('!')
    const phrase = asks ? line.slice(1) : line
    const steps = phrase.split(/\s+/).flatMap((part): Step[] => {
      if (part === '…') return ['gap']
      if (part === '"X"') return ['quoted']
      if (part === 'X') return ['named']
      return asWords(part).map((word) => ({ word }))
    })
    const [first] = steps
    if (typeof first !== 'object') throw new Error(`the phrase «${phrase}» must begin with a word`)
    return { first: first.word, steps: steps.slice(1), phrase, asks }
  })
  return new Map([...Map.groupBy(read, ({ first }) => first)].map(([first, group]) => [first, group.map(({ steps, phrase, asks }) => ({ steps, phrase, asks }))]))
}

function follows(words: readonly Word[], at: number, steps: readonly Step[], sentence: number): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (step === 'gap') {
    for (let skip = 0; skip <= longestGap; skip++) if (follows(words, at + skip, rest, sentence)) return true
    return false
  }
  const word = words[at]
  if (word === undefined || word.sentence !== sentence) return false
  const fits = step === 'quoted' ? word.quoted : step === 'named' ? word.quoted || word.capitals : word.text === step.word
  return fits && follows(words, at + 1, rest, sentence)
}

/** The first phrase of a table that a text holds, within one sentence; null when it holds none. */
export function findPhrase(words: readonly Word[], phrases: Phrases): string | null {
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]
    const mayAsk = before === undefined || before.sentence !== word.sentence || leadsIn.has(before.text)
    const found = phrases.get(word.text)?.find(({ steps, asks }) => (mayAsk || !asks) && follows(words, at + 1, steps, word.sentence))
    if (found) return found.phrase
  }
  return null
}
