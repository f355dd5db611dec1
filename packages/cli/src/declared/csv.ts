/**
 * Reads files of CSV, one record after another, within bounds: a file comes from anywhere, so its values may be separated by semicolons
 * or tabs, and its text may be UTF-16 or of an older Windows.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import {
  decodeCsv,
  CsvError,
  csvBounds,
  csvRecords as readRecords,
  separators,
  type CsvRecord,
  type Separator,
} from '@les/contract'
import { usage } from '../failure.ts'

export { csvBounds, separators, type CsvRecord, type Separator }

/** Every record of a text that is not blank; what is no CSV is a mistake in the file. */
export function* csvRecords(...given: Parameters<typeof readRecords>): Generator<CsvRecord> {
  try {
    yield* readRecords(...given)
  } catch (error) {
    throw error instanceof CsvError ? usage(error.message) : error
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

/** The text of a CSV file, in UTF-8, UTF-16 or Windows-1252; refuses one that cannot be read, is too large, or is no text. */
export function readCsv(path: string): string {
  let bytes: Buffer
  try {
    bytes = bytesOf(path)
  } catch {
    throw usage(`${path} cannot be read`)
  }
  if (bytes.length > csvBounds.bytes) throw usage(`${path} is larger than ${csvBounds.bytes / 1024 / 1024} MB`)
  const text = decodeCsv(bytes)
  if (text === null || text.includes('\0')) throw usage(`${path} is no text: save it as «CSV UTF-8»`)
  return text
}
