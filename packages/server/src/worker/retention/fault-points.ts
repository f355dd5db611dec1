/** The fault points that retention passes, with what each lies between. */

/** By name. */
export const retentionFaultPoints = {
  'retention.purged': 'a batch of old rows removed, not committed',
} as const

type RetentionFaultPoints = typeof retentionFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends RetentionFaultPoints {}
}
