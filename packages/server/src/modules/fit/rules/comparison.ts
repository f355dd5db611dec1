/** Pure: what a comparison of criteria means. */
import type { FilterRow, MatchMode } from '@les/contract'

/** True when somebody can miss criteria by one row: every row must match, and there is more than one. */
export const namesRows = (rules: readonly FilterRow[], matchMode: MatchMode): boolean =>
  matchMode === 'all' && rules.length > 1

/** Credits that one person who fits costs, at the share of people who fit: each person of a source costs one; null while nobody does. */
export const creditsPerFit = (people: number, fitting: number): number | null =>
  fitting === 0 ? null : Math.round((people / fitting) * 10) / 10
