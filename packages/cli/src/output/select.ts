/** `--json fields`: some fields of an answer, of the rows when it is a list. */
import type { Entry } from '../catalogue/entry.ts'
import type { Json } from './rows.ts'

/** The fields that can be chosen, those of the rows first. */
export function fieldsToChoose({ answer }: Pick<Entry, 'answer'>): string[] {
  return [...new Set([...(answer.list?.fields ?? []), ...answer.fields.filter((name) => name !== answer.list?.name)])]
}

/** The names in a list of fields. */
export function namesIn(fields: string): string[] {
  return fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

const pick = (object: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]))

/** An answer with only the fields named: a list of rows when any of them is a field of rows, else one object. */
export function select(answer: Json, { answer: shape }: Pick<Entry, 'answer'>, names: readonly string[]): unknown {
  const { list } = shape
  if (list && names.some((name) => list.fields.includes(name)))
    return ((answer[list.name] ?? []) as Json[]).map((row) => pick(row, names))
  return pick(answer, names)
}
