import { decodeFully, foldCase, foldText, isMemberId, readPersonName, withoutUnseen } from '@les/contract'

/** One name of a person, by kind; `name` is what they are called. */
export type PersonName =
  | { readonly urn: string }
  | { readonly handle: string }
  | { readonly mail: string }
  | { readonly name: string }

/** A text as a member id, or else as a handle. */
export const nameAs = (text: string): { readonly urn: string } | { readonly handle: string } =>
  isMemberId(text) ? { urn: text } : { handle: text }

/** Separators between the words of texts, addresses and JSON. */
const betweenWords = /[\s/?#%&=,;:!"'`()<>[\]{}|\\*…]+/u
/** Separators for names that contain the above, such as `x(work)@host` or `name;x`. */
const aroundWholeWords = /[\s",<>“”„«»]+/u
const aroundNames = new Set('@.-_')

function withoutSigns(word: string): string {
  let [from, to] = [0, word.length]
  while (from < to && aroundNames.has(word[from]!)) from += 1
  while (from < to && aroundNames.has(word[to - 1]!)) to -= 1
  return word.slice(from, to)
}

/** The word, the word trimmed, and its parts: a post address contains `handle_title`, a mail address is `handle@domain`. */
function namesInWord(word: string): readonly string[] {
  const bare = withoutSigns(word)
  return [word, bare, ...(/[_@]/.test(bare) ? bare.split(/[_@]/) : [])]
}

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

/** The names that a JSON value may contain, in texts and field names; they are looked up in the block list. */
export function namesMentioned(value: unknown): PersonName[] {
  if (typeof value === 'string') return namesInText(value)
  if (Array.isArray(value)) return value.flatMap(namesMentioned)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([field, each]) => [...namesInText(field), ...namesMentioned(each)])
}
