/** The network's vendors behind the port of `providers/ports.ts`. */
export {
  BudgetExhausted,
  type BudgetPlace,
  type BudgetRequest,
  createMemoryBudget,
  type VendorBudget,
} from './budget.ts'
export { createNetwork } from './failover.ts'
export { heldVendor } from './held.ts'
export { createHarvestApi } from './harvestapi/index.ts'
export type { NetworkVendor } from './network-vendor.ts'
export { createLinkdApi } from './linkdapi/index.ts'
export { createPgBudget } from './pg-budget.ts'
export { SLOT_LEASE_MS } from './pg-budget-store.ts'
export { budgetedByTeam } from './team-budget.ts'
export type { AdapterOptions, VendorLogEntry } from './vendor-client.ts'
