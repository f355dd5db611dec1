/** The daily cap of a vendor: what it may cost in a UTC day of service time. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Held } from '../ports.ts'
import { dayOf, type CostMeter } from './meter.ts'
import { capHolds } from './rules/cap.ts'

/** Dollars a day by vendor; a vendor that is not named has no cap. */
export type DailyCaps = Readonly<Record<string, number>>

/** Says of an account whether it has cost today what it may; asks the database only of those that have a cap. */
export function dailyCap(parts: {
  readonly db: Kysely<Database>
  readonly caps: DailyCaps
  readonly meter: CostMeter
}): (account: string, now: Date) => Promise<Held | null> {
  return async (account, now) => {
    const cap = parts.caps[account]
    if (cap === undefined) return null
    const { rows } = await sql<{ micro: number }>`
      select micro_dollars as micro from vendor_cost_day where vendor = ${account} and day = ${dayOf(now)}::date`.execute(
      parts.db,
    )
    return capHolds({ cap, spent: Number(rows[0]?.micro ?? 0) / 1e6 + parts.meter.pending(account) }, now)
  }
}
