import { type Kysely, sql } from 'kysely'
import type { SystemClock } from '../../platform/clock.ts'
import type { Random } from '../../platform/random.ts'
import {
  BudgetExhausted,
  type BudgetPlace,
  type BudgetRequest,
  inLine,
  MINUTE_MS,
  pause,
  placeOf,
  type VendorBudget,
} from './budget.ts'

/** A slot whose holder died is free again after this long; no call may last longer. */
export const SLOT_LEASE_MS = 90_000

/** How often a full budget is asked again; a place freed by this process is noticed at once. */
const POLL_MS = 60

type Line = { line: Promise<void>; changed: PromiseWithResolvers<void> }

/**
 * A vendor's budget shared by all processes of the database: tables `vendor_slot`, `vendor_minute` and `vendor_limit`.
 *
 * Times are the machines' own (system time); `owner` names the process. A release that fails costs its slot for one lease.
 */
export function createPgBudget<DB>(options: {
  db: Kysely<DB>
  system: SystemClock
  random: Random
  owner: string
}): VendorBudget {
  const { db, system, random } = options
  const lines = new Map<string, Line>()
  let counter = 0
  return {
    learnt: async (account) => {
      const { rows } = await sql<{
        inFlight: number
      }>`select in_flight as "inFlight" from vendor_limit where account = ${account}`.execute(db)
      return rows[0]?.inFlight ?? null
    },
    learn: async (account, inFlight) => {
      await sql`insert into vendor_limit (account, in_flight) values (${account}, ${inFlight}) on conflict (account)
        do update set in_flight = excluded.in_flight where vendor_limit.in_flight <> excluded.in_flight`.execute(db)
    },
    acquire: (vendor, request) => {
      const line = lines.get(vendor) ?? { line: Promise.resolve(), changed: Promise.withResolvers<void>() }
      lines.set(vendor, line)
      const deadlineMs = system.nowMs() + request.waitMs
      return inLine(line, request.signal, () => take({ vendor, line }, request, deadlineMs))
    },
  }

  async function take({ vendor, line }: LineOf, request: BudgetRequest, deadlineMs: number): Promise<BudgetPlace> {
    const owner = `${options.owner}:${(counter += 1)}`
    let made = 0
    for (;;) {
      request.signal?.throwIfAborted()
      const maxInFlight = request.maxInFlight()
      const slot = await takeSlot(db, {
        vendor,
        owner,
        nowMs: system.nowMs(),
        maxInFlight,
        perMinute: request.perMinute,
      })
      if (slot !== null) return placeOf(() => giveBack({ vendor, line }, slot, owner))
      if (maxInFlight > made) {
        made = maxInFlight
        if ((await makeSlots(db, vendor, maxInFlight)) > 0) continue
      }
      const nowMs = system.nowMs()
      const leftMs = deadlineMs - nowMs
      const windowMs =
        request.perMinute === null ? 0 : await minuteLeft(db, { vendor, perMinute: request.perMinute, nowMs })
      if (leftMs <= 0 || windowMs > leftMs) throw new BudgetExhausted(vendor, windowMs > 0 ? windowMs : 1_000)
      const waitMs = Math.min(leftMs, windowMs > 0 ? windowMs : POLL_MS * (0.5 + random.next()))
      await pause(system, waitMs, { changed: line.changed.promise, signal: request.signal })
    }
  }

  async function giveBack({ vendor, line }: LineOf, slot: number, owner: string): Promise<void> {
    await sql`update vendor_slot set leased_until_ms = 0
      where vendor = ${vendor} and slot = ${slot} and owner = ${owner}`.execute(db)
    const { changed } = line
    line.changed = Promise.withResolvers<void>()
    changed.resolve()
  }
}

/** A vendor, and those in this process who wait for a slot of it. */
type LineOf = { readonly vendor: string; readonly line: Line }

type Take = { vendor: string; owner: string; nowMs: number; maxInFlight: number; perMinute: number | null }

/** Takes a free slot and counts the call in one statement; null when there is no slot or the minute is used up. */
async function takeSlot<DB>(db: Kysely<DB>, take: Take): Promise<number | null> {
  const { vendor, owner, nowMs, maxInFlight, perMinute } = take
  const stale = sql`(m.opened_ms + ${MINUTE_MS}::bigint <= ${nowMs}::bigint
      or m.opened_ms > ${nowMs}::bigint + ${MINUTE_MS}::bigint)`
  const minute =
    perMinute === null
      ? sql`select 1 from free`
      : sql`insert into vendor_minute as m (vendor, opened_ms, used) select ${vendor}, ${nowMs}::bigint, 1 from free
          on conflict (vendor)
          do update set opened_ms = case when ${stale} then ${nowMs}::bigint else m.opened_ms end,
            used = case when ${stale} then 1 else m.used + 1 end
          where ${stale} or m.used < ${perMinute}::int returning 1`
  const taken = await sql<{ slot: number }>`
    with free as (select slot from vendor_slot
      where vendor = ${vendor} and slot < ${maxInFlight}::int
        and (coalesce(leased_until_ms, 0) <= ${nowMs}::bigint or leased_until_ms > ${nowMs + 2 * SLOT_LEASE_MS}::bigint)
        order by slot limit 1 for update skip locked),
      counted as (${minute})
    update vendor_slot as s set owner = ${owner}, leased_until_ms = ${nowMs + SLOT_LEASE_MS}::bigint
    from free where s.vendor = ${vendor} and s.slot = free.slot and exists (select 1 from counted)
    returning s.slot`.execute(db)
  return taken.rows[0]?.slot ?? null
}

/** Makes the slots that are not there yet and says how many they were. */
async function makeSlots<DB>(db: Kysely<DB>, vendor: string, maxInFlight: number): Promise<number> {
  const made = await sql`insert into vendor_slot (vendor, slot, owner, leased_until_ms) select ${vendor}, n, '', 0
      from generate_series(0, ${maxInFlight}::int - 1) as n on conflict do nothing`.execute(db)
  return Number(made.numAffectedRows ?? 0n)
}

/** How long until a used-up minute is over; 0 when it is not used up. */
async function minuteLeft<DB>(
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
