import { bounds, type Answer, type OperationOf } from '@les/contract'
import { rowMatches } from '../fit/index.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { suggest, type Contacted } from './rules/suggest.ts'

/** People sent to a campaign or reached by a result; facts come from their newest lead. */
const listContacted = (db: Reader, teamId: string) =>
  queryAll<Contacted>(db)`
    with reached as materialized (
      select urn, max(at) as at, bool_or(replied) as replied from (
        select coalesce(r.person_urn, p.urn) as urn, r.at, r.outcome = 'replied' as replied
        from result r
        left join lateral (select urn from person where r.person_urn is null and team_id = ${teamId} and handle = r.handle
          order by enriched_at desc nulls last, urn limit 1) p on true
        where r.team_id = ${teamId} and r.outcome <> 'bounced'
        union all select person_urn, sent_at, false from outreach_send where team_id = ${teamId} and state = 'sent'
      ) reported where urn is not null group by urn order by max(at) desc limit ${bounds.suggestionPeople})
    select r.replied, l.job_title as "jobTitle", l.country, l.company_industry as "companyIndustry",
      c.staff_range as "companyStaffRange", l.engagement_type as "engagementType"
    from reached r
    cross join lateral (select * from lead where team_id = ${teamId} and person_urn = r.urn
      order by created_at desc, id desc limit 1) l
    left join company c on c.urn = l.company_urn`

/** What separates people who replied from others among those contacted last (RSL-07), if there are enough of both. */
export async function readSuggestions(
  db: Reader,
  teamId: string,
): Promise<Answer<OperationOf<'listResultSuggestions'>>> {
  const people = await listContacted(db, teamId)
  const replied = people.filter((one) => one.replied).length
  const { group, ...minimum } = bounds.suggestionMinimum
  const enough = people.length >= minimum.people && replied >= minimum.replied
  const suggestions = enough ? suggest(people, { minimumGroup: group, matches: rowMatches }) : []
  return { people: people.length, replied, enough, minimum, suggestions }
}
