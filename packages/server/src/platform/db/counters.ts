/** What the database counts. */

/** By the name they are counted under. */
export const databaseCounters = {
  reads_with_replica: {
    name: 'les_reads_with_replica_total',
    label: 'place',
    help: 'Reads that a replica was to answer, by who did: the replica, or the primary because that was behind or away.',
  },
} as const

type DatabaseCounters = typeof databaseCounters
declare module '../metrics.ts' {
  interface Counters extends DatabaseCounters {}
}
