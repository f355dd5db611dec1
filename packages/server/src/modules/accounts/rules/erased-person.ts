/** Somebody who is to be erased, by everything that names them, and values with them taken out. */
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

/** Letters and digits of scripts that write words apart, which Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean do not. */
export const wordLetters = String.raw`0-9A-Za-z\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff`

/** A text as an expression for itself. Other signs than these mean nothing there, and may be letters to a database. */
export const literally = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** The names of a person as one expression, for the service and for the database: «ann» is a part of many words that mean nobody. */
const anyNameOf = (person: ErasedPerson): string => `(?:${namesOf(person).map(literally).join('|')})s?`

/**
 * An expression of PostgreSQL for the names of a person as words in a text as it is compared. What JSON writes for a line break, and an
 * address for a sign, is no part of a word.
 */
export const wordsNaming = (person: ErasedPerson): string =>
  String.raw`(?:^|[^${wordLetters}]|\\[bfnrt]|%[0-9a-f]{2})${anyNameOf(person)}(?:$|[^${wordLetters}])`

/**
 * Tells of a value of JSON whether a text in it names the person, percent-encoded or not. Names of fields do not count: they are the
 * service's own, and somebody's handle may be one.
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
 * A value of JSON without the person: what a list holds of them goes as a whole, a comment with its text and its author; elsewhere a
 * text that names them becomes null.
 */
export const withoutPerson = (value: unknown, person: ErasedPerson): unknown => without(value, namerOf(person))

function without(value: unknown, isNamed: (value: unknown) => boolean): unknown {
  if (!isNamed(value)) return value
  if (Array.isArray(value)) return value.filter((each) => !isNamed(each))
  if (!isObject(value)) return null
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, without(each, isNamed)]))
}

/** True of a text that is the person: a handle, a member id or an address of their profile. */
export function isAbout(text: string, { urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>): boolean {
  const name = readPersonName(text)
  return name !== null && (isMemberId(name) ? urns : handles).includes(name)
}
