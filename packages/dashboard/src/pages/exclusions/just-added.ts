/** Which entries an addition has made, for its undo: apart from how they are read from files, which pages with leads do without. */
import type { InputOf } from '../../api/index.ts'

type Entry = InputOf<'addExclusions'>['entries'][number]
type Listed = { readonly id: string; readonly kind: string; readonly value: string }

/** What an entry names, from an address or by itself: the service keeps the handle, slug or domain that an address ends with. */
const named = (value: string): string => value.replace(/\/$/, '').split('/').at(-1)!.toLowerCase()

/**
 * The ids of the newest of listed entries, given newest first, that these are: those that were just added. Others may have been added
 * since, which nobody takes back with these.
 */
export function newestOf(entries: readonly Entry[], listed: readonly Listed[], added: number): readonly string[] {
  const wanted = new Set(entries.map(({ kind, value }) => `${kind} ${named(value)}`))
  return listed
    .filter(({ kind, value }) => wanted.has(`${kind} ${named(value)}`))
    .slice(0, added)
    .map(({ id }) => id)
}
