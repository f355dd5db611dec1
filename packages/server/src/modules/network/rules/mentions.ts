/** The names by which a value may mean a person: what is looked up on the list of those who were erased. */
import { decodeFully, foldCase, foldText, isMemberId, readPersonName, withoutUnseen } from '@les/contract'

/** What a person is known by, each kind apart: `name` is what they are called. */
export type PersonName =
  | { readonly urn: string }
  | { readonly handle: string }
  | { readonly mail: string }
  | { readonly name: string }

/** What a text names: a member id, or else a handle. */
export const nameAs = (text: string): { readonly urn: string } | { readonly handle: string } =>
  isMemberId(text) ? { urn: text } : { handle: text }

/** What stands between the words of a text, of an address and of JSON. */
const betweenWords = /[\s/?#%&=,;:!"'`()<>[\]{}|\\*…]+/u
/** What stands around a name that has such signs in itself, as `x(work)@host` or the end of an address, `name;x`. */
const aroundWholeWords = /[\s",<>“”„«»]+/u
/** What a word may begin or end with that is no part of a name. */
const aroundNames = new Set('@.-_')

function withoutSigns(word: string): string {
  let [from, to] = [0, word.length]
  while (from < to && aroundNames.has(word[from]!)) from += 1
  while (from < to && aroundNames.has(word[to - 1]!)) to -= 1
  return word.slice(from, to)
}

/** A word as it is, without what is around it, and its parts: an address of a post is `handle_title`, one of a mail `handle@domain`. */
function namesInWord(word: string): readonly string[] {
  const bare = withoutSigns(word)
  return [word, bare, ...(/[_@]/.test(bare) ? bare.split(/[_@]/) : [])]
}

/** The names that a text may be or hold. */
function namesInText(written: string): PersonName[] {
  const text = withoutUnseen(decodeFully(written))
  const whole = readPersonName(text)
  const words = [...text.split(betweenWords), ...text.split(aroundWholeWords)]
    .flatMap(namesInWord)
    .filter((word) => word !== '')
  return [
    ...(whole === null ? [] : [nameAs(whole)]),
    { name: foldText(text).trim() },
    ...words.map((word) => nameAs(isMemberId(word) ? word : foldCase(word))),
    ...words.filter((word) => word.includes('@')).map((word) => ({ mail: word.toLowerCase() })),
  ]
}

/** The names that a value of JSON may hold, in its texts and in the names of its fields. */
export function namesMentioned(value: unknown): PersonName[] {
  if (typeof value === 'string') return namesInText(value)
  if (Array.isArray(value)) return value.flatMap(namesMentioned)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([field, each]) => [...namesInText(field), ...namesMentioned(each)])
}
