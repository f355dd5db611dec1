/**
 * Reads people from a CSV file, by a column's header or by cells with profile addresses. Anything unclear is refused: a first
 * name mistaken for a handle would be tracked and paid for.
 */
import { readMemberId, readNetworkAddress, readPersonName } from '@les/contract'
import { usage } from '../failure.ts'
import { beginOf, csvRecords, separators, type CsvRecord, type Separator } from './csv.ts'
import type { DeclaredSource } from './document.ts'

/** Headers of columns with handles or profile addresses, most specific first. */
const ofPeople = ['linkedinprofileurl', 'linkedinprofile', 'linkedinurl', 'personlinkedinurl', 'linkedin', 'profileurl']
const ofHandles = ['person', 'handle', 'publicidentifier', 'profile', 'username']
/** Columns with any addresses; only those of profiles count. */
const ofAddresses = ['url', 'profilelink', 'link']
const known = [...ofPeople, ...ofHandles, ...ofAddresses]

/** Placeholders for an empty cell. */
const nothing = /^\s*(?:none|null|nil|nan|n\.?\/?a\.?|unknown|undefined|tbd|yes|no|true|false)\s*$/i
/** Not a bare handle: no letter (a count or dash), or `@` inside (an email address). */
const noHandle = /^(?:[^\p{L}@]*|@?[^/@]+@[^/]+)$/u
/** Separators of other CSV dialects; a handle contains none. */
const separatedWithin = /[^\s;|,"][;|,"]+[^\s;|,"]/

/** How many records are searched for the header, below notes. */
const headRecords = 30

/** The handle in a profile address; null for any other text. */
const fromAddress = (cell: string): string | null =>
  readNetworkAddress(cell)?.kind === 'person' ? readPersonName(cell) : null

/** The handle in a cell, bare or in a profile address. */
const fromCell = (cell: string): string | null =>
  fromAddress(cell) ?? (nothing.test(cell) || noHandle.test(cell) ? null : readPersonName(cell))

const headerOf = (cell: string): string => cell.toLowerCase().replaceAll(/[\s_.-]/g, '')
const isHeader = (cell: string): boolean => known.includes(headerOf(cell))

/** The first records read with a separator; none if the text does not parse with it. */
function firstRecords(text: string, separator: Separator): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  try {
    for (const record of csvRecords(text, separator)) if (records.push(record) === headRecords) break
  } catch {
    // Another separator may work; if none does, reading the whole file reports the error.
  }
  return records
}

type Table = { readonly separator: Separator; readonly head: number | null }

/** The separator, and which record is the header; notes may precede it. */
function layoutOf(text: string, said: Separator | null): Table {
  const candidates = (said === null ? separators : [said]).map((separator) => {
    const records = firstRecords(text, separator)
    // Below the first record a single word may be a handle, and no person can precede the header.
    const firstPerson = records.findIndex(({ cells }) => cells.some((cell) => fromAddress(cell) !== null))
    const heads = records.flatMap(({ cells }, at) =>
      cells.some(isHeader) && (at === 0 || (cells.length > 1 && (firstPerson < 0 || at < firstPerson))) ? [at] : [],
    )
    const widthOf = (at: number): number => records[at]?.cells.length ?? 0
    // A sentence with a comma may contain a header word too: the widest candidate is the header.
    const head = heads.length === 0 ? null : heads.reduce((best, at) => (widthOf(at) > widthOf(best) ? at : best))
    return { separator, head, width: widthOf(head ?? 0) }
  })
  const found = candidates.filter(({ head }) => head !== null)
  // Prefer the separator that yields more columns; on a tie the comma, which comes first.
  return (found.length > 0 ? found : candidates).reduce((best, each) => (each.width > best.width ? each : best))
}

const needsHeader = (what: string) =>
  usage(`${what}: the file needs a column called one of ${known.join(', ')}, or one of addresses of profiles`)

function addressColumns(records: readonly CsvRecord[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { cells } of records)
    for (const [at, cell] of cells.entries()) if (fromAddress(cell) !== null) counts.set(at, (counts.get(at) ?? 0) + 1)
  return counts
}

