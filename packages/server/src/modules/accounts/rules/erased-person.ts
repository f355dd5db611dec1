/** Somebody who is to be erased, by everything that names them, and values with them taken out. */
import { decodeFully, foldText, isMemberId, readPersonName } from '@les/contract'
import { withoutAccents } from '../../../platform/rules/accents.ts'
import { calledBy } from './person-names.ts'

/** All that a team knows a person by. */
export type ErasedPerson = {
  /** Member ids. */
  readonly urns: readonly string[]
  /** Public handles, in lower case. */
  readonly handles: readonly string[]
  readonly names: readonly string[]
  /** Mail addresses that somebody of the team gave as theirs. */
  readonly mails?: readonly string[]
}

/** A shorter name alone names nobody, and is in half of all texts. */
const shortestName = 3

/** Names that tell who somebody is, as they are written and without titles. */
export const tellingNames = (names: readonly string[]): string[] =>
  [...new Set([...names, ...names.flatMap((name) => calledBy(name).map((words) => words.join(' ')))])].filter(
    (name) => name.length >= shortestName,
  )

/** The texts of which each names the person, as texts are compared. */
export function namesOf({ urns, handles, names, mails = [] }: ErasedPerson): string[] {
  const said = [...urns, ...mails, ...handles, ...handles.map(encodeURIComponent)]
  // People write names without their accents.
  for (const name of tellingNames(names)) said.push(name, withoutAccents(name))
  return [...new Set(said.map(foldText))].filter((name) => name !== '')
}

/** True of a value that has a text or a name of a field in which the person is named, in percent-encoding or not. */
function names(value: unknown, said: readonly string[]): boolean {
  if (typeof value === 'string') {
    const spellings = [value, decodeFully(value)].map(foldText)
    return said.some((name) => spellings.some((folded) => folded.includes(name)))
  }
  if (Array.isArray(value)) return value.some((each) => names(each, said))
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([field, each]) => names(field, said) || names(each, said))
}

/** True of a text that names the person once its percent-encoding is undone, of which one name has many spellings. */
export const namesEncoded = (text: string, person: ErasedPerson): boolean => names(decodeFully(text), namesOf(person))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * A value of JSON without the person: what a list holds of them goes as a whole, a comment with its text and its author; elsewhere a
 * text that names them becomes null.
 */
export function withoutPerson(value: unknown, person: ErasedPerson): unknown {
  return without(value, namesOf(person))
}

function without(value: unknown, said: readonly string[]): unknown {
  if (!names(value, said)) return value
  if (Array.isArray(value)) return value.filter((each) => !names(each, said))
  if (!isObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, each]) => (names(field, said) ? [] : [[field, without(each, said)]])),
  )
}

/** True of a text that is the person: a handle, a member id or an address of their profile. */
export function isAbout(text: string, { urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>): boolean {
  const name = readPersonName(text)
  return name !== null && (isMemberId(name) ? urns : handles).includes(name)
}
