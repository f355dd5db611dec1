/** The fault points that `credits` passes, with what each lies between. */

/** By name. */
export const creditsFaultPoints = {
  'credits.renewed': 'a period was renewed, not committed',
} as const

type CreditsFaultPoints = typeof creditsFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends CreditsFaultPoints {}
}
