import { sql, type RawBuilder } from 'kysely'

/** SQL: the team as a row `given`: with a parameter the planner picks a smaller index and reads the whole team for each key. */
export const someTeam = (teamId: string): RawBuilder<unknown> => sql`unnest(${[teamId]}::uuid[]) as given (team_id)`