const otherHeaders =
  /^(?:name|firstname|first|lastname|last|fullname|email|company|title|position|role|id|country|city)$/
/** Tells handles from names: names begin with a capital letter, handles do not. */
const looksLikeHandle = (cell: string): boolean =>
  fromAddress(cell) !== null ||
  (fromCell(cell) !== null && (!/^\s*\p{Lu}/u.test(cell) || /[\d_-]/.test(cell) || readMemberId(cell) !== null))

/** For headers that may stand above names too (`Person`). */
const fromLikelyCell = (cell: string): string | null => (looksLikeHandle(cell) ? fromCell(cell) : null)

const onlyHandles = ['handle', 'publicidentifier']

function readerUnder(header: string): Column['read'] {
  if (ofAddresses.includes(header)) return fromAddress
  return onlyHandles.includes(header) ? fromCell : fromLikelyCell
}

type Column = { readonly at: number; readonly read: (cell: string) => string | null }

function columnUnder(head: CsvRecord, rows: readonly CsvRecord[]): Column {
  const names = head.cells.map(headerOf)
  const possible = names.flatMap((name, at) => (known.includes(name) ? [at] : []))
  const addresses = addressColumns(rows)
  const withAddresses = possible.filter((at) => addresses.has(at))
  // `username` may be the login of another system: prefer a column that contains profile addresses.
  const clearest = (withAddresses.length > 0 ? withAddresses : possible).toSorted(
    (one, other) => known.indexOf(names[one]!) - known.indexOf(names[other]!),
  )
  const at = clearest[0]!
  return { at, read: readerUnder(names[at]!) }
}

function columnWithoutHead(records: readonly CsvRecord[]): Column {
  const addresses = [...addressColumns(records).keys()]
  if (addresses.length > 1)
    throw needsHeader(`columns ${addresses.map((at) => at + 1).join(' and ')} hold addresses of profiles`)
  if (addresses.length === 1 && records.some(({ cells }) => cells.length > 1))
    return { at: addresses[0]!, read: fromAddress }
  const isList =
    records.every(({ cells }) => cells.length === 1 && looksLikeHandle(cells[0]!)) &&
    !otherHeaders.test(headerOf(records[0]?.cells[0] ?? ''))
  if (isList) return { at: 0, read: fromCell }
  if (addresses.length === 1) return { at: 0, read: fromAddress }
  throw needsHeader('nothing says which cells name people')
}

const personOf = (name: string): DeclaredSource => ({ key: 'person', name, settings: {} })

const shown = (cell: string): string => (cell.length > 80 ? `${cell.slice(0, 80).toWellFormed()}…` : cell)

/** Reads people and counts records without a handle. Refuses a file without people. */
export function peopleIn(csv: string): { readonly people: readonly DeclaredSource[]; readonly skipped: number } {
  const { text, separator: said, line } = beginOf(csv)
  const { separator, head } = layoutOf(text, said)
  const records = [...csvRecords(text, separator, line)]
  if (records.length === 0) throw usage('the file is empty')
  const rows = head === null ? records : records.slice(head + 1)
  const column = head === null ? columnWithoutHead(records) : columnUnder(records[head]!, rows)
  const handles = new Set<string>()
  let skipped = 0
  for (const { line: at, cells } of rows) {
    const cell = cells[column.at] ?? ''
    const handle = column.read(cell)
    if (handle !== null && separatedWithin.test(handle) && separatedWithin.test(cell))
      throw usage(
        `line ${at} of the CSV: «${shown(cell)}» is no one handle: separate values by commas, semicolons or tabs`,
      )
    if (handle === null) skipped += 1
    else handles.add(handle)
  }
  if (handles.size > 0) return { people: [...handles].map(personOf), skipped }
  const where = head === null ? `column ${column.at + 1}` : `the column «${records[head]!.cells[column.at]!.trim()}»`
  throw usage(`the file names nobody: ${where} holds no handle and no address of a profile (${rows.length} records)`)
}
