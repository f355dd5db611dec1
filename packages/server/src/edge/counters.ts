/** What the edge counts besides requests. */

/** By the name they are counted under. */
export const edgeCounters = {
  undeclared_refusals: {
    name: 'les_undeclared_refusals_total',
    label: 'operation',
    help: 'Refusals answered by an operation that does not declare them. Must be 0.',
  },
} as const

type EdgeCounters = typeof edgeCounters
declare module '../platform/metrics.ts' {
  interface Counters extends EdgeCounters {}
}
