/** What is kept of the costs of vendors: lines by team and source for a year and a bit, sums by day longer. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { dayOf } from './meter.ts'

const deleted = ({ numAffectedRows }: { readonly numAffectedRows?: bigint | undefined }) => Number(numAffectedRows ?? 0)

/** Deletes lines of days before, at most `limit`; answers how many. */
export async function purgeServingCosts(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleted(
    await sql`
    delete from serving_cost c using (
      select team_id, day, vendor, source_id from serving_cost where day < ${dayOf(before)}::date
      order by day limit ${limit}) old
    where c.team_id = old.team_id and c.day = old.day and c.vendor = old.vendor
      and c.source_id = old.source_id`.execute(tx.db),
  )
}

/** Deletes sums of days before, at most `limit`; answers how many. */
export async function purgeVendorCosts(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleted(
    await sql`
    delete from vendor_cost_day
    where (vendor, day) in (select vendor, day from vendor_cost_day
      where day < ${dayOf(before)}::date limit ${limit})`.execute(tx.db),
  )
}
