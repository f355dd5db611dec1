/** The fault points that `icp` passes, with what each lies between. */

/** By name. */
export const icpFaultPoints = {
  'rescore.saved': 'criteria saved, no lead judged again yet',
  'rescore.batch': 'a batch of leads judged again, not committed',
} as const

type IcpFaultPoints = typeof icpFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends IcpFaultPoints {}
}
