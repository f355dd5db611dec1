/** Which teams are served (G129): the only SQL of the engine that names the table `team`, which the rows of work are of. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../db/unit-of-work.ts'
import { sampleTeamId } from '../sample-team.ts'

/** SQL: true of `team t` with an active subscription or an unexpired trial at `now`; never of the sample team. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})
      and t.id <> ${sampleTeamId}::uuid)`

/** SQL: the team `t` of a row of work `w`, for `servedTeam`. */
export const joinTeam: RawBuilder<unknown> = sql`join team t on t.id = w.team_id`

/** SQL, for `from`: these teams, each as `t`. */
export const teamsNamed = (ids: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${[...ids]}::uuid[]) as named (id) join team t using (id)`

/** Ids of teams that may have work, in their order, behind `after`; at most `most`. */
export async function listTeamIds(db: Reader, after: string | null, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from team where id <> ${sampleTeamId}
    and ${after === null ? sql`true` : sql`id > ${after}::uuid`} order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
