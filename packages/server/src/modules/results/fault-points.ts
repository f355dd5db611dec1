/** The fault points that `results` passes, with what each lies between. */

/** By name. */
export const resultsFaultPoints = {
  'results.received': 'a post of the outreach platform kept, not committed',
  'results.leased': 'a team that hears from the outreach platform was leased, nothing applied or asked',
  'results.applied': 'some posts applied, not committed',
  'results.read': 'the outreach platform has answered how far people of a campaign are, nothing recorded',
} as const

type ResultsFaultPoints = typeof resultsFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends ResultsFaultPoints {}
}
