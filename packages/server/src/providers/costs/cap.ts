/** Daily caps on the cost of a vendor, per UTC day of service time. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Held } from '../failure.ts'
import { dayOf, type CostMeter } from './meter.ts'

const checkAgainMs = 10 * 60_000
const dayMs = 86_400_000

/** Holds an account at its cap until the next UTC day, rechecked every ten minutes because the cap may be raised. */
export function capHolds({ cap, spent }: { cap: number; spent: number }, now: Date): Held | null {
  if (spent < cap) return null
  const midnight = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { reason: 'cap', until: new Date(Math.min(midnight, now.getTime() + checkAgainMs)) }
}

/** Returns a function that tells whether an account has reached its daily cap; queries only for accounts that have one. */
export function dailyCap(parts: {
  readonly db: Kysely<Database>
  readonly caps: Readonly<Record<string, number>>
  readonly meter: CostMeter
}): (account: string, now: Date) => Promise<Held | null> {
  return async (account, now) => {
    const cap = parts.caps[account]
    if (cap === undefined) return null
    const { rows } = await sql<{ micro: number }>`
      select micro_dollars as micro from vendor_cost_day
      where vendor = ${account} and day = ${dayOf(now)}::date`.execute(parts.db)
    return capHolds({ cap, spent: Number(rows[0]?.micro ?? 0) / 1e6 + parts.meter.pending(account) }, now)
  }
}
