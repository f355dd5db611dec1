/** What a person is named by in texts of others, as one regular expression of PostgreSQL. */
import { foldText } from '@les/contract'
import { withoutAccents } from '../../platform/rules/accents.ts'
import { calledBy, hasNickname, wordLetters, type ErasedPerson } from '../accounts/index.ts'

/** With full-width and bold letters; the expression does not depend on the locale of the database. */
const letters = String.raw`${wordLetters}\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff`
/** A line break in the text of JSON is a backslash and a letter, which is no letter of a name. */
const escaped = String.raw`\\[bfnrt]`
/** Vowels and signs that Hebrew and Arabic write or leave out, and the line by which Arabic draws a word out. */
const points = String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0640\u064b-\u065f\u0670`
const eachPoint = new RegExp(`[${points}]`, 'g')
/** What a letter may be followed by: accents, and signs that nobody sees. */
const accents = String.raw`[\u0300-\u036f${points}\u00ad\u200b-\u200f\u2060\ufeff]*`
const blanks = String.raw`(?:[ \t\n\r\u00a0\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]|\\[nrt])`
/** What stands between the words of a name: blanks, and pictures among them; or what an address or HTML has for a blank. */
const between = String.raw`[.]?(?:(?:${blanks}|[\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])+|%20|&nbsp;|[+_])`
/** The same around a nickname in quotes or brackets; quotes in JSON have a backslash. */
const betweenQuoted = String.raw`(?:["“”„«»()'‘’]|\\")?${between}(?:["“”„«»()'‘’]|\\")?`
/** Chinese and Japanese names have a blank or none, foreign ones a dot. */
const betweenIdeographs = String.raw`(?:${blanks}|[\u00b7\u30fb\uff65])*`

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
const after = `s?(?!-?[${letters}])`
const afterId = '(?![A-Za-z0-9_-])'
const afterHandle = `(?!-?[${letters}]|%[^23])`
const afterMail = `(?![.-]?[${letters}])`

/** Letters whose stroke or dot is a part of them. */
const withoutStroke: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ı: 'i', ø: 'o' }

/** Letters that are one sign or two, in which a name is compared. */
const asTwo: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', þ: 'th' }
const asOne: Readonly<Record<string, string>> = { ae: 'æÆ', oe: 'œŒ', th: 'þÞ', ss: 'ßẞ' }

/** A text in lower case and without accents. */
const plain = (text: string): string =>
  withoutAccents(foldText(text).normalize('NFD').replace(eachPoint, '')).replace(
    /[łđħŧıøæœþ]/g,
    (letter) => withoutStroke[letter] ?? asTwo[letter]!,
  )

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

/** Signs may be left out, a hyphen be a blank, an apostrophe what an address or HTML writes for it. */
const letterIn = (letter: string): string => {
  if (letter === "'") return `(?:${oneOf(lettersLike(letter))}|%27|&#39;|&apos;)?`
  if (letter === '-') return oneOf([...lettersLike(letter), ' '])
  return oneOf(lettersLike(letter)) + (/[.·]/.test(letter) ? '?' : '') + accents
}

/** A word by its letters, of which two may be written as one. */
const spelled = (word: string, inLetter: (letter: string) => string): string =>
  word
    .split(/(ae|oe|th|ss)/)
    .map((part) => {
      const each = [...part].map(inLetter).join('')
      return asOne[part] === undefined ? each : `(?:${each}|${oneOf([...asOne[part]])}${accents})`
    })
    .join('')

const withAnyAccent = (word: string): string => spelled(word, letterIn)

const inAnyCase = (text: string): string =>
  [...text]
    .map((sign) => oneOf([sign, sign.toLowerCase(), sign.toUpperCase()].filter((each) => [...each].length === 1)))
    .join('')

/** The ways in which words make a name, each a pattern of its words. */
type Spelling = readonly string[]

const inWords = (name: string, wordIn: (word: string) => string): Spelling[] =>
  calledBy(name).map((words) => words.map(wordIn))

/** German and Scandinavian letters as they are written where there are none. */
const inTwoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const withoutUmlauts = (name: string): string => name.replace(/[äöüåø]/g, (letter) => inTwoLetters[letter]!)

/** What somebody is called, in any case and with or without accents, and as it is written, with letters that have other forms. */
function wordsIn(name: string): Spelling[] {
  const written = name.normalize('NFC')
  return [
    ...inWords(plain(name), withAnyAccent),
    ...inWords(plain(withoutUmlauts(foldText(name))), withAnyAccent),
    ...inWords(written, inAnyCase),
  ]
}

const ideographs = /^\p{sc=Han}|^\p{sc=Hira}|^\p{sc=Kana}|^\p{sc=Hangul}/u

/** First and last name in a text. */
function nameIn(name: string): string[] {
  if (ideographs.test(name)) return wordsIn(name).map((words) => words.join(betweenIdeographs))
  return wordsIn(name).flatMap((words) => [
    words.join(between),
    ...(hasNickname(name) && words.length > 2 ? [words.join(betweenQuoted)] : []),
  ])
}

/** In one word behind the sign of a hashtag. */
const hashtagsOf = (name: string): string[] => wordsIn(name).map((words) => `#${words.join('')}`)

/**
 * The same where it is read as a name: each word begins with a capital letter, or as the person writes it; a last name in capitals needs
 * no comma. Words such as «will» and «may» are names too.
 */
function reversedAsNames(name: string): string[] {
  const asWritten = calledBy(name.normalize('NFC'))
  return calledBy(plain(name)).flatMap((words, nth) => {
    if (words.length < 2 || isSaidOften(name)) return []
    const begun = words.map((word, place) => beginning(word, asWritten[nth]?.[place] ?? ''))
    const others = begun.slice(0, -1).join(between)
    const last = words.at(-1)!
    const inCapitals = spelled(last, (letter) =>
      isCased(letter) ? oneOf(capitals(letter)) + accents : letterIn(letter),
    )
    return [
      `${begun.at(-1)},${blanks}*${others}`,
      ...(isCased(last[0]!) && last.length > 1 ? [`${inCapitals}${blanks}+${others}`] : []),
    ]
  })
}

/** Last names that begin a sentence, or stand before a comma, more often as words. */
const saidOften = new Set(['april', 'august', 'can', 'june', 'march', 'may', 'will'])
const isSaidOften = (name: string): boolean => calledBy(plain(name)).some((words) => saidOften.has(words.at(-1)!))

const capitals = (letter: string): string[] => lettersLike(letter).filter((each) => each !== each.toLowerCase())
const isCased = (letter: string): boolean => capitals(letter).length > 0

/** A word that begins with a capital letter, or with that which it is written with. */
function beginning(word: string, written: string): string {
  const [first = '', ...rest] = [...word]
  const [own = first] = [...written]
  const begins = isCased(first) ? oneOf([...capitals(first), own]) : letterIn(first)
  const inTwo = begins + accents + withAnyAccent(rest.join(''))
  return asOne[word.slice(0, 2)]?.includes(own) ? `(?:${inTwo}|${oneOf([own])}${withAnyAccent(word.slice(2))})` : inTwo
}

/** The same in the address of a post: without signs, and perhaps percent-encoded. */
function slugWordsOf(name: string): Spelling[] {
  const inSlug = (word: string) => word.replace(/[.']/g, '')
  const encoded = (word: string) => inAnyCase(encodeURIComponent(inSlug(word).toLowerCase()))
  return [...inWords(plain(name), (word) => withAnyAccent(inSlug(word))), ...inWords(name.normalize('NFC'), encoded)]
}

const slugsOf = (name: string): string[] =>
  slugWordsOf(name).flatMap((words) => [
    words.join('-'),
    // Of a hashtag nothing but its sign is left out.
    words.join(''),
    ...(words.length < 2 || isSaidOften(name) ? [] : [[words.at(-1), ...words.slice(0, -1)].join('-')]),
  ])

/** And in the query of an address. */
const encodedIn = (name: string): string[] =>
  inWords(name.normalize('NFC'), (word) => inAnyCase(encodeURIComponent(word))).map((words) =>
    words.join('[.]?(?:%20|[+])'),
  )

/** The longest word of a name, of which each of these spellings has one: it is looked for first, since it is in few texts. */
function longestIn(name: string): string[] {
  const [longest, written] = [longestWords, name.normalize('NFC')]
  const encoded = [written, written.toLowerCase()]
    .flatMap(longest)
    .map((word) => encodeURIComponent(word.replace(/[.']/g, '')))
  return [
    ...longest(plain(name)).map(withAnyAccent),
    ...longest(plain(withoutUmlauts(foldText(name)))).map(withAnyAccent),
    ...longest(written).map(inAnyCase),
    ...encoded.filter((word) => word.includes('%')).map(inAnyCase),
  ]
}

const longestWords = (name: string): string[] =>
  calledBy(name).map((words) => words.toSorted((a, b) => b.length - a.length)[0]!)

/** Quotes and backslashes would end a text of JSON, and are in no name of the network. */
const written = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.length > 2 && !/["\\\s]/.test(text)).map(inAnyCase)

/** How somebody is found: `named` by a part of what names them, which is looked for first, and `mention` as it stands in a text. */
export type MentionPatterns = { readonly named: string; readonly mention: string }

/** What `mention` is replaced by: one group for each kind of name keeps what stands before it. */
export const erasedMention = String.raw`\1\2\3\4\5\6\7[erased]`

/** The expressions for a person; null of one who is known by nothing that tells who they are. */
export function mentionPatterns({ urns, handles, names, mails = [] }: ErasedPerson): MentionPatterns | null {
  const handleForms = written([...new Set([...handles, ...handles.map(encodeURIComponent)])])
  const kinds = [
    { before, named: namedBy(names, [nameIn, encodedIn]), after },
    { before, named: namedBy(names, [reversedAsNames]), after },
    { before: beforeSlug, named: namedBy(names, [slugsOf]), after: afterSlug },
    { before: beforeId, named: written(urns), after: afterId },
    { before: beforeHandle, named: handleForms, after: afterHandle },
    {
      before: beforeMail,
      named: [...handleForms.map((handle) => `@${handle}`), ...namedBy(names, [hashtagsOf])],
      after: afterHandle,
    },
    { before: beforeMail, named: written(mails), after: afterMail },
  ].filter(({ named }) => named.length > 0)
  if (kinds.length === 0) return null
  return {
    named: [...namedBy(names, [longestIn]), ...written(urns), ...handleForms, ...written(mails)].join('|'),
    mention: kinds.map((kind) => `${kind.before}(?:${kind.named.join('|')})${kind.after}`).join('|'),
  }
}

const namedBy = (names: readonly string[], ways: readonly ((name: string) => string[])[]): string[] => [
  ...new Set(ways.flatMap((way) => names.flatMap(way))),
]
