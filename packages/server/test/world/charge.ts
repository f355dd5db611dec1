import { chargeAll, knownCharges, lockAccount, type Charge } from '../../src/modules/credits/index.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'

/** Charges one credit if the balance allows it. */
export async function chargeOne(tx: Tx, teamId: string, charge: Charge): Promise<'charged' | 'known' | 'insufficient'> {
  const locked = await lockAccount(tx, teamId)
  if ((await knownCharges(tx.db, teamId, [charge.key])).size > 0) return 'known'
  if (locked.balance < 1) return 'insufficient'
  await chargeAll(tx, locked, [charge])
  return 'charged'
}
