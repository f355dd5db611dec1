/** The public face of delivery: webhook settings, and events on their way to customers. */
export { deliveryCounters } from './counters.ts'
export { deliveryFaultPoints } from './fault-points.ts'
export { adoptWebhook, carriersOf, pushLeads, type AgentHook } from './agent-webhook.ts'
export { withoutDelivered } from './same-engagement.ts'
export { initialWebhookStatus, offerLeads } from './actions.ts'
export { completeSyncs, offerPosts, offerSyncEnding } from './events.ts'
export { deliverStep, deliveryWork, type DeliveryDeps } from './jobs.ts'
export { findOneReplay, findReplay, replayDeliveries, replayDelivery, resendAll, type ReplayQuery } from './replay.ts'
export { sendSample, type SampleDeps, type SampleSent } from './sample.ts'
export { deliveryRows } from './lease-store.ts'
export { giveUpCleared, roomOfUnit, type Room } from './clearing.ts'
export { isGivenUp, isUnderWay } from './store.ts'
export {
  deliveryOperations,
  giveWebhook,
  refuseUndeliverable,
  type DeliveryOperationDeps,
  type DeliveryOperationId,
} from './operations.ts'
export { pushOperations, startPush, type PushOperationId } from './push-operations.ts'
export { findPushable, goingReasons, type PushableGroup, type PushReason } from './push-preview.ts'
export { pushWork, queueingStep } from './push-queueing.ts'
export { keepPushCounts, listPushes, pushCountsDue, pushDrift } from './push-counts.ts'
export { giveUpHeld, letGoHeld } from './tasks.ts'
export { endDeliveries } from './untracked.ts'
export { heldForNothing, heldForUntracked } from './held-store.ts'
export { troubleshootOperations } from './troubleshoot.ts'
export { purgeBodies, purgeDeliveryLog, purgeForsakenLeases, purgePushes } from './retention.ts'
