import { createCache } from '../../world/cache.ts'

export type Cell = string | number | boolean | { readonly formula: string }
type Tab = { title: string; rows: Cell[][] }
export type Workbook = { title: string; tabs: Tab[] }

/** Answered with 400 and this message. */
export class BadRange extends Error {}

/** A drive on which any spreadsheet exists on first use, with one empty tab. */
export function openDrive() {
  const books = createCache<string, Workbook>()
  return {
    book: (id: string): Workbook =>
      books.get(id, () => ({ title: `Spreadsheet ${id.slice(0, 8)}`, tabs: [{ title: 'Sheet1', rows: [] }] })),
    tokens: new Map<string, { email: string; scopes: string; expiresAt: number }>(),
    keys: new Map<string, string>(),
    revoked: new Set<string>(),
    clear(): void {
      for (const part of [books, this.tokens, this.keys, this.revoked]) part.clear()
    },
  }
}

export type Drive = ReturnType<typeof openDrive>

/** A range in A1 notation, 0-based; open ends are infinite. */
type Range = { tab: Tab; left: number; right: number; top: number; bottom: number }

const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Parses `'Leads'!A:A` or `Sheet1!A1:C5`. */
export function rangeOf({ tabs }: Workbook, text: string): Range {
  const split = /^(?:'((?:[^']|'')+)'|([^'!]+))!([A-Za-z]+)(\d*)(?::([A-Za-z]+)(\d*))?$/.exec(text)
  const tab = tabs.find(({ title }) => title === (split?.[1]?.replaceAll("''", "'") ?? split?.[2]))
  if (!split || !tab) throw new BadRange(`Unable to parse range: ${text}`)
  const [, , , from = '', first = '', to = from, last = to === from && split[5] === undefined ? first : ''] = split
  return {
    tab,
    left: columnOf(from),
    right: columnOf(to),
    top: first === '' ? 0 : Number(first) - 1,
    bottom: last === '' ? Infinity : Number(last) - 1,
  }
}

/** The values of a range, without empty rows and cells at its end. */
export function read({ tab, left, right, top, bottom }: Range): Cell[][] {
  const rows = tab.rows.slice(top, bottom + 1).map((row) => trimmed(row.slice(left, right + 1)))
  while (rows.at(-1)?.length === 0) rows.pop()
  return rows
}

function trimmed(row: Cell[]): Cell[] {
  const end = row.findLastIndex((cell) => cell !== '')
  return row.slice(0, end + 1)
}

/** Writes cells from the start of a range. */
export function write({ tab, left, top }: Range, values: readonly (readonly Cell[])[]): void {
  values.forEach((row, down) => {
    while (tab.rows.length <= top + down) tab.rows.push([])
    const target = tab.rows[top + down]!
    while (target.length < left) target.push('')
    target.splice(left, row.length, ...row)
  })
}

/** Appends below the table at the range's start, that is, at the first empty row; returns the first row written, 0-based. */
export function append(range: Range, values: readonly (readonly Cell[])[], insert: boolean): number {
  const { rows } = range.tab
  const blank = rows.findIndex((row, index) => index >= range.top && trimmed(row).length === 0)
  const at = blank === -1 ? rows.length : blank
  if (insert) rows.splice(at, 0, ...values.map(() => []))
  write({ ...range, top: at }, values)
  return at
}
