/** The fault points that `outreach` passes, with what each lies between. */

/** By name. */
export const outreachFaultPoints = {
  'outreach.saved': 'an auto-push and what it queues written, not committed',
  'outreach.history-queued': 'some people of a push of history queued, not committed',
  'outreach.leased': 'an auto-push or an open batch was leased, nothing asked',
  'outreach.claimed': 'people noted as being sent, nothing sent',
  'outreach.answered': 'the outreach platform has answered, nothing recorded',
  'outreach.before-commit': 'the outcome of a batch written, not committed',
  'outreach.looked-up': 'an open batch was looked up, nothing recorded',
} as const

type OutreachFaultPoints = typeof outreachFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends OutreachFaultPoints {}
}
