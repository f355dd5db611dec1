/** The fault points that `privacy` passes, with what each lies between. */

/** By name. */
export const privacyFaultPoints = {
  'erasure.begun': 'what an erasure is of is known and locked, nothing deleted',
  'erasure.leads-deleted': 'leads and deliveries of a person deleted, not committed',
  'erasure.facts-deleted': 'facts, posts and sends of a person deleted, not committed',
  'erasure.logs-deleted': 'the ledger and the logs name the person no more, not committed',
  'erasure.before-commit': 'a person erased and blocked, not committed',
} as const

type PrivacyFaultPoints = typeof privacyFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends PrivacyFaultPoints {}
}
