/** SQL of people whom several active sources pay for. */
import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'

const maxPairs = 1_000

type Pair = { readonly a: string; readonly b: string; readonly people: number; readonly creditsPaidTwice: number }

/**
 * Charges of active sources by person: `source:{id}:person:` is 51 characters long, and erased people have no such key. A
 * refunded charge counts as not paid.
 */
const charges = (teamId: string) => sql`
  select e.source_id, substr(e.key, 52) as person_urn, e.created_at,
    e.account = 'team' and d.state is distinct from 'credited' as paid
  from credit_entry e
  join source s on s.team_id = e.team_id and s.id = e.source_id and s.status = 'active'
  left join dispute d on d.team_id = e.team_id and d.entry_id = e.id
  where e.team_id = ${teamId} and e.kind = 'charge' and e.source_id is not null and e.key like 'source:%:person:%'`

/** Pairs of active sources that captured the same people, most people first. */
export const listPairs = (db: Reader, teamId: string) =>
  queryAll<Pair>(db)`
    with charges as (${charges(teamId)}),
    people as materialized (
      select person_urn, array_agg(source_id order by source_id) as sources,
        array_agg(paid order by source_id) as paid
      from charges group by person_urn having count(*) > 1)
    select p.sources[one.at] as a, p.sources[other.at] as b, count(*)::integer as people,
      (count(*) filter (where p.paid[one.at] and p.paid[other.at]))::integer as "creditsPaidTwice"
    from people p cross join lateral generate_subscripts(p.sources, 1) as one (at)
    join lateral generate_series(one.at + 1, cardinality(p.sources)) as other (at) on true
    group by 1, 2 order by 3 desc, 1, 2 limit ${maxPairs}`

/** For each active source, how many people it and another source were both charged for since `since`; most first. */
export const listSavings = (db: Reader, teamId: string, since: Date) =>
  queryAll<{ sourceId: string; savedIfStopped: number }>(db)`
    with charges as (${charges(teamId)} and e.created_at >= ${since}),
    shared as (
      select unnest(array_agg(source_id)) as source_id from charges where paid group by person_urn having count(*) > 1),
    counts as (select source_id, count(*)::integer as people from shared group by source_id)
    select s.id as "sourceId", coalesce(c.people, 0) as "savedIfStopped"
    from source s left join counts c on c.source_id = s.id
    where s.team_id = ${teamId} and s.status = 'active' order by 2 desc, 1`
