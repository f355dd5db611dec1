/** What the planner knows, and what it must not count on. */
import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: a team as the row `given`, whose rows the planner cannot count beforehand. It takes a team that it has not met yet, in a table it
 * knows, to have next to none, and every index that begins with the team to be as good as that of the key; the smaller one is chosen, and
 * the whole team read for each key. For many keys at once of a unique index that is larger than others of its table.
 */
export const someTeam = (teamId: string): RawBuilder<unknown> => sql`unnest(${[teamId]}::uuid[]) as given (team_id)`
