/** The normal form of an industry: the network's present name of it, from its number or any name it has had. */
import { foldText } from '@les/contract'
import { cleanTextOrNull } from '../../../platform/text.ts'
import industries from './industries.json' with { type: 'json' }

/** An industry; `id` is the network's number of it where that is known. */
type Industry = { readonly id: string | null; readonly name: string }

const fold = (name: string): string =>
  foldText(name)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** By number: the present name, then the names that older records carry. The network kept its numbers when it renamed them in 2022. */
const known = Object.entries(industries).map(([id, names]) => ({ id, name: names[0]!, names }))
const byName = new Map(known.flatMap(({ id, name, names }) => names.map((one) => [fold(one), { id, name }] as const)))
const byId = new Map(known.map(({ id, name }) => [id, { id, name }] as const))

/** An industry as vendors give it: a name, or a record of one. */
export type RawIndustry = string | { id: string | null; urn: string | null; name: string | null; title: string | null }

/** The first industry that says anything: by a name it has or had, else by its own words, whose number is kept. */
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
