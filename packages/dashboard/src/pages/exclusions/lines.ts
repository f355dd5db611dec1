/** Entries as people bring them: pasted lines, and rows of a CSV file. */
import type { V1Input } from '../../api/index.ts'
import { kinds } from './search.ts'

export type Entry = V1Input<'addExclusions'>['entries'][number]

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

/** The cells of CSV, by rows; a quoted cell may hold separators, line ends and doubled quotes. */
function cellsOf(text: string, separator: string): { readonly line: number; readonly cells: readonly string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  let [line, cell, isQuoted] = [1, '', false]
  let row = { line, cells: [] as string[] }
  const endRow = () => {
    row.cells.push(cell)
    if (row.cells.some((each) => each.trim() !== '')) rows.push(row)
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[(at += 1)]
      else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') [cell, isQuoted] = ['', true]
    else if (sign === separator) {
      row.cells.push(cell)
      cell = ''
    } else if (sign === '\n') {
      endRow()
      row = { line, cells: [] }
    } else if (sign !== '\r') cell += sign
  }
  endRow()
  return rows
}

const columns = ['kind', 'value', 'reason'] as const

/** Reads a file with the columns kind, value and reason, with or without a header, parted by commas or semicolons. */
export function readFile(text: string): readonly LinedEntry[] {
  const body = text.replace(/^\uFEFF/, '')
  const firstLine = body.slice(0, body.indexOf('\n') < 0 ? undefined : body.indexOf('\n'))
  const rows = cellsOf(body, firstLine.split(';').length > firstLine.split(',').length ? ';' : ',')
  const named = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const hasHeader = named.includes('kind') && named.includes('value')
  const places = columns.map((column, at) => (hasHeader ? named.indexOf(column) : at))
  return rows.slice(hasHeader ? 1 : 0).map(({ line, cells }) => {
    const [kind = '', value = '', reason = ''] = places.map((place) => cells[place]?.trim() ?? '')
    return { line, kind: kind.toLowerCase(), value, ...(reason === '' ? {} : { reason }) }
  })
}

export const isKind = (kind: string): boolean => kinds.some((each) => each === kind)
