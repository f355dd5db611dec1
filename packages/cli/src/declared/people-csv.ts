/** People from a CSV file: a column of handles or of addresses of profiles. */
import { usage } from '../failure.ts'
import { csvRecords } from './csv.ts'
import type { DeclaredSource } from './document.ts'

const columns = ['person', 'username', 'handle', 'profile', 'profileurl', 'linkedinurl', 'linkedin', 'url']

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The handle in a cell; null when there is none. */
function handleOf(cell: string): string | null {
  const [, inAddress] = /linkedin\.com\/(?:in|pub)\/([^/?#\s]+)/i.exec(cell) ?? []
  const handle = inAddress === undefined ? cell.trim() : decoded(inAddress)
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{1,99}$/u.test(handle) ? handle : null
}

const personOf = (name: string): DeclaredSource => ({
  key: 'person',
  name,
  settings: {},
  webhook: undefined,
  icp: undefined,
  outreach: undefined,
})

/** Which column holds the people; -1 when the first record is one of them already. */
function columnIn(head: readonly string[]): number {
  const names = head.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const at = names.findIndex((name) => columns.includes(name))
  if (at < 0 && names.length > 1) throw usage(`the file needs a column called one of ${columns.join(', ')}`)
  return at
}

/** Reads it; records without a handle are counted. */
export function peopleIn(text: string): { readonly people: readonly DeclaredSource[]; readonly skipped: number } {
  const handles = new Set<string>()
  let skipped = 0
  let column: number | null = null
  for (const { cells } of csvRecords(text)) {
    const isHead: boolean = column === null && (column = columnIn(cells)) >= 0
    if (isHead) continue
    const handle = handleOf(cells[Math.max(column!, 0)] ?? '')
    if (handle === null) skipped += 1
    else handles.add(handle)
  }
  return { people: [...handles].map(personOf), skipped }
}
