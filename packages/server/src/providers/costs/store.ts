/** Vendor costs as the operator reads them (every read is bounded), their retention, and vendor balances. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readBalance, type Balance } from './balance.ts'
import { dayOf, nobody } from './meter.ts'

/** A cost line; `dollars` is paid by the operator, `teamDollars` by the team with its own key. */
type CostLine = {
  readonly day: string
  readonly teamId: string | null
  readonly sourceId: string | null
  readonly vendor: string
  readonly calls: number
  readonly dollars: number
  readonly teamDollars: number
}

type Row = Omit<CostLine, 'teamId' | 'sourceId' | 'dollars' | 'teamDollars'> & {
  readonly team_id: string
  readonly source_id: string
  readonly micro: number
  readonly team_micro: number
}
const idOf = (id: string): string | null => (id === nobody ? null : id)
const toLine = ({ day, team_id, source_id, vendor, calls, micro, team_micro }: Row): CostLine => ({
  day,
  teamId: idOf(team_id),
  sourceId: idOf(source_id),
  vendor,
  calls: Number(calls),
  dollars: Number(micro) / 1e6,
  teamDollars: Number(team_micro) / 1e6,
})
const columns = sql`to_char(day, 'YYYY-MM-DD') as day, team_id, source_id, vendor, calls, micro_dollars as micro,
  team_micro_dollars as team_micro`

/** What a vendor's calls of one day were spent on, costliest first. */
export async function listCostliest(db: Kysely<Database>, vendor: string, at: Date, most: number): Promise<CostLine[]> {
  const { rows } = await sql<Row>`
    select ${columns} from serving_cost
    where day = ${dayOf(at)}::date and vendor = ${vendor}
    order by micro_dollars + team_micro_dollars desc, calls desc, team_id, source_id limit ${most}`.execute(db)
  return rows.map(toLine)
}

/** All cost lines of some days, in order; up to `most + 1`, so that callers see whether there are more. */
export async function listCosts(
  db: Kysely<Database>,
  days: { readonly from: string; readonly to: string },
  most: number,
): Promise<CostLine[]> {
  const { rows } = await sql<Row>`
    select ${columns} from serving_cost
    where day between ${days.from}::date and ${days.to}::date
    order by day, team_id, vendor, source_id limit ${most + 1}`.execute(db)
  return rows.map(toLine)
}

/** A vendor's calls today by outcome, and its average dollars a day over the seven days before. */
export async function readVendorDay(db: Kysely<Database>, vendor: string, at: Date) {
  const day = dayOf(at)
  const { rows } = await sql<{
    calls: number
    rate_limited: number
    unavailable: number
    malformed: number
    refused: number
    micro: number
    week: number
  }>`
    select coalesce(d.calls, 0) as calls, coalesce(d.rate_limited, 0) as rate_limited,
      coalesce(d.unavailable, 0) as unavailable, coalesce(d.malformed, 0) as malformed,
      coalesce(d.refused, 0) as refused, coalesce(d.micro_dollars, 0) as micro,
      (select coalesce(sum(w.micro_dollars), 0) / greatest(1, count(*)) from vendor_cost_day w
        where w.vendor = ${vendor} and w.day between ${day}::date - 7 and ${day}::date - 1) as week
    from (select 1) one left join vendor_cost_day d on d.vendor = ${vendor} and d.day = ${day}::date`.execute(db)
  const { calls, micro, week, ...failed } = rows[0]!
  const share = (count: number) =>
    Number(calls) === 0 ? 0 : Math.round((10_000 * Number(count)) / Number(calls)) / 10_000
  return {
    calls: Number(calls),
    dollars: Number(micro) / 1e6,
    dollarsADay: Number(week) / 1e6,
    errors: {
      rateLimited: share(failed.rate_limited),
      unavailable: share(failed.unavailable),
      malformed: share(failed.malformed),
      refused: share(failed.refused),
    },
  }
}

/** An account's calls in flight across all processes. */
export async function countInFlight(db: Kysely<Database>, vendor: string, systemNowMs: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from vendor_slot
    where vendor = ${vendor} and leased_until_ms > ${systemNowMs}`.execute(db)
  return rows[0]!.n
}

/** Stores a balance reading; returns the mark to warn of, to only one process. */
export async function noteBalance(
  db: Kysely<Database>,
  vendor: string,
  balance: number,
  at: Date,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ balance: number; full_balance: number; told_percent: number | null }>`
      select balance, full_balance, told_percent from vendor_balance where vendor = ${vendor} for update`.execute(tx)
    const before: Balance | null = rows[0]
      ? { balance: rows[0].balance, full: rows[0].full_balance, warnedAt: rows[0].told_percent }
      : null
    const { after, warnAt } = readBalance(before, balance)
    await sql`
      insert into vendor_balance (vendor, balance, full_balance, told_percent, read_at)
      values (${vendor}, ${after.balance}, ${after.full}, ${after.warnedAt}, ${at})
      on conflict (vendor)
      do update set balance = excluded.balance, full_balance = excluded.full_balance,
        told_percent = excluded.told_percent, read_at = excluded.read_at`.execute(tx)
    return warnAt
  })
}

const deleted = ({ numAffectedRows }: { numAffectedRows?: bigint | undefined }) => Number(numAffectedRows ?? 0)

/** Deletes cost lines of earlier days, at most `limit`; returns how many. */
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

/** Deletes daily vendor totals of earlier days, at most `limit`; returns how many. */
export async function purgeVendorCosts(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleted(
    await sql`
    delete from vendor_cost_day
    where (vendor, day) in (select vendor, day from vendor_cost_day
      where day < ${dayOf(before)}::date limit ${limit})`.execute(tx.db),
  )
}
