import operations from './operations.json' with { type: 'json' }
import type { Catalogue, Entry } from './entry.ts'

/** The generated catalogue; `catalogue.test.ts` compares it with the registry. */
export const catalogue: Catalogue = operations as unknown as Catalogue

export function entryOf(id: string): Entry {
  const entry = [...catalogue.entries, ...catalogue.person].find((each) => each.id === id)
  if (!entry) throw new Error(`the catalogue has no ${id}: run npm run generate`)
  return entry
}
