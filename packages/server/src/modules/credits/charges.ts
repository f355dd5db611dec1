/** SQL that reads charges: which are known, and what a team was charged in a span of time. */
import { sql, type RawBuilder } from 'kysely'
import { someTeam } from '../../platform/db/planning.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/**
 * SQL of rows `(day, source_id, category, credits)`, one for each charge of a team between two instants, both inclusive; `to` null: until
 * now. The index `credit_entry_charges` holds all of it.
 */
export function chargesBetween({
  teamId,
  from,
  to,
}: {
  readonly teamId: string
  readonly from: Date
  readonly to: Date | null
}): RawBuilder<unknown> {
  return sql`
    select (e.created_at at time zone 'UTC')::date as day, e.source_id, e.category, -e.amount as credits
    from credit_entry e
    where e.team_id = ${teamId} and e.kind = 'charge' and e.created_at >= ${from}
      and ${to === null ? sql`true` : sql`e.created_at <= ${to}`}`
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
