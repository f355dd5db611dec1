/** Finds a person to be erased in texts and JSON values by all their names, and removes them. */
import { decodeFully, foldText, isMemberId, readPersonName } from '@les/contract'
import { withoutAccents } from '../../../platform/rules/accents.ts'
import { calledBy } from './person-names.ts'

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
export const tellingNames = (names: readonly string[]): string[] =>
  [...new Set([...names, ...names.flatMap((name) => calledBy(name).map((words) => words.join(' ')))])].filter(
    (name) => name.length >= shortestName,
  )

/** Folded texts, each of which names the person. */
export function namesOf({ urns, handles, names, mails = [] }: ErasedPerson): string[] {
  const said = [...urns, ...mails, ...handles, ...handles.map(encodeURIComponent)]
  // People write names without accents.
  for (const name of tellingNames(names)) said.push(name, withoutAccents(name))
  return [...new Set(said.map(foldText))].filter((name) => name !== '')
}

/** Letters and digits of scripts that separate words by blanks: not Thai, Lao, Burmese, Khmer, Chinese, Japanese or Korean. */
export const wordLetters = String.raw`0-9A-Za-z\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff`

/** A text as a regular expression that matches it. Only ASCII signs are escaped: a database may take others for letters. */
export const literally = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** All names as one regular expression, for JavaScript and PostgreSQL; callers match whole words, since «ann» is part of many. */
const anyNameOf = (person: ErasedPerson): string => `(?:${namesOf(person).map(literally).join('|')})s?`

/** A PostgreSQL expression for the names as words in a folded text. JSON escapes and percent-encoded signs separate words. */
export const wordsNaming = (person: ErasedPerson): string =>
  String.raw`(?:^|[^${wordLetters}]|\\[bfnrt]|%[0-9a-f]{2})${anyNameOf(person)}(?:$|[^${wordLetters}])`

/**
 * Tests whether a text in a JSON value names the person, percent-encoded or not. Field names do not count: the service chose
 * them, and a handle may equal one.
 */
export function namerOf(person: ErasedPerson): (value: unknown) => boolean {
  const said = new RegExp(`(?<![${wordLetters}])${anyNameOf(person)}(?![${wordLetters}])`)
  const isNamed = (value: unknown): boolean => {
    if (typeof value === 'string') return [value, decodeFully(value)].some((text) => said.test(foldText(text)))
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
