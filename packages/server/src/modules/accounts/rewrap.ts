/** A change of the master key: the data keys of all teams are wrapped anew, what is sealed under them stays (AUT-17). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { rewrapDataKey } from '../../platform/secrets.ts'

/** The master key as it was and as it shall be, 32 bytes each. */
export type MasterChange = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly randomBytes: (count: number) => Buffer
}

/**
 * Wraps every team's data key by the new master key, all or none; those it wraps already are left, so it can be run
 * again. Throws when one opens with neither.
 */
export async function rewrapDataKeys(tx: Tx, change: MasterChange): Promise<{ rewrapped: number; already: number }> {
  const teams = await tx.db.selectFrom('team').select(['id', 'data_key']).orderBy('id').forNoKeyUpdate().execute()
  let rewrapped = 0
  for (const team of teams) {
    const wrapped = rewrapDataKey({ id: team.id, dataKey: team.data_key }, change, change.randomBytes)
    if (wrapped === null) continue
    await tx.db.updateTable('team').set({ data_key: wrapped }).where('id', '=', team.id).execute()
    rewrapped += 1
  }
  return { rewrapped, already: teams.length - rewrapped }
}
