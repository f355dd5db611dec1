/** What a person is named by in texts of others, as one regular expression of PostgreSQL. */
import { foldText } from '@les/contract'
import { withoutAccents } from '../../platform/rules/accents.ts'
import type { ErasedPerson } from '../accounts/index.ts'

/** Letters and digits of scripts that write words apart: the expression does not depend on the locale of the database. */
const letters = String.raw`0-9A-Za-z\u00c0-\u1fff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff`
/** A line break in the text of JSON is a backslash and a letter, which is no letter of a name. */
const escaped = String.raw`\\[bfnrt]`
const accents = String.raw`[\u0300-\u036f]*`
/** What stands between the words of a name: blanks, and pictures among them. */
const between = String.raw`[.]?(?:[ \t\n\r\u00a0\u3000\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]|\\[nrt])+`

/**
 * What stands before a name and stays there: no part of a word or of a name with a hyphen, and never half of an escape of JSON. It is
 * matched and written back: asking for it by a look behind takes ten times as long.
 */
const before = String.raw`(^|[^\\${letters}-]|(?:^|[^${letters}])-|${escaped}-?)`
const beforeId = String.raw`(^|[^\\A-Za-z0-9_-]|${escaped})`
const beforeHandle = `(/in/|/posts/|%2[Ff]in%2[Ff]|%2[Ff]posts%2[Ff])`
/** The address of a post ends with the first words of it, and its number. */
const beforeSlug = '([_-])'
/** The `s` of a genitive has lost its apostrophe. */
const afterSlug = String.raw`s?(?=-(?:[^/?#\s"\\]*-)?(?:activity|share|ugcPost)-[0-9])`
const beforeMail = String.raw`(^|[^\\${letters}.+_-]|${escaped})`
const after = `(?!-?[${letters}])`
const afterId = '(?![A-Za-z0-9_-])'
const afterHandle = `(?!-?[${letters}]|%[^23])`
const afterMail = `(?![.-]?[${letters}])`

/** A text in lower case and without accents. */
const plain = (text: string): string => withoutAccents(foldText(text))

/** Letters and signs of most scripts, and the bold, cursive and full-width ones that people write for them. */
const comparedLetters = [
  { from: 0x21, to: 0x24ff },
  { from: 0xff01, to: 0xff5e },
  { from: 0x1d400, to: 0x1d7ff },
]

/** Those that are the same in lower case, without accents and in plain letters: ten thousand, looked at when the first person is erased. */
let sameLetters: ReadonlyMap<string, readonly string[]> | undefined

const lettersLike = (letter: string): readonly string[] => {
  sameLetters ??= Map.groupBy(
    comparedLetters.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, place) => String.fromCodePoint(from + place)),
    ),
    plain,
  )
  return sameLetters.get(letter) ?? [letter]
}

/** A class of characters, each by its number, so that no sign in a name has a meaning. */
const oneOf = (characters: readonly string[]): string =>
  `[${characters.map((each) => String.raw`\U${each.codePointAt(0)!.toString(16).padStart(8, '0')}`).join('')}]`

const withAnyAccent = (word: string): string => [...word].map((letter) => oneOf(lettersLike(letter)) + accents).join('')

const inAnyCase = (text: string): string =>
  [...text]
    .map((sign) => oneOf([sign, sign.toLowerCase(), sign.toUpperCase()].filter((each) => [...each].length === 1)))
    .join('')

/** The words at the beginning of a name. */
function firstWords(name: string): string[] {
  const [called = ''] = /[\p{L}\p{M}\p{N} .'-]+/u.exec(name.replace(/^[^\p{L}]+/u, '')) ?? []
  return called.match(/[\p{L}\p{M}\p{N}]+(?:[.'-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
}

/**
 * The words that somebody is called; none of a single word, which means too many. What follows a comma, a bracket or a picture is a title,
 * unless the picture stands between first and last name.
 */
function wordsOf(name: string): string[] {
  const first = firstWords(name)
  const words = first.length > 1 ? first : firstWords(name.replace(/\p{So}(?:\p{So}|\p{Cf}|\ufe0f|\s)*/gu, ' '))
  return words.length < 2 || words.every((word) => word.length < 2) ? [] : words
}

/** What somebody is called, in any case and with or without accents, and as it is written, with letters that have other forms. */
function nameIn(name: string): string[] {
  return joined([wordsOf(plain(name)).map(withAnyAccent), wordsOf(name.normalize('NFC')).map(inAnyCase)], between)
}

/** The same in the address of a post: without signs, and perhaps percent-encoded. */
function slugsOf(name: string): string[] {
  const inSlug = (word: string) => word.replace(/[.']/g, '')
  const encoded = (word: string) => inAnyCase(encodeURIComponent(inSlug(word).toLowerCase()))
  return joined(
    [wordsOf(plain(name)).map((word) => withAnyAccent(inSlug(word))), wordsOf(name.normalize('NFC')).map(encoded)],
    '-',
  )
}

/** Spellings of a name from their words; one that has none is no name. */
const joined = (spellings: readonly (readonly string[])[], separator: string): string[] =>
  spellings.filter((words) => words.length > 0).map((words) => words.join(separator))

/** Quotes and backslashes would end a text of JSON, and are in no name of the network. */
const written = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.length > 2 && !/["\\\s]/.test(text)).map(inAnyCase)

/** How somebody is found: `named` by what names them alone, which is looked for first, and `mention` as it stands in a text. */
export type MentionPatterns = { readonly named: string; readonly mention: string }

/** What `mention` is replaced by: one group for each kind of name keeps what stands before it. */
export const erasedMention = String.raw`\1\2\3\4\5\6[erased]`

/** The expressions for a person; null of one who is known by nothing that tells who they are. */
export function mentionPatterns({ urns, handles, names, mails = [] }: ErasedPerson): MentionPatterns | null {
  const handleForms = written([...new Set([...handles, ...handles.map(encodeURIComponent)])])
  const kinds = [
    { before, named: [...new Set(names.flatMap(nameIn))], after },
    { before: beforeSlug, named: [...new Set(names.flatMap(slugsOf))], after: afterSlug },
    { before: beforeId, named: written(urns), after: afterId },
    { before: beforeHandle, named: handleForms, after: afterHandle },
    { before: beforeMail, named: handleForms.map((handle) => `@${handle}`), after: afterHandle },
    { before: beforeMail, named: written(mails), after: afterMail },
  ].filter(({ named }) => named.length > 0)
  if (kinds.length === 0) return null
  return {
    named: kinds.flatMap(({ named }) => named).join('|'),
    mention: kinds.map((kind) => `${kind.before}(?:${kind.named.join('|')})${kind.after}`).join('|'),
  }
}
