/** Comma-separated values (RFC 4180): written so that a spreadsheet opens them as data and never runs what strangers wrote, and read. */
import { unseenCharacters } from './values/text.ts'

// A spreadsheet takes a cell that begins so for a formula, also behind blanks and what cannot be seen; small, wide, raised and lowered
// forms are the same signs to some. One that splits at semicolons or tabs heeds no quotes before a comma, so what follows those, or a
// line break, begins a cell as well.
const sign = '[=+\\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠]'
const passedOver = `(?:[^\\S;\\t\\r\\n]|${unseenCharacters.source})*`
const formulaBegins = new RegExp(`(^|[;\\t\\r\\n])(?=${passedOver}${sign})`, 'gu')
// Alone these make some programs skip to what comes next.
const beginsWithControl = /^[\t\r\n]/
const needsQuotes = /[",;\t\r\n]/

/** Text with an apostrophe wherever a spreadsheet would begin to calculate. */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(formulaBegins, "$1'")
  return beginsWithControl.test(guarded) ? `'${guarded}` : guarded
}

// The same places with the apostrophe in them, and the one before a control.
const guardedFormulas = new RegExp(`(^|[;\\t\\r\\n])'(?=${passedOver}${sign})`, 'gu')
const guardedControl = /^'(?=[\t\r\n])/

/** What `withoutFormulas` was given. A text that had an apostrophe of its own before a formula loses it too. */
export function withoutGuards(text: string): string {
  return text.replace(guardedControl, '').replace(guardedFormulas, '$1')
}

export function csvText(text: string): string {
  const safe = withoutFormulas(text)
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line with its end, of fields that are written already. */
export function csvLineOf(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`
}

/** A record, and the line at which it begins, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** More is no list of people: a team tracks at most ten thousand, in lines of some hundred bytes. */
export const csvBounds = { bytes: 16 * 1024 * 1024, records: 100_000, cells: 1_000 } as const

/** What separates values; the comma first. */
export const separators = [',', ';', '\t'] as const

export type Separator = (typeof separators)[number]

/** What makes a text no CSV, with the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
}

const wrong = (line: number, what: string) => new CsvError(`line ${line} of the CSV: ${what}`)

/** CRLF, LF and CR each end one line. Counted one by one: a list of sixteen million would cost a gigabyte. */
function lineEndsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++)
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1
  return count
}

const plainCells: Readonly<Record<Separator, () => RegExp>> = {
  ',': () => /[^",\r\n]*/y,
  ';': () => /[^";\r\n]*/y,
  '\t': () => /[^"\t\r\n]*/y,
}

type Reading = { readonly text: string; readonly separator: Separator }

type Cell = { readonly text: string; readonly next: number; readonly linesLeft: number }

/** The cell in quotes that begins at `at`: up to the quote that is not doubled. */
function quotedCell({ text, separator }: Reading, at: number, line: number): Cell {
  let end = at
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) throw wrong(line, 'a value begins with a quote that is never closed')
  } while (text[end + 1] === '"' && (end += 1))
  const raw = text.slice(at + 1, end)
  const next = text[end + 1]
  if (next !== undefined && next !== separator && next !== '\r' && next !== '\n')
    throw wrong(line + lineEndsIn(raw), 'something follows the quote that closes a value')
  return { text: raw.replaceAll('""', '"'), next: end + 1, linesLeft: lineEndsIn(raw) }
}

function plainCell({ text, separator }: Reading, at: number, line: number): Cell {
  const plain = plainCells[separator]()
  plain.lastIndex = at
  const [found] = plain.exec(text)!
  const next = at + found.length
  if (text[next] === '"')
    throw wrong(line, 'a quote stands in a value without quotes: put the value in quotes and double those in it')
  return { text: found, next, linesLeft: 0 }
}

/** The record that begins at `at`, up to its line end; `line` is that after it. */
function recordAt(reading: Reading, at: number, line: number): { cells: string[]; next: number; line: number } {
  const { text, separator } = reading
  const cells: string[] = []
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(reading, at, line) : plainCell(reading, at, line)
    cells.push(withoutGuards(cell.text))
    if (cells.length > csvBounds.cells) throw wrong(line, `it has more than ${csvBounds.cells} values`)
    line += cell.linesLeft
    at = cell.next + 1
    if (text[cell.next] === separator) continue
    return { cells, next: text.startsWith('\r\n', cell.next) ? at + 1 : at, line: line + 1 }
  }
}

/**
 * Every record that is not blank. Lines end with CRLF, LF or CR; values in quotes hold commas, line ends and doubled
 * quotes; the apostrophes that our own exports put before formulas are taken away. Refuses what is no CSV, and more
 * than `csvBounds`, with the line.
 */
export function* csvRecords(csv: string, separator: Separator = ',', firstLine = 1): Generator<CsvRecord> {
  const text = csv.startsWith('\uFEFF') ? csv.slice(1) : csv
  let count = 0
  for (let at = 0, line = firstLine; at < text.length; ) {
    const record = recordAt({ text, separator }, at, line)
    if (record.cells.length > 1 || record.cells[0]!.trim() !== '') {
      if (++count > csvBounds.records) throw wrong(line, `the file has more than ${csvBounds.records} records`)
      yield { line, cells: record.cells }
    }
    ;({ next: at, line } = record)
  }
}

/** The encoding that a byte order mark names, or that zeros next to Latin letters give away; null: bytes without zeros. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zero = bytes.indexOf(0)
  if (zero < 0) return null
  return zero % 2 === 1 ? 'utf-16le' : 'utf-16be'
}

const decoded = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The text of a CSV file, in UTF-8, UTF-16 or Windows-1252, as spreadsheets write them; null for what is no text. */
export function decodeCsv(bytes: Uint8Array): string | null {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return decoded(bytes, utf16)
  // What is not UTF-8 is the text of a Windows without it: every byte is a character there.
  return decoded(bytes, 'utf-8') ?? decoded(bytes, 'windows-1252')
}
