/** Renewals by the clock, for teams that make no charge after their period ends. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { lockAccount } from './actions.ts'
import { findAccount } from './store.ts'

const ended = (now: Date) =>
  sql`credit_account a join team t on t.id = a.team_id where a.period_end <= ${now} and t.status = 'active'`

/** True when a credit period has ended. */
export const renewalsDue = (now: Date): Condition => sql<boolean>`exists (select 1 from ${ended(now)})`

async function listDueRenewals(
  db: Reader,
  { now, limit, without }: { now: Date; limit: number; without: readonly string[] },
): Promise<{ teamId: string }[]> {
  const { rows } = await sql<{ teamId: string }>`
    select a.team_id as "teamId" from ${ended(now)} and a.team_id <> all(${[...without]}::uuid[])
    order by a.period_end limit ${limit}`.execute(db)
  return rows
}

/** Renews a team whose period has ended; false when a charge renewed it first or the clock was set back. */
async function renewIfDue(tx: Tx, teamId: string, faultPoint: FaultPointHook): Promise<boolean> {
  const before = await findAccount(tx.db, teamId, 'team')
  const { account } = await lockAccount(tx, teamId)
  await faultPoint('credits.renewed')
  return account.periodStart.getTime() !== before?.periodStart.getTime()
}

type RenewalDeps = RoundDeps & { readonly faultPoint: FaultPointHook }

const batch = 500

/** Renews every ended credit period, one unit of work per team; returns how many. */
export function renewDuePeriods(deps: RenewalDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'renew credit periods',
    find: (now, without) => listDueRenewals(deps.db, { now, limit: batch, without }),
    forTeam: async (teamId) => ((await deps.unitOfWork((tx) => renewIfDue(tx, teamId, deps.faultPoint))) ? 1 : 0),
  })
}
