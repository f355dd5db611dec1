/** Who is meant by the rows of a send: one recipient for each person (OUT-07, OUT-12, OUT-13). */

/** How a person is known in the ledger; at least one is given. */
export type PersonKeys = { readonly personUrn: string | null; readonly handle: string | null }

/** Splits rows into those of people seen for the first time, in order, and the rest: they name somebody again. */
export function oncePerPerson<R extends PersonKeys>(
  rows: readonly R[],
): { readonly once: readonly R[]; readonly again: readonly R[] } {
  const seen = new Set<string>()
  const [once, again]: [R[], R[]] = [[], []]
  for (const row of rows) {
    const keys = [
      row.personUrn === null ? [] : [`urn ${row.personUrn}`],
      row.handle === null ? [] : [`handle ${row.handle}`],
    ].flat()
    const known = keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    ;(known ? again : once).push(row)
  }
  return { once, again }
}

/** Cuts a list into pieces of at most `size`, in order. */
export function inPieces<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
