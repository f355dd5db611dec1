/** Finds and removes a person who is to be erased, by all their names, in values. */
import { decodeFully, foldText } from '@les/contract'
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

function names(value: unknown, said: readonly string[]): boolean {
  if (typeof value === 'string') {
    const spellings = [value, decodeFully(value)].map(foldText)
    return said.some((name) => spellings.some((folded) => folded.includes(name)))
  }
  if (Array.isArray(value)) return value.some((each) => names(each, said))
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([field, each]) => names(field, said) || names(each, said))
}

/** Whether a percent-encoded text names the person; one name has many encoded spellings. */
export const namesEncoded = (text: string, person: ErasedPerson): boolean => names(decodeFully(text), namesOf(person))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Removes the person from JSON: list items that name them and fields named by them go, other texts naming them become null. */
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

/** Mail addresses in a JSON value that stand next to a text that names the person. */
export function mailsIn(value: unknown, person: ErasedPerson): string[] {
  return mailsBeside(value, namesOf(person))
}

function mailsBeside(value: unknown, said: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => mailsBeside(each, said))
  if (!isObject(value)) return []
  const { email } = value
  const own = Object.values(value).some((each) => typeof each === 'string' && names(each, said))
  return [
    ...(own && typeof email === 'string' && email !== '' ? [email] : []),
    ...Object.values(value).flatMap((each) => mailsBeside(each, said)),
  ]
}
