/** Network vendors behind the port in `providers/ports.ts`. */
export { createNetwork, heldVendor } from './failover.ts'
export { createHarvestApi } from './harvestapi/index.ts'
export { createLinkdApi } from './linkdapi/index.ts'
export { budgetedByTeam } from './team-budget.ts'
export type { AdapterOptions } from './vendor-client.ts'
