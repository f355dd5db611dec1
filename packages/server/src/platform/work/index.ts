/** The work engine; see README.md. */
export { claim, claimOne, claimSome } from './claim.ts'
export { defineWork, type Step, type WorkDeps } from './define.ts'
export { isLeased, listFailingWork, readWaiting, retryFailingWork } from './due.ts'
export { eachTeam, takesPart, type RoundDeps } from './each-team.ts'
export {
  endLease,
  endLeases,
  noteTaskContext,
  leaseRows,
  lockAllLeased,
  lockLeased,
  oldest,
  postpone,
  type RescheduleHow,
  reschedule,
  rescheduleForEver,
  endAllLeases,
  renewLeases,
  type LeasedRow,
} from './leases.ts'
export {
  defineRows,
  isClaimable,
  leaseMs,
  leaseOf,
  noLease,
  openTeam,
  servedTeam,
  type Lease,
  type WorkRows,
} from './rows.ts'
export { hasTurn, healTurns, isAlone, takeTurn } from './turns.ts'
