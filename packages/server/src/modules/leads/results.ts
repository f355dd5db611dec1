/** Results of the person of a lead (RSL-03): stored once per person, looked up for the rows of a page by two indexes. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { isoText, type LeadResource } from './present.ts'

/** SQL: all results of the person of lead `l`; a result may name them by member id or by handle. */
const ofPerson = sql`
      select r.* from (
        select l.person_urn as urn, k.handle from (select 1) one
        left join person k on k.team_id = l.team_id and k.urn = l.person_urn) named
      cross join lateral (
        select * from result where team_id = l.team_id and person_urn in (
          select named.urn union select urn from person where team_id = l.team_id and handle = named.handle)
        union select * from result where team_id = l.team_id and handle in (named.handle, l.handle)) r`

/** SQL: a summary of the results of the person of lead `l` as answers show it, as row `person_results`. */
export const resultsOf: RawBuilder<unknown> = sql`lateral (
    select json_build_object('last', (array_agg(outcome order by at desc, recorded_at desc, id desc))[1],
      'lastAt', ${isoText(sql`max(at)`)}, 'replied', coalesce(bool_or(outcome = 'replied'), false),
      'meeting', coalesce(bool_or(outcome = 'meeting'), false), 'won', coalesce(bool_or(outcome = 'won'), false)) as results
    from (${ofPerson}) r) person_results`

/** SQL: the person of lead `l` has replied or was won. Looks nobody up in a team without results. */
export const hasAnswered = (teamId: string): RawBuilder<boolean> => sql<boolean>`
  ((select exists (select 1 from result where team_id = ${teamId}))
    and exists (select 1 from (${ofPerson}) r where r.outcome in ('replied', 'won')))`

/** SQL: the leads of everybody who has replied or was won. */
export const leadsOfAnswered = (teamId: string): RawBuilder<unknown> => sql`
  with answered as (select person_urn as urn, handle from result
    where team_id = ${teamId} and outcome in ('replied', 'won'))
  select l.id from (
    select urn from answered
    union select p.urn from answered a join person p on p.team_id = ${teamId} and p.handle = a.handle
    union select same.urn from answered a join person p on p.team_id = ${teamId} and p.urn = a.urn
      join person same on same.team_id = p.team_id and same.handle = p.handle) named
  cross join lateral (select id from lead where team_id = ${teamId} and person_urn = named.urn and enrichment <> 'raw'
    offset 0) l`

export type LeadResults = LeadResource['results']

/** Reads results by lead id. */
export async function readResults(
  db: Reader,
  teamId: string,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, LeadResults>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; results: LeadResults }>`
    select l.id, person_results.results from unnest(${[...leadIds]}::uuid[]) as asked (id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l
    cross join ${resultsOf}`.execute(db)
  return new Map(rows.map(({ id, results }) => [id, results]))
}
