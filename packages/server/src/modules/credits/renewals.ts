/** Renewals by the clock, for teams that make no charge after their period ends. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { lockAccount } from './actions.ts'
import { findAccount } from './store.ts'

const ended = (now: Date) =>
  sql`credit_account a join team t on t.id = a.team_id where a.period_end <= ${now} and t.status = 'active'`

/** True when a credit period has ended. */
export const renewalsDue = (now: Date): Condition => sql<boolean>`exists (select 1 from ${ended(now)})`

/** Renews a team whose period has ended; false when a charge renewed it first or the clock was set back. */
async function renewIfDue(tx: Tx, teamId: string, faultPoint: FaultPointHook): Promise<boolean> {
  const before = await findAccount(tx.db, teamId, 'team')
  const { account } = await lockAccount(tx, teamId)
  await faultPoint('credits.renewed')
  return account.periodStart.getTime() !== before?.periodStart.getTime()
}

/** Renews every ended credit period, one unit of work per team; returns how many. */
export function renewDuePeriods(deps: RoundDeps & { readonly faultPoint: FaultPointHook }): Promise<number> {
  return eachTeam(deps, {
    task: 'renew credit periods',
    find: (now, without) =>
      queryAll<{ teamId: string }>(deps.db)`
        select a.team_id as "teamId" from ${ended(now)} and a.team_id <> all(${[...without]}::uuid[])
        order by a.period_end limit 500`,
    forTeam: async (teamId) => ((await deps.unitOfWork((tx) => renewIfDue(tx, teamId, deps.faultPoint))) ? 1 : 0),
  })
}
