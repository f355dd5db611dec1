/**
 * Reads CSV (RFC 4180), one record after another, within bounds: a file comes from anywhere, so its values may be
 * separated by semicolons or tabs, and its text may be UTF-16 or of an older Windows.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { withoutGuards } from '@les/contract'
import { usage } from '../failure.ts'

/** A record, and the line at which it begins, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** More is no list of people: a team tracks at most ten thousand, in lines of some hundred bytes. */
export const csvBounds = { bytes: 16 * 1024 * 1024, records: 100_000, cells: 1_000 } as const

/** What separates values; the comma first. */
export const separators = [',', ';', '\t'] as const

/** One of them. */
export type Separator = (typeof separators)[number]

const wrong = (line: number, what: string) => usage(`line ${line} of the CSV: ${what}`)

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

/** A file being read. */
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

/** What follows a first line such as `sep=;`, which some programs write for spreadsheets, and what that line says. */
export function beginOf(csv: string): {
  readonly text: string
  readonly separator: Separator | null
  readonly line: number
} {
  const [whole = '', said] = /^\uFEFF?"?sep=([^\r\n]?)"?(?:\r\n|\r|\n|$)/i.exec(csv) ?? []
  if (said === undefined) return { text: csv, separator: null, line: 1 }
  const separator = separators.find((each) => each === said)
  if (separator === undefined)
    throw usage(`the first line says that «${said}» separates values: save the file with commas, semicolons or tabs`)
  return { text: csv.slice(whole.length), separator, line: 2 }
}

/** The bytes of a file, or of what only reads like one: never more than one beyond the bound. */
function bytesOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const chunks: Buffer[] = []
    for (let left = csvBounds.bytes + 1; left > 0; ) {
      const chunk = Buffer.alloc(Math.min(left, 64 * 1024))
      const read = readSync(file, chunk)
      if (read === 0) break
      chunks.push(chunk.subarray(0, read))
      left -= read
    }
    return Buffer.concat(chunks)
  } finally {
    closeSync(file)
  }
}

/** The encoding that a byte order mark names, or that zeros next to Latin letters give away; null: bytes without zeros. */
function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zero = bytes.indexOf(0)
  if (zero < 0) return null
  return zero % 2 === 1 ? 'utf-16le' : 'utf-16be'
}

const decoded = (bytes: Buffer, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The text of a CSV file, in UTF-8, UTF-16 or Windows-1252; refuses one that cannot be read, is too large, or is no text. */
export function readCsv(path: string): string {
  let bytes: Buffer
  try {
    bytes = bytesOf(path)
  } catch {
    throw usage(`${path} cannot be read`)
  }
  if (bytes.length > csvBounds.bytes) throw usage(`${path} is larger than ${csvBounds.bytes / 1024 / 1024} MB`)
  const utf16 = utf16Of(bytes)
  // What is not UTF-8 is the text of a Windows without it: every byte is a character there.
  const text = utf16 === null ? (decoded(bytes, 'utf-8') ?? decoded(bytes, 'windows-1252')) : decoded(bytes, utf16)
  if (text === null || text.includes('\0')) throw usage(`${path} is no text: save it as «CSV UTF-8»`)
  return text
}
