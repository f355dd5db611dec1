/** Finds a person to be erased in texts and JSON values by all their names, and removes them. */
import { decodeFully, foldText, isMemberId, readPersonName } from '@les/contract'
import { withoutAccents } from '../../../platform/rules/accents.ts'
import { spokenForms } from './person-names.ts'

/** All names by which a team knows a person; `handles` are in lower case, `mails` are addresses that team members gave. */
export type ErasedPerson = {
  readonly urns: readonly string[]
  readonly handles: readonly string[]
  readonly names: readonly string[]
  readonly mails?: readonly string[]
}

/** Shorter names occur in too many texts to identify anybody. */
const shortestName = 3

/** Names that identify a person, as written and without titles. */
export const identifyingNames = (names: readonly string[]): string[] =>
  [...new Set([...names, ...names.flatMap((name) => spokenForms(name).map((words) => words.join(' ')))])].filter(
    (name) => name.length >= shortestName,
  )

const folded = (texts: readonly string[]): string[] => [...new Set(texts.map(foldText))].filter((text) => text !== '')

/** Folded handles, member ids and mail addresses. */
const idsOf = ({ urns, handles, mails = [] }: ErasedPerson): string[] =>
  folded([...urns, ...mails, ...handles, ...handles.map(encodeURIComponent)])

/** Folded names, also without accents, since people leave these out. */
const calledOf = ({ names }: ErasedPerson): string[] =>
  folded(identifyingNames(names).flatMap((name) => [name, withoutAccents(name)]))

/** Folded texts, each of which names the person. */
export const namesOf = (person: ErasedPerson): string[] => [...new Set([...idsOf(person), ...calledOf(person)])]

/** Letters and digits of scripts that separate words by blanks: not Thai, Lao, Burmese, Khmer, Chinese, Japanese or Korean. */
export const wordLetters = String.raw`0-9A-Za-z\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff`

/** A text as a regular expression that matches it. Only ASCII signs are escaped: a database may take others for letters. */
export const literally = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** All names as one regular expression, for JavaScript and PostgreSQL; a genitive `s` may follow personal names. */
const anyNameOf = (person: ErasedPerson): string =>
  `(?:${[...idsOf(person).map(literally), ...calledOf(person).map((name) => `${literally(name)}s?`)].join('|')})`

/** JSON escapes and percent-encoded signs contain letters that are not part of a word. */
const escapes = String.raw`\\[bfnrt]|%[0-7][0-9a-f]`
/** The first byte of a letter beyond ASCII in an address: `/in/ren%c3%a9` is not `ren`. */
const encodedLetter = '%[89a-f]'

/** Dashes between clauses; folding turns them into hyphens, but they do not join words. */
export const clauseDashes = '—―'

/** What must not follow a name: a hyphenated word is one word, so `max-2` and «Eva-Anna Lind» are other people. */
const notBefore = `-?(?:[${wordLetters}]|${encodedLetter})`

/** A PostgreSQL expression for the names as words in a folded text. */
export const wordsNaming = (person: ErasedPerson): string =>
  `(?:^|[^${wordLetters}-]|(?:^|[^${wordLetters}])-|(?:${escapes})-?)${anyNameOf(person)}(?!${notBefore})`

/** The same in an id that a caller chose, where hyphens join words: `deal-max-2` may be about `max`. */
export const partsNaming = (person: ErasedPerson): string =>
  `(?:^|[^${wordLetters}]|${escapes})${anyNameOf(person)}(?![${wordLetters}]|${encodedLetter})`

/**
 * Tests whether a text in a JSON value names the person, percent-encoded or not. Field names do not count: the service chose
 * them, and a handle may equal one.
 */
export function namerOf(person: ErasedPerson): (value: unknown) => boolean {
  if (namesOf(person).length === 0) return () => false
  const said = new RegExp(`(?<![${wordLetters}]-?)${anyNameOf(person)}(?!${notBefore})`)
  const dash = new RegExp(`[${clauseDashes}]`, 'g')
  const isNamed = (value: unknown): boolean => {
    if (typeof value === 'string')
      return [value, decodeFully(value)].some((text) => said.test(foldText(text.replace(dash, ' '))))
    return value !== null && typeof value === 'object' && Object.values(value).some(isNamed)
  }
  return isNamed
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * A JSON value without the person: list items that name them are removed whole (a comment with its text and author); other texts
 * that name them become null.
 */
export const withoutPerson = (value: unknown, person: ErasedPerson): unknown => without(value, namerOf(person))

function without(value: unknown, isNamed: (value: unknown) => boolean): unknown {
  if (!isNamed(value)) return value
  if (Array.isArray(value)) return value.filter((each) => !isNamed(each))
  if (!isObject(value)) return null
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, without(each, isNamed)]))
}

/** Whether a text is the person's handle, member id or profile address. */
export function isAbout(text: string, { urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>): boolean {
  const name = readPersonName(text)
  return name !== null && (isMemberId(name) ? urns : handles).includes(name)
}
