/** How many calls of the data vendors a team may cause a day. */
import { sql, type RawBuilder } from 'kysely'

/** Calls a day of a team that has no number of its own: one of a free trial, and any other. */
export const teamCallsPerDay = { trial: 5_000, other: 100_000 }

/** SQL: one row with the number in its column `most`, for the statement that counts a call; none without such a team. */
export const mostVendorCalls = (teamId: string): RawBuilder<{ most: number }> => sql<{ most: number }>`
  select coalesce(t.vendor_calls_per_day, case t.status when 'trial' then ${teamCallsPerDay.trial}::int
      else ${teamCallsPerDay.other}::int end) as most
  from team t where t.id = ${teamId}`
