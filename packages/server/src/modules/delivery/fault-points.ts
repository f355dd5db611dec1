/** The fault points that `delivery` passes, with what each lies between. */

/** By name. */
export const deliveryFaultPoints = {
  'delivery.leased': 'a delivery was leased, nothing sent',
  'delivery.sent': 'the receiver has answered, nothing recorded',
  'delivery.before-commit': 'the outcome of an attempt written, not committed',
  'push.queued': 'the leads of a push claimed, not committed',
  'destination.begun': 'deliveries to a destination marked as begun, not committed',
  'destination.sent': 'the platform of a destination has answered, nothing recorded',
  'destination.recorded': 'what came of deliveries to a destination written, not committed',
  'export.written': 'a part of a file of leads written, not committed',
  'webhook.clearing': 'some of what waited for a cleared webhook ended, not committed',
} as const

type DeliveryFaultPoints = typeof deliveryFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends DeliveryFaultPoints {}
}
