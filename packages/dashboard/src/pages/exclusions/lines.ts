/** Entries as people bring them: pasted lines, and rows of a CSV file. */
import { csvRecords, decodeCsv } from '@les/contract'
import { bounds } from 'virtual:values'
import type { InputOf } from '../../api/index.ts'
import { kinds } from './search.ts'

export type Entry = InputOf<'addExclusions'>['entries'][number]

/** An entry with the line of the text that it stood in, from 1. */
export type LinedEntry = Entry & { readonly line: number }

/** The values of pasted text: one a line, or several parted by commas or semicolons; each once. */
export const valuesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\r\n,;]+/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
]

/** The text of a file that somebody brings; throws what says that it is none. */
export function textOf(bytes: Uint8Array): string {
  const text = decodeCsv(bytes)
  if (text === null) throw new Error('The file is no text: save it as “CSV UTF-8”.')
  return text
}

const columns = ['kind', 'value', 'reason'] as const

/**
 * Reads a file with the columns kind, value and reason, with or without a header, parted by commas or semicolons; throws what says why it
 * is no CSV.
 */
export function readFile(text: string): readonly LinedEntry[] {
  const body = text.replace(/^\uFEFF/, '')
  const firstLine = body.slice(0, body.indexOf('\n') < 0 ? undefined : body.indexOf('\n'))
  const separator = firstLine.split(';').length > firstLine.split(',').length ? ';' : ','
  const rows = [...csvRecords(body, separator)].filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const named = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const hasHeader = named.includes('kind') && named.includes('value')
  const places = columns.map((column, at) => (hasHeader ? named.indexOf(column) : at))
  return rows.slice(hasHeader ? 1 : 0).map(({ line, cells }) => {
    const [kind = '', value = '', reason = ''] = places.map((place) => cells[place]?.trim() ?? '')
    return { line, kind: kind.toLowerCase(), value, ...(reason === '' ? {} : { reason }) }
  })
}

/** Why a row cannot be sent; null: it can. One that is too long would have the service refuse all that are sent with it. */
export function faultOf({ kind, value, reason }: Entry): string | null {
  if (!kinds.some((each) => each === kind)) return `“${kind}” is no known kind`
  if (value.length > bounds.exclusionValue) return `it is longer than ${bounds.exclusionValue} characters`
  if ((reason ?? '').length > bounds.exclusionReason)
    return `the reason is longer than ${bounds.exclusionReason} characters`
  return null
}

/** Characters of one call at most: its body has a bound. */
const callCharacters = 200_000

/** Entries in parts that one call takes. */
export function partsOf(entries: readonly LinedEntry[]): readonly (readonly LinedEntry[])[] {
  const parts: LinedEntry[][] = []
  let left = 0
  for (const entry of entries) {
    const size = entry.value.length + (entry.reason?.length ?? 0)
    const last = parts.at(-1)
    if (last === undefined || last.length === bounds.exclusionEntries || size > left) {
      parts.push([entry])
      left = callCharacters - size
    } else {
      last.push(entry)
      left -= size
    }
  }
  return parts
}
