/** Reads CSV files of any origin: separated by commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252, within bounds. */
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

/** `csvRecords` of the contract, with a malformed file as a usage error. */
export function* csvRecords(...given: Parameters<typeof readRecords>): Generator<CsvRecord> {
  try {
    yield* readRecords(...given)
  } catch (error) {
    throw error instanceof CsvError ? usage(error.message) : error
  }
}

/** Skips a first line such as `sep=;`, which some programs write for spreadsheets, and returns its separator. */
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

/** Reads at most one byte beyond the bound, since pipes and devices may not end. */
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

/** Refuses a file that cannot be read, is too large, or is not text. */
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
