/** Whether outreach has work, and how its leases end at a start (design §6). */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { batchesDue, releaseBatchLeases } from './ledger-store.ts'
import { releaseRuleLeases, rulesDue } from './rule-store.ts'

/** Whether some outreach work is due and in nobody's hands. */
export const outreachDue = (now: Date, systemNowMs: number): Condition =>
  sql<boolean>`(${batchesDue(now, systemNowMs)} or ${rulesDue(now, systemNowMs)})`

/** Ends all leases: for a service that starts and knows that it is alone. */
export async function releaseOutreachLeases(tx: Tx): Promise<void> {
  await releaseRuleLeases(tx)
  await releaseBatchLeases(tx)
}
