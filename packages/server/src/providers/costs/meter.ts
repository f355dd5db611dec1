/** Counts costs of calls in memory and writes them in bulk: no call waits. A crash loses seconds; nobody is charged by them. */
import { sql, type Kysely } from 'kysely'
import { currentLogContext } from '../../platform/log-context.ts'
import type { Database } from '../../platform/db/schema.ts'

/** One try of a call; `cost` in dollars paid by the operator, `teamCost` in dollars paid by the team with its own key. */
type Metered = {
  readonly provider: string
  readonly outcome: string
  readonly cost?: number | null
  readonly teamCost?: number | null
}

/** The cost meter; `pending` returns dollars not yet written. */
export type CostMeter = {
  count(call: Metered): void
  pending(vendor: string): number
  /** Writes the counts; returns the number of rows. After a failed write the counts are kept for the next flush. */
  flush(): Promise<number>
}

/** Stands for "no team" and "no source". */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** An increment to a `serving_cost` row; dollars in millionths. */
type Use = { teamId: string; sourceId: string; vendor: string; calls: number; micro: number; teamMicro: number }

const failureColumns = ['rate_limited', 'unavailable', 'malformed', 'refused'] as const
type FailureColumn = (typeof failureColumns)[number]
type Day = { vendor: string; calls: number; micro: number } & Record<FailureColumn, number>

const columnOf: Readonly<Record<string, FailureColumn>> = {
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  malformed: 'malformed',
  unreadable: 'malformed',
  account: 'refused',
  key: 'refused',
  invalid_key: 'refused',
}

/** No call costs this much: such an amount is a vendor's error and must not count towards the daily cap. */
const impossibleDollars = 1_000

const micros = (dollars: number | null | undefined): number =>
  dollars != null && dollars >= 0 && dollars < impossibleDollars ? Math.round(dollars * 1e6) : 0

function add<T extends Record<string, string | number>>(rows: Map<string, T>, key: string, more: T): void {
  const known = rows.get(key)
  const sum = (name: string, value: string | number) =>
    known && typeof value === 'number' ? value + Number(known[name]) : value
  rows.set(key, Object.fromEntries(Object.entries(more).map(([name, value]) => [name, sum(name, value)])) as T)
}

/** Opens the meter; counts are booked on the day (service time) of the flush. */
export function openMeter(parts: {
  readonly db: Kysely<Database>
  readonly serviceNow: () => Promise<Date>
}): CostMeter {
  let uses = new Map<string, Use>()
  let days = new Map<string, Day>()
  return {
    count: ({ provider: vendor, outcome, cost, teamCost }) => {
      const context = currentLogContext()
      const idOf = (id: unknown): string => (typeof id === 'string' && id !== '' ? id : nobody)
      const [teamId, sourceId] = [idOf(context.teamId), idOf(context.sourceId)]
      const micro = micros(cost)
      const use: Use = { teamId, sourceId, vendor, calls: 1, micro, teamMicro: micros(teamCost) }
      // `write` sorts rows by this key: all processes lock rows in the same order and cannot deadlock.
      add(uses, `${teamId}${vendor}${sourceId}`, use)
      const failed = columnOf[outcome]
      const none = { rate_limited: 0, unavailable: 0, malformed: 0, refused: 0 }
      add(days, vendor, { vendor, calls: 1, micro, ...none, ...(failed ? { [failed]: 1 } : {}) })
    },
    pending: (vendor) => (days.get(vendor)?.micro ?? 0) / 1e6,
    flush: async () => {
      if (uses.size === 0) return 0
      const [writtenUses, writtenDays] = [uses, days]
      uses = new Map()
      days = new Map()
      try {
        await write(parts.db, await parts.serviceNow(), { uses: writtenUses, days: writtenDays })
        return writtenUses.size
      } catch (error) {
        for (const [key, use] of writtenUses) add(uses, key, use)
        for (const [key, day] of writtenDays) add(days, key, day)
        throw error
      }
    },
  }
}

/** The UTC day of an instant. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

async function write(
  db: Kysely<Database>,
  at: Date,
  counted: { readonly uses: ReadonlyMap<string, Use>; readonly days: ReadonlyMap<string, Day> },
): Promise<void> {
  const sorted = <T>(rows: ReadonlyMap<string, T>): T[] =>
    [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const [uses, days, day] = [sorted(counted.uses), sorted(counted.days), dayOf(at)]
  const ofUses = (name: keyof Use) => uses.map((use) => use[name])
  const ofDays = (name: keyof Day) => days.map((figures) => figures[name])
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into serving_cost as c (team_id, day, vendor, source_id, calls, micro_dollars, team_micro_dollars)
      select team_id, ${day}::date, vendor, source_id, calls, micro, team_micro
      from unnest(${ofUses('teamId')}::uuid[], ${ofUses('vendor')}::text[], ${ofUses('sourceId')}::uuid[],
          ${ofUses('calls')}::bigint[], ${ofUses('micro')}::bigint[], ${ofUses('teamMicro')}::bigint[])
        as used (team_id, vendor, source_id, calls, micro, team_micro)
      on conflict (team_id, day, vendor, source_id) do update set
        calls = c.calls + excluded.calls,
        micro_dollars = c.micro_dollars + excluded.micro_dollars,
        team_micro_dollars = c.team_micro_dollars + excluded.team_micro_dollars`.execute(tx)
    await sql`
      insert into vendor_cost_day as d (vendor, day, calls, rate_limited, unavailable, malformed, refused, micro_dollars)
      select vendor, ${day}::date, calls, rate_limited, unavailable, malformed, refused, micro
      from unnest(${ofDays('vendor')}::text[], ${ofDays('calls')}::bigint[], ${ofDays('rate_limited')}::bigint[],
          ${ofDays('unavailable')}::bigint[], ${ofDays('malformed')}::bigint[], ${ofDays('refused')}::bigint[],
          ${ofDays('micro')}::bigint[])
        as used (vendor, calls, rate_limited, unavailable, malformed, refused, micro)
      on conflict (vendor, day) do update set
        calls = d.calls + excluded.calls,
        rate_limited = d.rate_limited + excluded.rate_limited,
        unavailable = d.unavailable + excluded.unavailable,
        malformed = d.malformed + excluded.malformed,
        refused = d.refused + excluded.refused,
        micro_dollars = d.micro_dollars + excluded.micro_dollars`.execute(tx)
  })
}
