/** Answers as rows of text: aligned columns on a terminal, tab separated otherwise. */
import type { Sink } from '../io.ts'
import { plain, shorten } from './text.ts'

type Json = Readonly<Record<string, unknown>>

/** What is shown of lists whose rows are too wide to show whole; every other list shows all its plain values. */
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  leads: ['createdAt', 'name', 'engagementType', 'jobTitle', 'companyName', 'country', 'isIcp', 'linkedinUrl', 'id'],
  sources: ['type', 'username', 'status', 'mode', 'creditCapPerSync', 'nextSyncAt', 'id'],
  keys: ['name', 'maskedKey', 'createdAt', 'lastUsedAt', 'id'],
}

const cellWidth = 40

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly Json[] => Array.isArray(value) && value.every(isObject)

/** A value as one cell; null is empty. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object')) return plain(value.join(','))
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean))
}

/** The plain values of an object by dotted name; lists of objects are left out. */
function flatten(object: Json, prefix = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]): [string, string][] => {
    if (isObject(value)) return flatten(value, `${prefix}${name}.`)
    return isList(value) && value.length > 0 ? [] : [[`${prefix}${name}`, cell(value)]]
  })
}

function scalarColumns(rows: readonly Json[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !isObject(row[name]) && !isList(row[name]))))]
}

function align(table: readonly (readonly string[])[]): string {
  // An address that is cut is of no use.
  const cut = table.map((row) => row.map((text) => (text.startsWith('http') ? text : shorten(text, cellWidth))))
  const widths = (cut[0] ?? []).map((_, column) => Math.max(...cut.map((row) => (row[column] ?? '').length)))
  return cut.map((row) => `${row.map((text, column) => text.padEnd(widths[column]!)).join('  ').trimEnd()}\n`).join('')
}

const tabbed = (table: readonly (readonly string[])[]): string => table.map((row) => `${row.join('\t')}\n`).join('')

/** An answer as text for `stdout`, and as a note for people what goes with a list but is not in its rows. */
export function render(answer: Json, stdout: Sink): { readonly data: string; readonly note: string } {
  const lists = Object.entries(answer).filter((entry): entry is [string, readonly Json[]] => isList(entry[1]))
  const [only] = lists
  if (only && lists.length === 1) {
    const [name, rows] = only
    const columns = columnsOf[name] ?? scalarColumns(rows)
    const cells = rows.map((row) => columns.map((column) => cell(row[column])))
    const rest = flatten(Object.fromEntries(Object.entries(answer).filter(([key]) => key !== name)))
    const note = [...(rows.length === 0 ? [`no ${name}`] : []), ...rest.map(([key, value]) => `${key} ${value}`)].join(', ')
    if (!stdout.isTty) return { data: tabbed(cells), note }
    return { data: rows.length === 0 ? '' : align([columns.map((column) => column.toUpperCase()), ...cells]), note }
  }
  // Several lists, such as usage by day and by source: each row starts with the name of its list.
  const listed = lists.flatMap(([name, rows]) => rows.map((row) => [name, ...scalarColumns(rows).map((column) => cell(row[column]))]))
  const pairs = flatten(answer)
  return { data: stdout.isTty ? align(pairs) + align(listed) : tabbed([...pairs, ...listed]), note: '' }
}
