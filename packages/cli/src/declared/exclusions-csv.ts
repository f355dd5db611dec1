/**
 * Streams exclusion entries from a CSV file of any size: `kind,value,reason` with or without a header, separated by commas,
 * semicolons or tabs, in UTF-8, UTF-16 or Windows-1252.
 */
import { createReadStream } from 'node:fs'
import { bounds, exclusionKinds, readExclusionValue } from '@les/contract'
import { usage } from '../failure.ts'
import { csvRecords, separators, type CsvRecord, type Separator } from './csv.ts'

export type ExclusionRow = {
  readonly line: number
  readonly kind: string
  readonly value: string
  readonly reason: string | null
}

type RefusedRow = { readonly line: number; readonly error: string }

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer
  } catch {
    throw usage(`${path} cannot be read`)
  }
}

/** Reads the whole file when it is UTF-8: only its end shows that every byte is. */
async function encodingOf(path: string): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  try {
    for await (const chunk of chunksOf(path)) {
      if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
      if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be'
      isFirst = false
      utf8.decode(chunk, { stream: true })
    }
    utf8.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}

/** The end of the next complete record: after a line end outside quotes; -1 when none is complete yet. */
function endOfRecord(text: string, from: number, state: { quoted: boolean }): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') state.quoted = !state.quoted
    if (state.quoted || (text[at] !== '\n' && text[at] !== '\r')) continue
    // The next chunk tells whether an LF follows.
    if (text[at] === '\r' && at + 1 === text.length) return -1
    return text.startsWith('\r\n', at) ? at + 2 : at + 1
  }
  return -1
}

/** In characters: bounds what a quote that is never closed can consume. */
const longestRecord = 100_000

/** Texts of records, with the line at which each begins. */
async function* recordTexts(path: string): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  const decoder = new TextDecoder(await encodingOf(path))
  let [rest, line] = ['', 1]
  const linesIn = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0
  for await (const chunk of chunksOf(path)) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.includes('\0')) throw usage(`${path} is no text: save it as «CSV UTF-8»`)
    let begin = 0
    for (;;) {
      const end = endOfRecord(rest, begin, { quoted: false })
      if (end < 0) break
      const text = rest.slice(begin, end)
      yield { text, line }
      line += linesIn(text)
      begin = end
    }
    rest = rest.slice(begin)
    if (rest.length > longestRecord)
      throw usage(`line ${line} of the CSV: a value begins with a quote that is never closed`)
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield { text: rest, line }
}

const cellsOf = (text: string, separator: Separator, line: number): CsvRecord | undefined =>
  csvRecords(text, separator, line).next().value ?? undefined

/** Undefined when the separator is wrong: a closing quote is then followed by another character. */
function cellsIfSeparated(text: string, separator: Separator, line: number): CsvRecord | undefined {
  try {
    return cellsOf(text, separator, line)
  } catch {
    return undefined
  }
}

const plainCell = (cell: string | undefined): string => (cell ?? '').trim().toLowerCase()

type Layout = { readonly separator: Separator; readonly columns: readonly number[]; readonly hasHead: boolean }

function layoutOf(text: string, line: number): Layout {
  for (const separator of separators) {
    const cells = (cellsIfSeparated(text, separator, line)?.cells ?? []).map(plainCell)
    const columns = ['kind', 'value', 'reason'].map((name) => cells.indexOf(name))
    if (columns[0]! >= 0 && columns[1]! >= 0) return { separator, columns, hasHead: true }
    if ((exclusionKinds as readonly string[]).includes(cells[0]!) && cells.length > 1)
      return { separator, columns: [0, 1, 2], hasHead: false }
  }
  // The first row has no known kind: use any separator that occurs in it.
  const separator = separators.find((each) => text.includes(each)) ?? ','
  return { separator, columns: [0, 1, 2], hasHead: false }
}

function rowOf({ line, cells }: CsvRecord, [kindAt, valueAt, reasonAt]: readonly number[]): ExclusionRow | RefusedRow {
  const [kind, value, reason] = [
    plainCell(cells[kindAt!]),
    cells[valueAt!]?.trim() ?? '',
    cells[reasonAt!]?.trim() ?? '',
  ]
  if (value.length > bounds.exclusionValue) return { line, error: `the value is longer than ${bounds.exclusionValue}` }
  if (reason.length > bounds.exclusionReason)
    return { line, error: `the reason is longer than ${bounds.exclusionReason}` }
  const read = readExclusionValue(kind, value)
  if ('error' in read) return { line, error: `«${value.slice(0, 80)}» ${read.error}` }
  return { line, kind, value, reason: reason === '' ? null : reason }
}

export async function* exclusionRows(path: string): AsyncGenerator<ExclusionRow | RefusedRow> {
  let layout: Layout | undefined
  let isFirst = true
  for await (const { text: raw, line } of recordTexts(path)) {
    const text = isFirst ? raw.replace(/^\uFEFF/, '') : raw
    isFirst = false
    if (text.trim() === '' || /^"?sep=/i.test(text)) continue
    const isHead = layout === undefined && (layout = layoutOf(text, line)).hasHead
    const record = cellsOf(text, layout!.separator, line)
    if (!isHead && record) yield rowOf(record, layout!.columns)
  }
}
