/** The team's credit balance: an append-only ledger whose keys are business facts. */
export { creditsCounters } from './counters.ts'
export { creditsFaultPoints } from './fault-points.ts'
export {
  AccountOvertaken,
  chargeAll,
  chargeOne,
  defaultAllowance,
  followStatus,
  knownCharges,
  lockAccount,
  openAccount,
  readBalance,
  setAllowance,
  shareAccount,
  topUp,
  type Balance,
  type Charge,
  type LockedAccount,
} from './actions.ts'
export {
  agentTrialPeople,
  closeAgentTrial,
  countAgentChecked,
  grantAgentSearch,
  isAgentSearch,
  lockAgentTrial,
  lockForChecks,
  settleAgentSearch,
} from './agent-trial.ts'
export { holdCredits, holdMs, releaseExpiredHolds, releaseHold, settleHold, type HoldOutcome } from './holds.ts'
export { renewDuePeriods, type RenewalDeps } from './renewals.ts'
export { holdsExpired } from './hold-store.ts'
export { renewalsDue } from './store.ts'
export { creditOperations, readCredits } from './operations.ts'
export { confirmIn, confirmPeople, mustConfirm, quote, type Cost, type Quote } from './rules/spend-gate.ts'
export { chargesBetween } from './charges.ts'
export { listMargins, type TeamMargin } from './margins.ts'
