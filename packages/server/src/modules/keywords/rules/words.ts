/**
 * How text is cut into the words that whole-word matching compares.
 *
 * Case, accents and the decorated letters people paste into posts do not matter. Chinese, Japanese, Thai and their like, which put no
 * spaces between words, count every character as a word, and so does an emoji. Everything here takes time linear in the text.
 */

const tooManyMarks = /(\p{M}{8})\p{M}+/gu
const symbolsStuckToWords = /[\u200b™℠®©]/g
const accentsAndInvisibles = /[\u0300-\u036f\ufe00-\ufe0f]|\p{Cf}/gu

/** The text as it is compared: one case, no accents, compatibility letters made plain. */
export function fold(text: string): string {
  // Normalising sorts a run of combining marks in quadratic time, so runs no language uses are cut short first.
  const tame = text.replace(tooManyMarks, '$1').replace(symbolsStuckToWords, ' ')
  const plain = tame.normalize('NFKD').replace(accentsAndInvisibles, '')
  return plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

type CharacterClass = 1 | 2 | 3 | 4
const separator = 1
const letter = 2
/** A character that is a word of its own. */
const wordAlone = 3
/** A mark: part of the word it follows, and nothing without one. */
const mark = 4

const aloneCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{Emoji_Presentation}]/u
const letterOrDigit = /[\p{L}\p{N}]/u
const anyMark = /\p{M}/u

function classify(character: string): CharacterClass {
  if (anyMark.test(character)) return mark
  if (aloneCharacter.test(character)) return wordAlone
  return letterOrDigit.test(character) ? letter : separator
}

/** The class of each character met so far, by code point; 0 where none was met. */
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

/** What a cut reports, in the order of the text; `sign` is what makes `#hiring`, `C++` or `.NET` more than its letters. */
export type Cut = { word(start: number, end: number): void; sign(start: number, end: number): void }

/** Cuts folded text into words and the signs stuck to them. */
export function cut(folded: string, report: Cut): void {
  let at = 0
  let endOfWord = -1
  while (at < folded.length) {
    const kind = classAt(folded, at)
    if (kind === separator || kind === mark) {
      at += widthAt(folded, at)
      continue
    }
    if (at > 0 && at - 1 !== endOfWord && leadingSigns.includes(folded[at - 1]!)) report.sign(at - 1, at)
    endOfWord = wordEnd(folded, at, kind)
    report.word(at, endOfWord)
    at = endOfWord
    while (at < folded.length && trailingSigns.includes(folded[at]!)) at++
    if (at === endOfWord) continue
    if (isWordAt(folded, at)) at = endOfWord
    else report.sign(endOfWord, at)
  }
}

function wordEnd(folded: string, start: number, kind: CharacterClass): number {
  let end = start + widthAt(folded, start)
  while (end < folded.length) {
    const next = classAt(folded, end)
    if (next !== mark && (kind === wordAlone || next !== letter)) return end
    end += widthAt(folded, end)
  }
  return end
}
