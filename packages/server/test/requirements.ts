/** The requirements of docs/requirements.json, and which of them a text cites. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Group = { readonly group: string; readonly requirements: Readonly<Record<string, string>> }

/** Groups of requirements in the order of the specification: id → what it asks for. */
export const requirements = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/requirements.json'), 'utf8'),
) as readonly Group[]

/** The ids a text cites. `KEY-14..KEY-18` gives every id in it; a reversed or mixed range stays as written, no id. */
export function citedRequirements(text: string): string[] {
  return [...text.matchAll(/\b([A-Z]{3})-(\d{2})\b(?:\.\.(\w+)-?(\d*))?/g)].flatMap(
    ([whole, prefix, from, end, to]) => {
      if (whole === 'UTF-16') return []
      if (end === undefined) return [whole]
      const count = Number(to) - Number(from) + 1
      if (end !== prefix || !(count > 1)) return [whole]
      return Array.from({ length: count }, (_, index) => `${prefix}-${String(Number(from) + index).padStart(2, '0')}`)
    },
  )
}
