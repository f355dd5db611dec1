/** Whether outreach has work, and how its leases end at a start (design §6). */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { batchesDue, releaseBatchLeases } from './ledger-store.ts'
import { releaseRuleLeases, rulesDue } from './rule-store.ts'

/** Whether some outreach work is due and in nobody's hands. */
export async function outreachDue(db: Reader, now: Date, systemNowMs: number): Promise<boolean> {
  return (await batchesDue(db, now, systemNowMs)) || (await rulesDue(db, now, systemNowMs))
}

/** Ends all leases: for a service that starts and knows that it is alone. */
export async function releaseOutreachLeases(tx: Tx): Promise<void> {
  await releaseRuleLeases(tx)
  await releaseBatchLeases(tx)
}
