/** How many calls of the data vendors a team may cause a day. */
import { sql, type RawBuilder } from 'kysely'

/** Calls a day of a team that has no number of its own: one of a free trial, and any other. */
export const teamCallsPerDay = { trial: 5_000, other: 100_000 }

/** SQL: a row for each of these teams that there is, `team_id` and `most`, for the statement that counts calls. */
export const mostVendorCalls = (teamIds: readonly string[]): RawBuilder<{ team_id: string; most: number }> => sql<{
  team_id: string
  most: number
}>`
  select t.id as team_id, coalesce(t.vendor_calls_per_day, case t.status when 'trial' then ${teamCallsPerDay.trial}::int
      else ${teamCallsPerDay.other}::int end) as most
  from team t where t.id = any(${teamIds}::uuid[])`
