/** Whose rows are gone through next: `retention_turn` is written here. A team is due 20 hours after it was done, or made. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** How long after a round the next of a team is due: once a day, whenever the clock comes by. */
export const betweenMs = 20 * 3_600_000

/** Where a rule that walks a table stands: the place it goes on at, or when it last came to the end. */
export type Place = { readonly at?: string; readonly ended?: string }

/** A team that is due. */
export type DueTeam = { readonly teamId: string; readonly places: Readonly<Record<string, Place>> }

const dueSince = sql`coalesce(r.checked_at, t.created_at)`

/** SQL: teams that are due. */
const dueTeams = (now: Date) =>
  sql`team t left join retention_turn r on r.team_id = t.id where ${dueSince} <= ${new Date(now.getTime() - betweenMs)}`

/** True when some team is due. */
export const teamsDue = (now: Date): Condition =>
  sql<boolean>`exists (select 1 from ${dueTeams(now)} and t.id <> ${sampleTeamId}::uuid)`

/** Teams that are due, the one waiting longest first, without these. */
export async function listDueTeams(
  db: Reader,
  { now, without, limit }: { readonly now: Date; readonly without: readonly string[]; readonly limit: number },
): Promise<DueTeam[]> {
  const { rows } = await sql<DueTeam>`
    select t.id as "teamId", coalesce(r.places, '{}'::jsonb) as places
    from ${dueTeams(now)} and t.id <> all(${[...without]}::uuid[])
    order by ${dueSince}, t.id limit ${limit}`.execute(db)
  return rows
}

/** Notes that a team had its turn. One that is not `finished` is due again at once, behind all others that are due. */
export async function saveTurn(
  tx: Tx,
  teamId: string,
  turn: { readonly finished: boolean; readonly places: Readonly<Record<string, Place>> },
): Promise<void> {
  const at = turn.finished ? tx.now : new Date(tx.now.getTime() - betweenMs)
  await sql`
    insert into retention_turn (team_id, checked_at, places)
    values (${teamId}, ${at}, ${JSON.stringify(turn.places)}::jsonb)
    on conflict (team_id) do update set checked_at = excluded.checked_at, places = excluded.places`.execute(tx.db)
}

/** For how many seconds the team that waits longest has been due; 0 when none is. */
export async function readLateness(db: Reader, now: Date): Promise<number> {
  const { rows } = await sql<{
    since: Date | null
  }>`select min(${dueSince}) as since from team t left join retention_turn r on r.team_id = t.id`.execute(db)
  const since = rows[0]?.since
  return since ? Math.max(0, (now.getTime() - since.getTime() - betweenMs) / 1_000) : 0
}
