/** People from a CSV file: a column of handles or of addresses of profiles. */
import { usage } from '../failure.ts'
import type { DeclaredSource } from './document.ts'

const columns = ['person', 'username', 'handle', 'profile', 'profileurl', 'linkedinurl', 'linkedin', 'url']

/** Cells of a line; quotes may hold commas and quotes. */
function cells(line: string): string[] {
  const found: string[] = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    found.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
  return found
}

/** The handle in a cell; null when there is none. */
function handleOf(cell: string): string | null {
  const [, inAddress] = /linkedin\.com\/(?:in|pub)\/([^/?#\s]+)/i.exec(cell) ?? []
  const handle = inAddress === undefined ? cell : decodeURIComponent(inAddress)
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{1,99}$/u.test(handle) ? handle : null
}

/** Reads it; lines without a handle are counted. */
export function peopleIn(text: string): { readonly people: readonly DeclaredSource[]; readonly skipped: number } {
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const names = cells(head).map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const at = names.findIndex((name) => columns.includes(name))
  if (at < 0 && names.length > 1) throw usage(`the file needs a column called one of ${columns.join(', ')}`)
  const rows = at < 0 ? [head, ...lines] : lines
  const handles = rows.map((line) => handleOf(cells(line)[Math.max(at, 0)] ?? ''))
  const people = [...new Set(handles.filter((handle) => handle !== null))].map(
    (name): DeclaredSource => ({
      key: 'person',
      name,
      settings: {},
      webhook: undefined,
      icp: undefined,
      outreach: undefined,
    }),
  )
  return { people, skipped: handles.filter((handle) => handle === null).length }
}
