/** What the engine counts of the work it hands out. */

/** By the name they are counted under. */
export const workCounters = {
  leases_taken_over: {
    name: 'les_leases_taken_over_total',
    label: 'kind',
    help: 'Work taken over because whoever had it fell silent.',
  },
  leases_lost: {
    name: 'les_leases_lost_total',
    label: 'kind',
    help: 'Results thrown away because the work was taken over or ended meanwhile.',
  },
  unexpected_failures: {
    name: 'les_unexpected_failures_total',
    label: 'kind',
    help: 'Work that failed unexpectedly and was put off, or ended after the fifth time.',
  },
} as const

type WorkCounters = typeof workCounters
declare module '../metrics.ts' {
  interface Counters extends WorkCounters {}
}
