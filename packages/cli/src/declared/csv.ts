/** Reads CSV (RFC 4180), one record after another, within bounds: a file comes from anywhere. */
import { closeSync, openSync, readSync } from 'node:fs'
import { withoutGuards } from '@les/contract'
import { usage } from '../failure.ts'

/** A record, and the line at which it begins, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** More is no list of people: a team tracks at most ten thousand, in lines of some hundred bytes. */
export const csvBounds = { bytes: 16 * 1024 * 1024, records: 100_000, cells: 1_000 } as const

const wrong = (line: number, what: string) => usage(`line ${line} of the CSV: ${what}`)

/** CRLF, LF and CR each end one line. Counted one by one: a list of sixteen million would cost a gigabyte. */
function lineEndsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++)
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1
  return count
}

type Cell = { readonly text: string; readonly next: number; readonly linesLeft: number }

/** The cell in quotes that begins at `at`: up to the quote that is not doubled. */
function quotedCell(text: string, at: number, line: number): Cell {
  let end = at
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) throw wrong(line, 'a value begins with a quote that is never closed')
  } while (text[end + 1] === '"' && (end += 1))
  const raw = text.slice(at + 1, end)
  const next = text[end + 1]
  if (next !== undefined && next !== ',' && next !== '\r' && next !== '\n')
    throw wrong(line + lineEndsIn(raw), 'something follows the quote that closes a value')
  return { text: raw.replaceAll('""', '"'), next: end + 1, linesLeft: lineEndsIn(raw) }
}

function plainCell(text: string, at: number, line: number): Cell {
  const plain = /[^",\r\n]*/y
  plain.lastIndex = at
  const [found] = plain.exec(text)!
  const next = at + found.length
  if (text[next] === '"')
    throw wrong(line, 'a quote stands in a value without quotes: put the value in quotes and double those in it')
  return { text: found, next, linesLeft: 0 }
}

/** The record that begins at `at`, up to its line end; `line` is that after it. */
function recordAt(text: string, at: number, line: number): { cells: string[]; next: number; line: number } {
  const cells: string[] = []
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, line)
    cells.push(withoutGuards(cell.text))
    if (cells.length > csvBounds.cells) throw wrong(line, `it has more than ${csvBounds.cells} values`)
    line += cell.linesLeft
    at = cell.next + 1
    if (text[cell.next] === ',') continue
    return { cells, next: text.startsWith('\r\n', cell.next) ? at + 1 : at, line: line + 1 }
  }
}

/**
 * Every record that is not blank. Lines end with CRLF, LF or CR; values in quotes hold commas, line ends and doubled
 * quotes; the apostrophes that our own exports put before formulas are taken away. Refuses what is no CSV, and more
 * than `csvBounds`, with the line.
 */
export function* csvRecords(csv: string): Generator<CsvRecord> {
  const text = csv.startsWith('\uFEFF') ? csv.slice(1) : csv
  let count = 0
  for (let at = 0, line = 1; at < text.length; ) {
    const record = recordAt(text, at, line)
    if (record.cells.length > 1 || record.cells[0]!.trim() !== '') {
      if (++count > csvBounds.records) throw wrong(line, `the file has more than ${csvBounds.records} records`)
      yield { line, cells: record.cells }
    }
    ;({ next: at, line } = record)
  }
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

/** The text of a CSV file; refuses one that cannot be read, is too large, or is not in UTF-8. */
export function readCsv(path: string): string {
  let bytes: Buffer
  try {
    bytes = bytesOf(path)
  } catch {
    throw usage(`${path} cannot be read`)
  }
  if (bytes.length > csvBounds.bytes) throw usage(`${path} is larger than ${csvBounds.bytes / 1024 / 1024} MB`)
  // Some programs export UTF-16, in which every other byte is a zero.
  if (bytes.includes(0)) throw usage(`${path} is not text in UTF-8: save it as «CSV UTF-8»`)
  return bytes.toString('utf8')
}
