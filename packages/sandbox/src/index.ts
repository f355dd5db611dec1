export { startSandbox, type Sandbox, type SandboxOptions } from './server.ts'
export type { World } from './world/world.ts'
export type { CampaignLead } from './vendors/heyreach/workspace.ts'
