/**
 * Splits text into the words that matching compares, in linear time. Every character is a word in scripts without spaces between
 * words (Chinese, Japanese, Thai and similar) and in Korean, whose endings attach to the word; so is an emoji.
 */
import { foldLetters } from '@les/contract'

const onlyAscii = /^[\u0000-\u007f]*$/
const tooManyMarks = /(\p{M}{8})\p{M}+/gu
const symbolsStuckToWords = /[™℠®©]/g
/** Accents, Hebrew points, Arabic vowels and stretching strokes, and invisible characters. */
const weakMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08d3-\u08ff]|\p{Cf}/gu
const apart: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ı: 'i' }
/** The mark in Hebrew abbreviations, usually typed as a quote: מנכ״ל, מנכ"ל. */
const quoteInHebrew = /(?<=\p{sc=Hebrew})["'״“”](?=\p{sc=Hebrew})/gu
/** The Arabic article, also after a one-letter word, is written attached to its noun. */
const arabicArticle = /(?<![\p{L}\p{N}])(?:[وفبك]?ال|لل)(?=\p{sc=Arabic}{3})/gu

/** The form in which texts are compared: `foldLetters`, without accents. */
export function fold(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase()
  // Normalising sorts combining marks in quadratic time, so cut runs of them first.
  const cleaned = text.replace(tooManyMarks, '$1').replace(symbolsStuckToWords, ' ')
  const plain = foldLetters(cleaned.normalize('NFKD').replace(weakMarks, ''))
  const spelled = plain
    .normalize('NFKD')
    .replace(weakMarks, '')
    .replace(/[øæœłđı]/g, (letter) => apart[letter]!)
  // Recombines Korean syllables, and Japanese letters with marks.
  return spelled.normalize('NFC').replace(quoteInHebrew, '').replace(arabicArticle, '')
}

type CharacterClass = 1 | 2 | 3 | 4 | 5 | 6
const separator = 1
const letter = 2
/** A word by itself; spaces between ideographs mean nothing. */
const ideograph = 3
/** Part of the word before it. */
const mark = 4
/** A word by itself, in a script with meaningful spaces. */
const syllable = 5
const picture = 6

const ideographs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}]/u
const syllables = /[\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const pictures = /[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u
const letterOrDigit = /[\p{L}\p{N}]/u
const anyMark = /\p{M}/u

function classify(character: string): CharacterClass {
  if (anyMark.test(character)) return mark
  if (pictures.test(character)) return picture
  if (!letterOrDigit.test(character)) return separator
  if (ideographs.test(character)) return ideograph
  return syllables.test(character) ? syllable : letter
}

const classes = new Uint8Array(0x110000)

function classAt(text: string, at: number): CharacterClass {
  const point = text.codePointAt(at)!
  const known = classes[point] as CharacterClass | 0
  if (known !== 0) return known
  const found = classify(String.fromCodePoint(point))
  classes[point] = found
  return found
}

const widthAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)
const isWordAt = (text: string, at: number): boolean => at < text.length && classAt(text, at) !== separator

const leadingSigns = '#@.$'
const trailingSigns = '+#%'

/** `sign`: what makes `#hiring`, `C++` or `.NET` more than letters; `gap`: no match spans a word's end and the next one. */
type Cut = { word(start: number, end: number): void; sign(start: number, end: number): void; gap(): void }

/** Splits folded text into words, and the signs attached to them. */
export function cut(folded: string, report: Cut): void {
  let at = 0
  let endOfWord = -1
  let before: CharacterClass = separator
  while (at < folded.length) {
    const kind = classAt(folded, at)
    if (kind === separator || kind === mark) {
      at += widthAt(folded, at)
      continue
    }
    const isJoined = kind === ideograph && before === ideograph && isBlank(folded, endOfWord, at)
    if (isAlone(kind) && isAlone(before) && at !== endOfWord && !isJoined) report.gap()
    if (at > 0 && at - 1 !== endOfWord && leadingSigns.includes(folded[at - 1]!)) report.sign(at - 1, at)
    endOfWord = wordEnd(folded, at, kind)
    report.word(at, endOfWord)
    before = kind
    at = endOfWord
    while (at < folded.length && trailingSigns.includes(folded[at]!)) at++
    if (at === endOfWord) continue
    if (isWordAt(folded, at)) at = endOfWord
    else report.sign(endOfWord, at)
  }
}

const isAlone = (kind: CharacterClass): boolean => kind === ideograph || kind === syllable

/** Whether only spaces are there, as some people write between ideographs. */
function isBlank(folded: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (folded[at] !== ' ' && folded[at] !== '\u3000') return false
  return true
}

function wordEnd(folded: string, start: number, kind: CharacterClass): number {
  let end = start + widthAt(folded, start)
  while (end < folded.length) {
    const next = classAt(folded, end)
    if (next !== mark && (kind !== letter || next !== letter)) return end
    end += widthAt(folded, end)
  }
  return end
}
