import { kebabCase, type Entry } from '../catalogue/entry.ts'
import { align, fitTable, plain } from './text.ts'

export type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly Json[] => Array.isArray(value) && value.every(isObject)
const isTexts = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && !value.some((item) => typeof item === 'object')

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isTexts(value)) return plain(value.join(','))
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean))
}

/** The plain values of an object by dotted name; lists of objects are omitted. */
export function flatten(object: Json, prefix = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]): [string, string][] => {
    if (isObject(value)) return flatten(value, `${prefix}${name}.`)
    return isList(value) && value.length > 0 ? [] : [[`${prefix}${name}`, cell(value)]]
  })
}

function scalarColumns(rows: readonly Json[]): string[] {
  return [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !isObject(row[name]) && !isList(row[name])))),
  ]
}

const tabbed = (table: readonly (readonly string[])[]): string => table.map((row) => `${row.join('\t')}\n`).join('')

/** The main list of an answer with the columns to show. */
export function listOf(
  answer: Json,
  shape: Pick<Entry, 'answer'>,
): { readonly name: string; readonly rows: readonly Json[]; readonly columns: readonly string[] } | undefined {
  const { list } = shape.answer
  const rows = list ? answer[list.name] : undefined
  return list && isList(rows) ? { name: list.name, rows, columns: list.columns } : undefined
}

/** An answer as text; `note` tells people what accompanies the list outside its rows. */
export function render(
  answer: Json,
  shape: Pick<Entry, 'answer'>,
  { isTty, columns: room }: { readonly isTty: boolean; readonly columns: number },
): { readonly data: string; readonly note: string } {
  const list = listOf(answer, shape)
  if (list) {
    const { name, rows, columns } = list
    const cells = rows.map((row) => columns.map((column) => cell(row[column])))
    const rest = flatten(Object.fromEntries(Object.entries(answer).filter(([key]) => key !== name)))
    const note = [...(rows.length === 0 ? [`no ${name}`] : []), ...rest.map(([key, value]) => `${key} ${value}`)].join(
      ', ',
    )
    if (!isTty) return { data: tabbed(cells), note }
    const names = columns.map((column) => kebabCase(column).replaceAll('-', ' '))
    if (rows.length === 0) return { data: '', note }
    const { text, leftOut } = fitTable([names.map((each) => each.toUpperCase()), ...cells], room)
    const missing = leftOut.length > 0 ? `no room for ${leftOut.map((at) => names[at]).join(', ')}: --json has all` : ''
    return { data: text, note: [note, missing].filter((part) => part !== '').join('; ') }
  }
  // With several lists, such as usage by day and by source, each row starts with its list's name.
  const lists = Object.entries(answer).filter((entry): entry is [string, readonly Json[]] => isList(entry[1]))
  const listed = lists.flatMap(([name, rows]) =>
    rows.map((row) => [name, ...scalarColumns(rows).map((column) => cell(row[column]))]),
  )
  const pairs = flatten(answer)
  return { data: isTty ? align(pairs) + align(listed) : tabbed([...pairs, ...listed]), note: '' }
}

/** The fields that `--json` may name, those of rows first. */
export function fieldsToChoose({ answer }: Pick<Entry, 'answer'>): string[] {
  return [...new Set([...(answer.list?.fields ?? []), ...answer.fields.filter((name) => name !== answer.list?.name)])]
}

export function namesIn(fields: string): string[] {
  return fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

const pick = (object: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]))

/** The named fields of an answer: a list of rows when any of them is a row's field, else one object. */
export function select(answer: Json, { answer: shape }: Pick<Entry, 'answer'>, names: readonly string[]): unknown {
  const { list } = shape
  if (list && names.some((name) => list.fields.includes(name)))
    return ((answer[list.name] ?? []) as Json[]).map((row) => pick(row, names))
  return pick(answer, names)
}
