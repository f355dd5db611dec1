/** Which teams are served (G129): one piece of SQL, wherever rows of a team are taken up. */
import { sql, type RawBuilder } from 'kysely'

/** SQL: true of `team t` with an active subscription or an unexpired trial at `now`. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})`
