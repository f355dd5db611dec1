/** What credits do by themselves: renew the periods that have ended. */
import type { FaultPointHook } from '../../platform/faults.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { renewIfDue } from './actions.ts'
import { listDueRenewals } from './store.ts'

/** What renewals work with. */
export type RenewalDeps = RoundDeps & { readonly faultPoint: FaultPointHook }

const batch = 500

/** Renews the credit period of every team whose period has ended, one unit of work a team; answers how many. */
export function renewDuePeriods(deps: RenewalDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'renew credit periods',
    find: (now, without) => listDueRenewals(deps.db, { now, limit: batch, without }),
    forTeam: async (teamId) => ((await deps.unitOfWork((tx) => renewIfDue(tx, teamId, deps.faultPoint))) ? 1 : 0),
  })
}
