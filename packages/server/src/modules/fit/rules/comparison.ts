import type { FilterRow, MatchMode } from '@les/contract'

/** True when missing criteria by one row is meaningful: all of several rows must match. */
export const namesRows = (rules: readonly FilterRow[], matchMode: MatchMode): boolean =>
  matchMode === 'all' && rules.length > 1

/** The credits one fitting person costs, each person of a source costing one; null while nobody fits. */
export const creditsPerFit = (people: number, fitting: number): number | null =>
  fitting === 0 ? null : Math.round((people / fitting) * 10) / 10
