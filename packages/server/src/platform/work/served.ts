/** Which teams are served (G129): one piece of SQL, wherever rows of a team are taken up. */
import { sql, type RawBuilder } from 'kysely'
import { sampleTeamId } from '../sample-team.ts'

/** SQL: true of `team t` with an active subscription or an unexpired trial at `now`; never of the sample team. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now}) and t.id <> ${sampleTeamId}::uuid)`
