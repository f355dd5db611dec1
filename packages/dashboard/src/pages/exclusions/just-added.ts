/** Finds just added entries, for undo. Separate from `lines.ts`, whose CSV reader pages with leads need not load. */
import type { InputOf } from '../../api/index.ts'

type Entry = InputOf<'addExclusions'>['entries'][number]
type Listed = { readonly id: string; readonly kind: string; readonly value: string }

/** The end of an address, which is what the service stores: handle, slug or domain. */
const named = (value: string): string => value.replace(/\/$/, '').split('/').at(-1)!.toLowerCase()

/** Of `listed`, newest first, the ids of the newest `added` that match `entries`; undo must not touch those added since. */
export function newestOf(entries: readonly Entry[], listed: readonly Listed[], added: number): readonly string[] {
  const wanted = new Set(entries.map(({ kind, value }) => `${kind} ${named(value)}`))
  return listed
    .filter(({ kind, value }) => wanted.has(`${kind} ${named(value)}`))
    .slice(0, added)
    .map(({ id }) => id)
}
