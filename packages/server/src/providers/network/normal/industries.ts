/** Maps an industry's number, or any name it ever had, to the network's current name. */
import { foldText } from '@les/contract'
import { cleanTextOrNull } from '../../../platform/text.ts'
import industries from './industries.json' with { type: 'json' }

type Industry = { readonly id: string | null; readonly name: string }

const fold = (name: string): string =>
  foldText(name)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Current name first, then names in older records. The network kept its numbers when it renamed industries in 2022. */
const known = Object.entries(industries).map(([id, names]) => ({ id, name: names[0]!, names }))
const byName = new Map(known.flatMap(({ id, name, names }) => names.map((one) => [fold(one), { id, name }] as const)))
const byId = new Map(known.map(({ id, name }) => [id, { id, name }] as const))

export type RawIndustry = string | { id: string | null; urn: string | null; name: string | null; title: string | null }

/** The first industry with a known name or number; an unknown name is kept as it is, with its number. */
export function readIndustry(rows: readonly RawIndustry[]): Industry | null {
  for (const row of rows) {
    const entry = typeof row === 'string' ? { id: null, urn: null, name: row, title: null } : row
    const name = cleanTextOrNull(entry.name, 200) ?? cleanTextOrNull(entry.title, 200)
    const id =
      [entry.id, entry.urn].map((one) => /(?:^|:)(\d{1,6})$/.exec(one?.trim() ?? '')?.[1]).find(Boolean) ?? null
    const found = name === null ? (id === null ? undefined : byId.get(id)) : byName.get(fold(name))
    if (found) return found
    if (name !== null) return { id, name }
  }
  return null
}
