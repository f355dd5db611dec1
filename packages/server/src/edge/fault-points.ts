/** The fault points that the pipeline of requests passes, with what each lies between. */

/** By name. */
export const edgeFaultPoints = {
  handler: 'after the work of a write request, before its commit',
} as const

type EdgeFaultPoints = typeof edgeFaultPoints
declare module '../platform/faults.ts' {
  interface FaultPoints extends EdgeFaultPoints {}
}
