/** Builds the PostgreSQL regular expression that finds mentions of a person in texts. */
import { foldText } from '@les/contract'
import { withoutAccents } from '../../platform/rules/accents.ts'
import { spokenForms, hasNickname, wordLetters, type ErasedPerson } from '../accounts/index.ts'

/** Letters, also full-width and bold ones. Listed, so that the expression does not depend on the database's locale. */
const letters = String.raw`${wordLetters}\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff`
/** JSON writes a line break as a backslash and a letter; that letter is not part of a name. */
const escaped = String.raw`\\[bfnrt]`
/** Optional vowels and signs of Hebrew and Arabic, and the line that stretches an Arabic word. */
const points = String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0640\u064b-\u065f\u0670`
const eachPoint = new RegExp(`[${points}]`, 'g')
/** May follow any letter: accents and invisible signs. */
const accents = String.raw`[\u0300-\u036f${points}\u00ad\u200b-\u200f\u2060\ufeff]*`
const blanks = String.raw`(?:[ \t\n\r\u00a0\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]|\\[nrt])`
/** Between the words of a name: blanks and emoji, or a blank as addresses, HTML and tables write it. */
const between = String.raw`[.]?(?:(?:${blanks}|[\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])+|%20|&nbsp;|[+_]|${blanks}?[/|]${blanks}?)`
/** As `between`, around a nickname in quotes or brackets; JSON puts a backslash before quotes. */
const betweenQuoted = String.raw`(?:["“”„«»()'‘’]|\\")?${between}(?:["“”„«»()'‘’]|\\")?`
/** In Chinese and Japanese: a blank or nothing, or a dot in foreign names. */
const betweenIdeographs = String.raw`(?:${blanks}|[\u00b7\u30fb\uff65])*`

/**
 * Before a name: neither part of a word or of a hyphenated name, nor half of a JSON escape. It is matched and written back, since
 * a look-behind takes ten times as long.
 */
const before = String.raw`(^|[^\\${letters}-]|(?:^|[^${letters}])-|${escaped}-?)`
const beforeId = String.raw`(^|[^\\A-Za-z0-9_-]|${escaped})`
const beforeHandle = `(/in/|/posts/|%2[Ff]in%2[Ff]|%2[Ff]posts%2[Ff])`
const beforeHandleOfPage = `(/in/|%2[Ff]in%2[Ff])`
/** The address of a post ends with its first words and its number. */
const beforeSlug = '([_-])'
/** There a genitive `s` has no apostrophe. */
const afterSlug = String.raw`s?(?=-(?:[^/?#\s"\\]*-)?(?:activity|share|ugcPost)-[0-9])`
const beforeMail = String.raw`(^|[^\\${letters}.+_-]|${escaped})`
const after = `s?(?!-?[${letters}])`
const afterId = '(?![A-Za-z0-9_-])'
const afterHandle = `(?!-?[${letters}]|%[^23])`
const afterMail = `(?![.-]?[${letters}])`

/** Letters whose stroke or dot is no separate accent. */
const withoutStroke: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ø: 'o' }

/** Letters written as one sign or two; names are compared in the two-letter form. */
const asTwo: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', þ: 'th' }
const asOne: Readonly<Record<string, string>> = { ae: 'æÆ', oe: 'œŒ', th: 'þÞ', ss: 'ßẞ' }

/** A text in lower case, without accents, strokes and ligatures. */
const plain = (text: string): string =>
  withoutAccents(foldText(text).normalize('NFD').replace(eachPoint, '')).replace(
    /[łđðħŧıøæœþ]/g,
    (letter) => withoutStroke[letter] ?? asTwo[letter]!,
  )

/** Code points of most scripts, and of bold, cursive and full-width letters. */
const comparedLetters = [
  { from: 0x21, to: 0x24ff },
  { from: 0xff01, to: 0xff5e },
  { from: 0x1d400, to: 0x1d7ff },
]

/** Letters with the same plain form, by that form; ten thousand, so computed only when the first person is erased. */
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

/** A character class with each character as a number, so that no sign in a name has a special meaning. */
const oneOf = (characters: readonly string[]): string =>
  `[${characters.map((each) => String.raw`\U${each.codePointAt(0)!.toString(16).padStart(8, '0')}`).join('')}]`

/** Signs may be omitted, a hyphen may be a blank, and an apostrophe may be encoded as in addresses or HTML. */
const letterIn = (letter: string): string => {
  if (letter === "'") return `(?:${oneOf(lettersLike(letter))}|%27|&#39;|&apos;)?`
  if (letter === '-') return oneOf([...lettersLike(letter), ' '])
  return oneOf(lettersLike(letter)) + (/[.·]/.test(letter) ? '?' : '') + accents
}

/** A word letter by letter; two letters may also be written as one. */
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

/** One way to write a name: a pattern per word. */
type Spelling = readonly string[]

const inWords = (name: string, wordIn: (word: string) => string): Spelling[] =>
  spokenForms(name).map((words) => words.map(wordIn))

/** German and Scandinavian letters as written without umlauts. */
const inTwoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const withoutUmlauts = (name: string): string => name.replace(/[äöüåø]/g, (letter) => inTwoLetters[letter]!)

/** A name in any case: without accents, with umlauts as two letters, and as written, for letters not in `comparedLetters`. */
function wordsIn(name: string): Spelling[] {
  const written = name.normalize('NFC')
  return [
    ...inWords(plain(name), withAnyAccent),
    ...inWords(plain(withoutUmlauts(foldText(name))), withAnyAccent),
    ...inWords(written, inAnyCase),
  ]
}

const ideographs = /^\p{sc=Han}|^\p{sc=Hira}|^\p{sc=Kana}|^\p{sc=Hangul}/u

/** First name and last name, as in running text. */
function nameIn(name: string): string[] {
  if (ideographs.test(name)) return wordsIn(name).map((words) => words.join(betweenIdeographs))
  return wordsIn(name).flatMap((words) => [
    words.join(between),
    ...(hasNickname(name) && words.length > 2 ? [words.join(betweenQuoted)] : []),
  ])
}

const hashtagsOf = (name: string): string[] => wordsIn(name).map((words) => `#${words.join('')}`)

/**
 * Last name first: «Lind, Anna», or «LIND Anna» without a comma. Each word must begin with a capital letter or as the person
 * writes it, since ordinary words can be names too.
 */
function reversedAsNames(name: string): string[] {
  const asWritten = spokenForms(name.normalize('NFC'))
  return spokenForms(plain(name)).flatMap((words, nth) => {
    if (words.length < 2 || isSaidOften(name)) return []
    const begun = words.map((word, place) => beginning(word, asWritten[nth]?.[place] ?? ''))
    const last = words.at(-1)!
    return lastNamesOf(words).flatMap((ofLast) => {
      const others = begun.slice(0, -ofLast).join(between)
      const inCapitals = words.slice(-ofLast).map((word) => spelled(word, capitalIn))
      return [
        `${begun.slice(-ofLast).join(between)},${blanks}*${others}`,
        ...(isCased(last[0]!) && last.length > 1 ? [`${inCapitals.join(between)}${blanks}+${others}`] : []),
      ]
    })
  })
}

/** How many words the last name may have: one in «Lind, Anna», three in «van der Berg, Anna». */
const lastNamesOf = (words: readonly string[]): number[] => [1, 2, 3].filter((count) => count < words.length)

const capitalIn = (letter: string): string => (isCased(letter) ? oneOf(capitals(letter)) + accents : letterIn(letter))

/** Last names that stand before a comma, or begin a sentence, mostly as ordinary words. */
const saidOften = new Set(['april', 'august', 'can', 'june', 'march', 'may', 'will'])
const isSaidOften = (name: string): boolean => spokenForms(plain(name)).some((words) => saidOften.has(words.at(-1)!))

const capitals = (letter: string): string[] => lettersLike(letter).filter((each) => each !== each.toLowerCase())
const isCased = (letter: string): boolean => capitals(letter).length > 0

/** A word that begins with a capital letter, or with the person's own first letter. */
function beginning(word: string, written: string): string {
  const [first = '', ...rest] = [...word]
  const [own = first] = [...written]
  const begins = isCased(first) ? oneOf([...capitals(first), own]) : letterIn(first)
  const inTwo = begins + accents + withAnyAccent(rest.join(''))
  return asOne[word.slice(0, 2)]?.includes(own) ? `(?:${inTwo}|${oneOf([own])}${withAnyAccent(word.slice(2))})` : inTwo
}

/** A name in the address of a post: without signs, perhaps percent-encoded. */
function slugWordsOf(name: string): Spelling[] {
  const inSlug = (word: string) => word.replace(/[.']/g, '')
  const encoded = (word: string) => inAnyCase(encodeURIComponent(inSlug(word).toLowerCase()))
  return [...inWords(plain(name), (word) => withAnyAccent(inSlug(word))), ...inWords(name.normalize('NFC'), encoded)]
}

const slugsOf = (name: string): string[] =>
  slugWordsOf(name).flatMap((words) => [
    words.join('-'),
    // A hashtag loses only its sign.
    words.join(''),
    ...(isSaidOften(name)
      ? []
      : lastNamesOf(words).map((ofLast) => [...words.slice(-ofLast), ...words.slice(0, -ofLast)].join('-'))),
  ])

/** A name in the query of an address. */
const encodedIn = (name: string): string[] =>
  inWords(name.normalize('NFC'), (word) => inAnyCase(encodeURIComponent(word))).map((words) =>
    words.join('[.]?(?:%20|[+])'),
  )

/** The longest words of a name. Each spelling contains one; they are searched for first, since few texts contain them. */
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
  spokenForms(name).map((words) => words.toSorted((a, b) => b.length - a.length)[0]!)

/** Texts as patterns, except those with quotes or backslashes, which would break JSON and are in no name of the network. */
const written = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.length > 2 && !/["\\\s]/.test(text)).map(inAnyCase)

/** Handles as the words of an address have them: they may have lost their accents. */
const inWordsOf = (handles: readonly string[]): string[] => [...new Set([...handles, ...handles.map(plain)])]

/** Two regular expressions: `named`, a quick first test for part of a name, and `mention`, the full mention in a text. */
export type MentionPatterns = { readonly named: string; readonly mention: string }

/** The replacement for `mention`: each kind of name has a group that keeps what precedes it. */
export const erasedMention = String.raw`\1\2\3\4\5\6\7\8[erased]`

/** Handles in every form that texts have. */
const formsOf = (handles: readonly string[]): string[] =>
  written([...new Set([...handles, ...handles.map(encodeURIComponent)])])

/** Whether a handle standing alone is no word and no number, as `sales` or `51-200` may be. */
const standsAlone = (handle: string): boolean => /[-\d]/.test(handle) && /\p{L}/u.test(handle)

/** `pages`: handles that are slugs of company pages, whose posts stay; `byMembers`: texts in which handles stand alone. */
type Texts = { readonly pages?: readonly string[]; readonly byMembers?: boolean }

/** The expressions for a person; null when none of their names identifies them. */
export function mentionPatterns(
  { urns, handles, names, mails = [] }: ErasedPerson,
  { pages = [], byMembers = false }: Texts = {},
): MentionPatterns | null {
  const handleForms = formsOf(handles)
  const kinds = [
    { before, named: namedBy(names, [nameIn, encodedIn]), after },
    { before, named: namedBy(names, [reversedAsNames]), after },
    // There a handle has lost its `@`: one without a hyphen or a digit may be a word.
    {
      before: beforeSlug,
      named: [...namedBy(names, [slugsOf]), ...written(inWordsOf(handles).filter((handle) => /[-\d]/.test(handle)))],
      after: afterSlug,
    },
    { before: beforeId, named: written(urns), after: afterId },
    { before: beforeHandle, named: formsOf(handles.filter((handle) => !pages.includes(handle))), after: afterHandle },
    { before: beforeHandleOfPage, named: formsOf(pages), after: afterHandle },
    {
      before: beforeMail,
      named: [
        ...handleForms.map((handle) => `@${handle}`),
        ...(byMembers ? formsOf(handles.filter(standsAlone)) : []),
        ...namedBy(names, [hashtagsOf]),
      ],
      after: afterHandle,
    },
    { before: beforeMail, named: written(mails), after: afterMail },
  ].filter(({ named }) => named.length > 0)
  if (kinds.length === 0) return null
  return {
    named: [
      ...namedBy(names, [longestIn]),
      ...written([...urns, ...inWordsOf(handles), ...mails]),
      ...handleForms,
    ].join('|'),
    mention: kinds.map((kind) => `${kind.before}(?:${kind.named.join('|')})${kind.after}`).join('|'),
  }
}

const namedBy = (names: readonly string[], ways: readonly ((name: string) => string[])[]): string[] => [
  ...new Set(ways.flatMap((way) => names.flatMap(way))),
]
