/** The public face of delivery: webhook settings, and events on their way to customers. */
export { deliveryCounters } from './counters.ts'
export { isCancelled, isUnderWay } from './deliveries.ts'
export { completeSyncs, offerPosts, offerSyncEnding } from './events.ts'
export { deliveryFaultPoints } from './fault-points.ts'
export { initialWebhookStatus, offerLeads } from './offers.ts'
export { pushOperations, startPush, type PushOperationId } from './push/operations.ts'
export { findPushable, goingReasons, type PushableGroup, type PushReason } from './push/preview.ts'
export { pushLeads, pushWork, queueingStep } from './push/queueing.ts'
export { findOneReplay, findReplay, replayDeliveries, replayDelivery, resendAll, type ReplayQuery } from './replay.ts'
export { purgeBodies, purgeDeliveryLog, purgePushes } from './retention.ts'
export { withoutDelivered } from './same-engagement.ts'
export { deliveryRows } from './sending/claim.ts'
export { endDeliveries } from './sending/untracked.ts'
export type { DeliveryDeps } from './sending/deps.ts'
export { deliverStep, deliveryWork } from './sending/work.ts'
export { adoptWebhook, carriersOf, type AgentHook } from './settings/agent-webhook.ts'
export { clearingsDue, giveUpCleared, roomOfUnit, type Room } from './settings/clearing.ts'
export { giveUpHeld, heldForNothing, heldForUntracked, letGoHeld } from './settings/held.ts'
export {
  deliveryOperations,
  giveWebhook,
  refuseUndeliverable,
  type DeliveryOperationDeps,
  type DeliveryOperationId,
} from './settings/operations.ts'
export { sendSample, troubleshootOperations, type SampleDeps, type SampleSent } from './troubleshoot.ts'
