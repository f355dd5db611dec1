/** The work engine: how rows that wait are claimed, leased, given back, put off and counted, for every kind of work. See README.md. */
export { workCounters } from './define.ts'
export { claim, claimOne, claimSome, type ClaimOf } from './claim.ts'
export { defineWork, type Step, type WorkDefinition } from './define.ts'
export { isLeased, readWaiting, type Waiting } from './due.ts'
export { eachTeam, takesPart, type Round, type RoundDeps } from './each-team.ts'
export {
  releaseRow,
  releaseRows,
  noteTaskContext,
  leaseRows,
  lockAllLeased,
  lockLeased,
  oldest,
  postpone,
  type RescheduleHow,
  reschedule,
  rescheduleForEver,
  releaseLeases,
  renewLeases,
  type Candidates,
  type LeasedRow,
} from './leases.ts'
export { listPoison, retryPoison, type PoisonWork } from './due.ts'
export { defineRows, isClaimable, leaseMs, leaseOf, noLease, type Lease, type WorkRows } from './rows.ts'
export { servedTeam } from './rows.ts'
export { hasTurn, healTurns, isAlone, markTeams, takeTurn, type Mark } from './turns.ts'
