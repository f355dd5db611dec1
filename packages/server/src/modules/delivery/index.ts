/** The public face of delivery: webhook settings, and events on their way to customers. */
export { initialWebhookStatus, offerLeads } from './actions.ts'
export { offerPosts, offerSyncEnding } from './events.ts'
export { deliverStep, type DeliveryDeps } from './jobs.ts'
export { releaseDeliveryLeases } from './lease-store.ts'
export { deliveryOperations, type DeliveryOperationDeps, type DeliveryOperationId } from './operations.ts'
export { pushOperations, type PushOperationId } from './push-operations.ts'
export { cancelHeldOfUntracked } from './push-store.ts'
export { deliveriesDue, nextDeliveryDue, purgeDeliveryLog } from './store.ts'
