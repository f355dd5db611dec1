/** Splits text into words, for `phrases.ts`. */
import { fold } from '../../../platform/rules/words.ts'
import { quotations } from './quotations.ts'

/** A folded word, and how it stands in the text. */
export type Word = {
  readonly text: string
  /** The first word of a quotation. */
  readonly quoted: boolean
  /** Inside a quotation that is closed. */
  readonly inQuotation: boolean
  readonly capitals: boolean
  readonly titled: boolean
  readonly tag: boolean
  /** The index of the sentence, and of the part of the text between commas, colons and dashes. */
  readonly sentence: number
  readonly clause: number
  /** Its sentence ends with a question mark. */
  readonly asked: boolean
}

const wordOrMark =
  /#?[\p{L}\p{N}\p{M}]+(?:[+#]+(?![\p{L}\p{N}]))?|["“”„«»‘‚]|(?<=^|\s)'(?=\p{L})|[.!?…\n]+|[,;:()–—]|(?<=\s)-(?=\s)/gu
const opening = /["“”„«»‘‚']/u
const ending = /[.!?…\n]/u

/** The words of a text in order; `C++` and `C#` are words, and apostrophes and hyphens separate words. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const isQuoted = quotations(text)
  let sentence = 0
  let clause = 0
  let quoted = false
  // Where the sentence begins: its words are marked once it proves to be a question.
  let begins = 0
  for (const { 0: piece, index } of text.matchAll(wordOrMark)) {
    if (/[\p{L}\p{N}]/u.test(piece)) {
      const tag = piece.startsWith('#')
      const plain = tag ? piece.slice(1) : piece
      const capitals = plain.length >= 2 && plain === plain.toUpperCase() && plain !== plain.toLowerCase()
      words.push({
        text: fold(plain),
        quoted,
        inQuotation: isQuoted(index),
        capitals,
        titled: /^\p{Lu}/u.test(plain),
        tag,
        sentence,
        clause,
        asked: false,
      })
      quoted = false
    } else if (opening.test(piece)) quoted = true
    else {
      clause += 1
      quoted = false
      if (!ending.test(piece)) continue
      if (piece.includes('?')) for (let at = begins; at < words.length; at++) words[at] = { ...words[at]!, asked: true }
      begins = words.length
      sentence += 1
    }
  }
  return words
}

/** The folded words of a phrase. */
export const asWords = (phrase: string): string[] => wordsOf(phrase).map((word) => word.text)
