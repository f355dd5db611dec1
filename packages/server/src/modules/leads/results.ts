/** What has come of the person of a lead (RSL-03): said once a person, and looked up for the rows of a page by two indexes. */
import type { Outcome } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'

/** What came of the person of a row. */
export type ResultColumns = {
  result_last: Outcome | null
  result_last_at: Date | null
  has_replied: boolean
  has_meeting: boolean
  is_won: boolean
}

/** The same in a list of columns, with `resultsOf` joined. */
export const resultColumns = sql`came.last as result_last, came.last_at as result_last_at, came.has_replied, came.has_meeting,
  came.is_won`

/** SQL: all results of the person of lead `l`, who is known by member id and by handle, whichever of them a result has. */
const ofPerson = sql`
      select r.* from (
        select l.person_urn as urn, k.handle from (select 1) one
        left join person k on k.team_id = l.team_id and k.urn = l.person_urn) named
      cross join lateral (
        select * from result where team_id = l.team_id and person_urn in (
          select named.urn union select urn from person where team_id = l.team_id and handle = named.handle)
        union select * from result where team_id = l.team_id and handle in (named.handle, l.handle)) r`

/** SQL: what has come of the person of lead `l`, as row `came`. */
export const resultsOf: RawBuilder<unknown> = sql`lateral (
    select (array_agg(outcome order by at desc, recorded_at desc, id desc))[1] as last, max(at) as last_at,
      coalesce(bool_or(outcome = 'replied'), false) as has_replied,
      coalesce(bool_or(outcome = 'meeting'), false) as has_meeting, coalesce(bool_or(outcome = 'won'), false) as is_won
    from (${ofPerson}) r) came`

/** What came of the person of a row, as it is shown. */
export const presentResults = (row: ResultColumns) => ({
  last: row.result_last,
  lastAt: row.result_last_at?.toISOString() ?? null,
  replied: row.has_replied,
  meeting: row.has_meeting,
  won: row.is_won,
})
