import { csvRecords, decodeCsv } from '@les/contract'
import { bounds } from 'virtual:values'
import type { InputOf } from '../../api/index.ts'
import { exclusionKinds } from '../../app/searches.ts'

export type Entry = InputOf<'addExclusions'>['entries'][number]

/** An entry with its line in the text, from 1. */
export type LinedEntry = Entry & { readonly line: number }

/** The distinct values of pasted text, separated by lines, commas or semicolons. */
export const valuesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\r\n,;]+/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
]

/** The text of a file; throws if it is not text. */
export function textOf(bytes: Uint8Array): string {
  const text = decodeCsv(bytes)
  if (text === null) throw new Error('The file is not text: save it as “CSV UTF-8”.')
  return text
}

const columns = ['kind', 'value', 'reason'] as const

/** Reads CSV with the columns kind, value and reason, header optional, separated by commas or semicolons; throws if malformed. */
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

/** Why a row cannot be sent, or null. A row that is too long would make the service refuse its whole part. */
export function faultOf({ kind, value, reason }: Entry): string | null {
  if (!exclusionKinds.some((each) => each === kind)) return `“${kind}” is not a known kind`
  if (value.length > bounds.exclusionValue) return `it is longer than ${bounds.exclusionValue} characters`
  if ((reason ?? '').length > bounds.exclusionReason)
    return `the reason is longer than ${bounds.exclusionReason} characters`
  return null
}

/** The most characters of entries in one call, whose body is limited. */
const callCharacters = 200_000

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
