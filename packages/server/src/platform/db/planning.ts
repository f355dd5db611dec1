import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: the team as a row `given`, for many keys of a large unique index. With a parameter the planner expects few rows of a team
 * without statistics, picks a smaller index, and reads the whole team for each key.
 */
export const someTeam = (teamId: string): RawBuilder<unknown> => sql`unnest(${[teamId]}::uuid[]) as given (team_id)`
