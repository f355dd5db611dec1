/** What retention counts. */

/** By the name they are counted under. */
export const retentionCounters = {
  rows_purged: {
    name: 'les_rows_purged_total',
    label: 'rule',
    help: 'Rows deleted, or emptied, because a rule of retention keeps them no longer.',
  },
} as const

type RetentionCounters = typeof retentionCounters
declare module '../../platform/metrics.ts' {
  interface Counters extends RetentionCounters {}
}
