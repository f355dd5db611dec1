/** Which teams are served (G129): the only SQL of the engine that names the table `team`, which the rows of work are of. */
import { sql, type RawBuilder } from 'kysely'
import { sampleTeamId } from '../sample-team.ts'

/** SQL: true of `team t` with an active subscription or an unexpired trial at `now`; never of the sample team. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})
      and t.id <> ${sampleTeamId}::uuid)`

/** SQL: the team `t` of a row of work `w`, for `servedTeam`. */
export const joinTeam: RawBuilder<unknown> = sql`join team t on t.id = w.team_id`

/** SQL: the teams that may have work, in the order of their ids, behind `after`; at most `most`. */
export const teamsBehind = (after: string | null, most: number): RawBuilder<unknown> => sql`
  select t.* from team t where t.id <> ${sampleTeamId}::uuid
  and ${after === null ? sql`true` : sql`t.id > ${after}::uuid`} order by t.id limit ${most}`
