/**
 * Meanings of fields whose schema has no description: by field name, or by the end of a path where one name has several
 * meanings (`Push.counts.pending` before `counts.pending` before `pending`). `meanings.json` groups them by subject.
 */
import bySubject from './meanings.json' with { type: 'json' }

export const meanings: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(bySubject))

/** The meaning of the field at the end of `path`; the longest explained suffix of the path wins. */
export function meaningOf(path: readonly string[]): string | undefined {
  for (let from = 0; from < path.length; from++) {
    const found = meanings[path.slice(from).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}
