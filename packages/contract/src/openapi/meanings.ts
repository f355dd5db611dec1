/**
 * What the fields of the interface mean, where their own schema does not say it: by name, and under the end of a longer path where
 * one name means different things (`Push.counts.pending` before `counts.pending` before `pending`). A field that appears in many
 * resources is explained once, in the same words everywhere. `meanings.json` has them by subject.
 */
import bySubject from './meanings.json' with { type: 'json' }

export const meanings: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(bySubject))

/** What the field at the end of a path means, by the longest end of the path that is explained. */
export function meaningOf(path: readonly string[]): string | undefined {
  for (let from = 0; from < path.length; from++) {
    const found = meanings[path.slice(from).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}
