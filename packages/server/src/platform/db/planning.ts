import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: the team as a row `given`, for looking up many keys in a large unique index. With a plain parameter the planner expects a
 * team it has no statistics of to have almost no rows, picks a smaller index that also begins with the team, and reads the whole
 * team for each key.
 */
export const someTeam = (teamId: string): RawBuilder<unknown> => sql`unnest(${[teamId]}::uuid[]) as given (team_id)`
