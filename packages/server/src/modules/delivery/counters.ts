/** What deliveries count. */

/** By the name they are counted under. */
export const deliveryCounters = {
  deliveries: {
    name: 'les_deliveries_total',
    label: 'outcome',
    help: 'Attempts to deliver an event, by what became of it.',
  },
} as const

type DeliveryCounters = typeof deliveryCounters
declare module '../../platform/metrics.ts' {
  interface Counters extends DeliveryCounters {}
}
