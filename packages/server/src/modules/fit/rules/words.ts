/** Text as words, so that phrases are found whole and quickly (`phrases.ts`). */
import { fold } from '../../../platform/rules/words.ts'
import { quotations } from './quotations.ts'

/** A word of a text, folded, and how it stands there. */
export type Word = {
  readonly text: string
  /** It stands at the head of a quotation. */
  readonly quoted: boolean
  /** It stands anywhere inside one that is closed again. */
  readonly inQuotation: boolean
  /** Written in capitals. */
  readonly capitals: boolean
  /** Begins with a capital letter. */
  readonly titled: boolean
  /** A hashtag. */
  readonly tag: boolean
  /** Which sentence, and which part of it between commas, colons and dashes. */
  readonly sentence: number
  readonly clause: number
  /** Its sentence ends with a question mark. */
  readonly asked: boolean
}

const wordOrMark =
  /#?[\p{L}\p{N}\p{M}]+(?:[+#]+(?![\p{L}\p{N}]))?|["“”„«»‘‚]|(?<=^|\s)'(?=\p{L})|[.!?…\n]+|[,;:()–—]|(?<=\s)-(?=\s)/gu
const opening = /["“”„«»‘‚']/u
const ending = /[.!?…\n]/u

/** The words of a text in order; `C++` and `C#` are words, an apostrophe or a hyphen parts two. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const isQuoted = quotations(text)
  let sentence = 0
  let clause = 0
  let quoted = false
  // The words of the sentence so far are made anew once it turns out to be a question.
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

/** A phrase as its folded words. */
export const asWords = (phrase: string): string[] => wordsOf(phrase).map((word) => word.text)
