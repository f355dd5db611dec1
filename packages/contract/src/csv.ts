/** Reads and writes CSV (RFC 4180); written cells are guarded so that a spreadsheet never runs strangers' text as a formula. */
import { unseenCharacters } from './values/text.ts'

// Signs that start a formula, also in small, full-width, raised and lowered forms, and after blanks or invisible characters.
// A spreadsheet that splits at semicolons or tabs ignores quotes before a comma, so a cell can also begin after `;`, tab or
// a line break.
const sign = '[=+\\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠]'
const passedOver = `(?:[^\\S;\\t\\r\\n]|${unseenCharacters.source})*`
const formulaBegins = new RegExp(`(^|[;\\t\\r\\n])(?=${passedOver}${sign})`, 'gu')
// Some programs skip a leading control character and read what follows as a formula.
const beginsWithControl = /^[\t\r\n]/
const needsQuotes = /[",;\t\r\n]/

/** Puts an apostrophe before every place where a spreadsheet would start a formula. */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(formulaBegins, "$1'")
  return beginsWithControl.test(guarded) ? `'${guarded}` : guarded
}

const guardedFormulas = new RegExp(`(^|[;\\t\\r\\n])'(?=${passedOver}${sign})`, 'gu')
const guardedControl = /^'(?=[\t\r\n])/

/** Undoes `withoutFormulas`. An apostrophe that the original text had before a formula is lost too. */
export function withoutGuards(text: string): string {
  return text.replace(guardedControl, '').replace(guardedFormulas, '$1')
}

export function csvText(text: string): string {
  const safe = withoutFormulas(text)
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Joins encoded fields into one line, CRLF included. */
export function csvLineOf(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`
}

/** One record and the line it begins at, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** Largest CSV accepted. A team tracks at most ten thousand people, in lines of a few hundred bytes. */
export const csvBounds = { bytes: 16 * 1024 * 1024, records: 100_000, cells: 1_000 } as const

export const separators = [',', ';', '\t'] as const

export type Separator = (typeof separators)[number]

/** Thrown for a text that is not valid CSV; the message names the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
}

const wrong = (line: number, what: string) => new CsvError(`line ${line} of the CSV: ${what}`)

/** A loop, since splitting 16 MB of line ends would take a gigabyte. */
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

/** The returned `line` is the one after the record. */
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
 * Yields records that are not blank; apostrophes that our exports put before formulas are removed. Throws `CsvError` for text
 * that is malformed or exceeds `csvBounds`.
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

/** Judges by the byte order mark or by zero bytes; null without either. */
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

/** Decodes a CSV file in UTF-8, UTF-16 or Windows-1252, as spreadsheets write them; null when it is not text. */
export function decodeCsv(bytes: Uint8Array): string | null {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return decoded(bytes, utf16)
  // Bytes that are not UTF-8 come from an older Windows program, where every byte is a character.
  return decoded(bytes, 'utf-8') ?? decoded(bytes, 'windows-1252')
}
