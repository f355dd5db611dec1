/** Outreach platforms behind the port of `port.ts`. */
export * from './port.ts'
export { createHeyReach } from './heyreach.ts'
export type { HeyReachOptions } from './heyreach-client.ts'
export { heldPlatform } from './held.ts'
