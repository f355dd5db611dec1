/** A push belongs to one source: chosen leads are sent source by source. */

/** What grouping looks at. */
type Row = {
  readonly id: string
  readonly sourceId: string | null
  readonly sourceLabel: string | null
  readonly sourceKind: string
}

/** Chosen leads of one source. */
export type Group = {
  readonly sourceId: string
  readonly kind: string
  readonly label: string
  readonly leadIds: readonly string[]
}

/** The chosen leads by source, the most first; `homeless` counts those that no source's webhook can take. */
export function groupBySource(rows: readonly Row[]): {
  readonly groups: readonly Group[]
  readonly withoutSource: number
} {
  const groups = new Map<string, { sourceId: string; kind: string; label: string; leadIds: string[] }>()
  let withoutSource = 0
  for (const row of rows) {
    if (row.sourceId === null) {
      withoutSource += 1
      continue
    }
    const group = groups.get(row.sourceId) ?? {
      sourceId: row.sourceId,
      kind: row.sourceKind,
      label: row.sourceLabel ?? 'Unnamed source',
      leadIds: [],
    }
    group.leadIds.push(row.id)
    groups.set(row.sourceId, group)
  }
  return { groups: [...groups.values()].sort((a, b) => b.leadIds.length - a.leadIds.length), withoutSource }
}
