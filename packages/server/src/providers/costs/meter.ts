/**
 * What calls of outside systems cost, for whom: counted in this process and written in bulk every few seconds, so that no call waits
 * for a row. A process that dies takes the last seconds of it along: these figures steer and inform, nobody is charged by them.
 */
import { sql, type Kysely } from 'kysely'
import { currentLogContext } from '../../platform/log-context.ts'
import type { Database } from '../../platform/db/schema.ts'

/** What is told of one try of a call; dollars where they are known: ours, and what a team pays itself with its own key. */
export type Metered = {
  readonly provider: string
  readonly outcome: string
  readonly cost?: number | null
  readonly teamCost?: number | null
}

/** Counts calls. */
export type CostMeter = {
  count(call: Metered): void
  /** Dollars of a vendor that are not written down yet. */
  pending(vendor: string): number
  /** Dollars of a team's own keys that are not written down yet. */
  pendingOfTeam(teamId: string): number
  /** Writes what was counted; answers how many rows that was. What cannot be written is kept for the next time. */
  flush(): Promise<number>
}

/** Stands for nobody's team and for no source. */
export const nobody = '00000000-0000-0000-0000-000000000000'

type Use = {
  readonly teamId: string
  readonly sourceId: string
  readonly vendor: string
  calls: number
  micro: number
  teamMicro: number
}
type Day = {
  calls: number
  micro: number
  rate_limited: number
  unavailable: number
  malformed: number
  refused: number
}

/** Dollars that no call costs: whoever says so has slipped, and what cannot be true is not held against the day's cap. */
const costsNobody = 1_000

const micros = (dollars: number | null | undefined): number =>
  dollars != null && dollars >= 0 && dollars < costsNobody ? Math.round(dollars * 1e6) : 0
const failures: Readonly<Record<string, keyof Day>> = {
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  malformed: 'malformed',
  unreadable: 'malformed',
  account: 'refused',
  key: 'refused',
  invalid_key: 'refused',
}

/** Opens the meter; the day is that of service time when it is written. */
export function openMeter({
  db,
  serviceNow,
}: {
  readonly db: Kysely<Database>
  readonly serviceNow: () => Promise<Date>
}): CostMeter {
  let uses = new Map<string, Use>()
  let days = new Map<string, Day>()

  const add = (use: Use): void => {
    const key = `${use.teamId}|${use.sourceId}|${use.vendor}`
    const known = uses.get(key)
    if (known)
      Object.assign(known, {
        calls: known.calls + use.calls,
        micro: known.micro + use.micro,
        teamMicro: known.teamMicro + use.teamMicro,
      })
    else uses.set(key, { ...use })
  }
  const addDay = (vendor: string, more: Day): void => {
    const known = days.get(vendor)
    days.set(
      vendor,
      known ? (Object.fromEntries(Object.entries(more).map(([k, n]) => [k, n + known[k as keyof Day]])) as Day) : more,
    )
  }

  return {
    count: ({ provider: vendor, outcome, cost, teamCost }) => {
      const { teamId, sourceId } = currentLogContext()
      const micro = micros(cost)
      add({
        // Whoever asks for no team has an empty one.
        teamId: typeof teamId === 'string' && teamId !== '' ? teamId : nobody,
        sourceId: typeof sourceId === 'string' && sourceId !== '' ? sourceId : nobody,
        vendor,
        calls: 1,
        micro,
        teamMicro: micros(teamCost),
      })
      const day: Day = { calls: 1, micro, rate_limited: 0, unavailable: 0, malformed: 0, refused: 0 }
      const failed = failures[outcome]
      addDay(vendor, failed ? { ...day, [failed]: 1 } : day)
    },
    pendingOfTeam: (teamId) =>
      [...uses.values()].reduce((sum, use) => sum + (use.teamId === teamId ? use.teamMicro : 0), 0) / 1e6,
    pending: (vendor) => (days.get(vendor)?.micro ?? 0) / 1e6,
    flush: async () => {
      if (uses.size === 0) return 0
      const [written, writtenDays] = [uses, days]
      uses = new Map()
      days = new Map()
      try {
        await write(db, await serviceNow(), { uses: [...written.values()], days: [...writtenDays] })
        return written.size
      } catch (error) {
        for (const use of written.values()) add(use)
        for (const [vendor, day] of writtenDays) addDay(vendor, day)
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
  { uses, days }: { readonly uses: readonly Use[]; readonly days: readonly [string, Day][] },
): Promise<void> {
  const day = dayOf(at)
  const of = (name: keyof Day) => days.map(([, figures]) => figures[name])
  await db.transaction().execute(async (tx) => {
    // In one order everywhere, so that two processes never wait for each other.
    const rows = [...uses].sort((a, b) =>
      `${a.teamId}${a.vendor}${a.sourceId}` < `${b.teamId}${b.vendor}${b.sourceId}` ? -1 : 1,
    )
    await sql`
      insert into serving_cost as c (team_id, day, vendor, source_id, calls, micro_dollars, team_micro_dollars)
      select t, ${day}::date, v, s, n, m, o
      from unnest(${rows.map((use) => use.teamId)}::uuid[], ${rows.map((use) => use.vendor)}::text[],
          ${rows.map((use) => use.sourceId)}::uuid[],
        ${rows.map((use) => use.calls)}::bigint[], ${rows.map((use) => use.micro)}::bigint[],
        ${rows.map((use) => use.teamMicro)}::bigint[]) as used (t, v, s, n, m, o)
      on conflict (team_id, day, vendor, source_id)
      do update set calls = c.calls + excluded.calls, micro_dollars = c.micro_dollars + excluded.micro_dollars,
        team_micro_dollars = c.team_micro_dollars + excluded.team_micro_dollars`.execute(tx)
    await sql`
      insert into vendor_cost_day as d (vendor, day, calls, rate_limited, unavailable, malformed, refused,
          micro_dollars)
      select v, ${day}::date, n, r, u, b, f, m
      from unnest(${days.map(([vendor]) => vendor)}::text[], ${of('calls')}::bigint[], ${of('rate_limited')}::bigint[],
          ${of('unavailable')}::bigint[],
        ${of('malformed')}::bigint[], ${of('refused')}::bigint[], ${of('micro')}::bigint[]) as used (v, n, r, u, b, f,
        m) order by v
      on conflict (vendor, day)
      do update set calls = d.calls + excluded.calls, rate_limited = d.rate_limited + excluded.rate_limited,
        unavailable = d.unavailable + excluded.unavailable,
        malformed = d.malformed + excluded.malformed, refused = d.refused + excluded.refused,
        micro_dollars = d.micro_dollars + excluded.micro_dollars`.execute(tx)
  })
}
