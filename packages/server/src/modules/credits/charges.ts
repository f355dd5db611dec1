/**
 * SQL that reads charges: which are known, and their sums, of which whole UTC days come from `credit_day`, which the ledger
 * keeps as it is written, and the rest line by line.
 */
import { sql, type RawBuilder } from 'kysely'
import { someTeam } from '../../platform/db/planning.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { cutSpan } from './rules/whole-days.ts'

const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * SQL of rows `(day, source_id, category, credits, charges)` that add up to what a team was charged between two instants, both
 * inclusive; `to` null: until now. `source`: of one source of a joined row, as SQL.
 */
export function chargesBetween({
  teamId,
  from,
  to,
  source = null,
}: {
  readonly teamId: string
  readonly from: Date
  readonly to: Date | null
  readonly source?: RawBuilder<unknown> | null | undefined
}): RawBuilder<unknown> {
  const { days, rests } = cutSpan(from, to)
  const ofDay = source === null ? sql`true` : sql`d.subject = ${source}::text`
  const ofEntry = source === null ? sql`true` : sql`e.source_id = ${source}`
  const parts = [
    ...(days === null
      ? []
      : [
          sql`select d.day, nullif(d.subject, '')::uuid as source_id, nullif(d.category, '') as category, d.credits,
            d.charges::bigint as charges from credit_day d
            where d.team_id = ${teamId} and d.day >= ${dateOf(days[0])}::date and d.day < ${dateOf(days[1])}::date
              and ${ofDay}`,
        ]),
    ...rests.map(
      ([begin, end]) =>
        sql`select (e.created_at at time zone 'UTC')::date as day, e.source_id, e.category, -e.amount as credits,
          1::bigint as charges from credit_entry e
          where e.team_id = ${teamId} and e.kind = 'charge' and e.created_at >= ${begin} and e.created_at < ${end}
            and ${ofEntry}`,
    ),
  ]
  return parts.length === 0
    ? sql`select null::date as day, null::uuid as source_id, null::text as category, 0::bigint as credits,
      0::bigint as charges where false`
    : sql`${sql.join(parts, sql` union all `)}`
}

/** Which of these keys the ledger already has. */
export async function listKnownKeys(db: Reader, teamId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  // One index look-up a key: with `any` the planner, knowing little of a young table, may read the whole team instead.
  const { rows } = await sql<{ key: string }>`
    select asked.key from ${someTeam(teamId)} cross join unnest(${keys}::text[]) as asked (key)
    cross join lateral (select 1 from credit_entry
      where team_id = given.team_id and key = asked.key limit 1) known`.execute(db)
  return new Set(rows.map((row) => row.key))
}
