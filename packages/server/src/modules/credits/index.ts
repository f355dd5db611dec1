export {
  AccountOvertaken,
  chargeAll,
  followStatus,
  lockAccount,
  openAccount,
  readBalance,
  setAllowance,
  shareAccount,
  topUp,
  type LockedAccount,
} from './actions.ts'
export {
  closeAgentTrial,
  countAgentChecked,
  grantAgentSearch,
  isAgentSearch,
  lockAgentTrial,
  lockAgentTrialForSources,
  settleAgentSearch,
} from './agent-trial.ts'
export {
  holdCredits,
  holdsExpired,
  releaseExpiredHolds,
  releaseHold,
  settleHold,
} from './holds.ts'
export {
  freeLinesToMerge,
  idOfHash,
  idOfKey,
  insertFreeLines,
  linesOfFree,
  listCountedFree,
  listCountedOutsideRuns,
  mergeFreeLines,
  type FreeReason,
} from './free-lines.ts'
export { renewalsDue, renewDuePeriods } from './renewals.ts'
export { eraseFromFreeLines, eraseFromLedger, erasePersonFromDisputes } from './erasing.ts'
export { knownCharges, type Charge } from './store.ts'
export { chargesBetween, creditOperations, readCredits, spanAsked } from './operations.ts'
export { categoryInWords } from './rules/category-words.ts'
export { chargeKeysOfPerson, keyOfDiscoverPerson, keyOfEnrichment, keyOfSourcePerson } from './rules/keys.ts'
export {
  decideDispute,
  findTeamOfDispute,
  giveBackCharges,
  disputeOperations,
  listDisputes,
  type DisputeState,
} from './disputes.ts'
export { confirmIn, confirmPeople, mustConfirm, quote } from './rules/spend-gate.ts'
export { listMargins } from './margins.ts'
