/** SQL of the shared budget: `vendor_slot`, `vendor_minute` and `vendor_limit` are written here and nowhere else. */
import { type Kysely, sql } from 'kysely'
import { MINUTE_MS } from './budget.ts'

/** A slot whose holder died is free again after this long; no call may last longer. */
export const SLOT_LEASE_MS = 90_000

/** A slot that this process holds, and since when. */
export type Slot = { readonly vendor: string; readonly slot: number; readonly owner: string; readonly takenMs: number }

/** How many calls an account was last said to take at once; null when nobody has said so. */
export async function findLimit<DB>(db: Kysely<DB>, account: string): Promise<number | null> {
  const { rows } = await sql<{
    inFlight: number
  }>`select in_flight as "inFlight" from vendor_limit where account = ${account}`.execute(db)
  return rows[0]?.inFlight ?? null
}

/** Remembers that. */
export async function saveLimit<DB>(db: Kysely<DB>, account: string, inFlight: number): Promise<void> {
  await sql`insert into vendor_limit (account, in_flight) values (${account}, ${inFlight}) on conflict (account)
    do update set in_flight = excluded.in_flight where vendor_limit.in_flight <> excluded.in_flight`.execute(db)
}

/** Waits for no disk: slots that a crash of the database forgets were given back, or come free with their lease. */
const waitsForNoDisk = sql`(select set_config('synchronous_commit', 'off', true)) waits_for_no_disk`

/** Gives slots back, of those only that are still theirs who took them. */
export async function giveBackAll<DB>(db: Kysely<DB>, slots: readonly Slot[]): Promise<readonly undefined[]> {
  const sorted = [...slots].sort((a, b) => (a.vendor === b.vendor ? a.slot - b.slot : a.vendor < b.vendor ? -1 : 1))
  await sql`
    with given as materialized (
      select s.vendor, s.slot
      from unnest(${sorted.map((one) => one.vendor)}::text[], ${sorted.map((one) => one.slot)}::int[],
        ${sorted.map((one) => one.owner)}::text[]) as g (vendor, slot, owner)
      join vendor_slot s on s.vendor = g.vendor and s.slot = g.slot and s.owner = g.owner
      cross join ${waitsForNoDisk}
      order by s.vendor, s.slot for update of s)
    update vendor_slot as s set leased_until_ms = 0 from given
    where s.vendor = given.vendor and s.slot = given.slot`.execute(db)
  return slots.map(() => undefined)
}

type Take = {
  readonly vendor: string
  readonly owner: string
  readonly nowMs: number
  /** Calls in flight at once. */
  readonly most: number
  readonly perMinute: number | null
  readonly wanted: number
}

/** Takes free slots, as many as are wanted and there are, and counts their calls; none when the minute is used up. */
export async function takeSlots<DB>(db: Kysely<DB>, take: Take): Promise<readonly number[]> {
  const taken = await takeTogether(db, take)
  // A minute that has no room for all of them may have some for one.
  return taken.length > 0 || take.wanted === 1 || take.perMinute === null
    ? taken
    : takeTogether(db, { ...take, wanted: 1 })
}

async function takeTogether<DB>(db: Kysely<DB>, take: Take): Promise<readonly number[]> {
  const { vendor, owner, nowMs, most, perMinute, wanted } = take
  const stale = sql`(m.opened_ms + ${MINUTE_MS}::bigint <= ${nowMs}::bigint
      or m.opened_ms > ${nowMs}::bigint + ${MINUTE_MS}::bigint)`
  const minute =
    perMinute === null
      ? sql`select 1 from free limit 1`
      : sql`insert into vendor_minute as m (vendor, opened_ms, used)
          select ${vendor}, ${nowMs}::bigint, count(*) from free having count(*) between 1 and ${perMinute}::int
          on conflict (vendor)
          do update set opened_ms = case when ${stale} then ${nowMs}::bigint else m.opened_ms end,
            used = case when ${stale} then 0 else m.used end + excluded.used
          where ${stale} or m.used + excluded.used <= ${perMinute}::int returning 1`
  const { rows } = await sql<{ slot: number }>`
    with free as materialized (select slot from vendor_slot
      where vendor = ${vendor} and slot < ${most}::int
        and (coalesce(leased_until_ms, 0) <= ${nowMs}::bigint or leased_until_ms > ${nowMs + 2 * SLOT_LEASE_MS}::bigint)
        order by slot limit ${wanted}::int for update skip locked),
      counted as (${minute})
    update vendor_slot as s set owner = ${owner}, leased_until_ms = ${nowMs + SLOT_LEASE_MS}::bigint
    from free, ${waitsForNoDisk}
    where s.vendor = ${vendor} and s.slot = free.slot and exists (select 1 from counted)
    returning s.slot`.execute(db)
  return rows.map(({ slot }) => slot)
}

/** Makes the slots that are not there yet and says how many they were. */
export async function makeSlots<DB>(db: Kysely<DB>, vendor: string, maxInFlight: number): Promise<number> {
  const made = await sql`insert into vendor_slot (vendor, slot, owner, leased_until_ms) select ${vendor}, n, '', 0
      from generate_series(0, ${maxInFlight}::int - 1) as n on conflict do nothing`.execute(db)
  return Number(made.numAffectedRows ?? 0n)
}

/** How long until a used-up minute is over; 0 when it is not used up. */
export async function minuteLeft<DB>(
  db: Kysely<DB>,
  { vendor, perMinute, nowMs }: { readonly vendor: string; readonly perMinute: number; readonly nowMs: number },
): Promise<number> {
  const found = await sql<{
    opened_ms: number
    used: number
  }>`select opened_ms, used from vendor_minute where vendor = ${vendor}`.execute(db)
  const minute = found.rows[0]
  if (!minute || minute.used < perMinute) return 0
  return Math.min(MINUTE_MS, Math.max(0, Number(minute.opened_ms) + MINUTE_MS - nowMs))
}
