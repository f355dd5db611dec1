/** The people of a page, with what the filters chose of each: read once a search has found who they are. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { conditions, type LeadFilter } from './filter.ts'
import type { CompanyColumns, LeadRow } from './listing.ts'

/** A person with what the filters chose of them; company fields are of their newest chosen row. */
export type EngagerRow = Pick<
  LeadRow,
  'id' | 'name' | 'linkedin_url' | 'avatar_url' | 'job_title' | 'country' | 'is_icp'
> &
  CompanyColumns & {
    engagement_count: number
    engagement_types: LeadRow['engagement_type'][]
    last_engaged_at: Date
    source_ids: string[]
  }

/** The people of a list who are on a page. */
type PeopleOfPage = {
  readonly teamId: string
  readonly filter: LeadFilter
  readonly ids: readonly string[]
}

/** People as they were read; `held`: how many were found to be on the page, also those who went before they were read. */
export type FoundEngagers = { readonly rows: EngagerRow[]; readonly held: number }

/** Reads the people of a page, last engaged first. */
export async function engagersById(db: Reader, { teamId, filter, ids }: PeopleOfPage): Promise<FoundEngagers> {
  const held = ids.length
  if (held === 0) return { rows: [], held }
  const { rows } = await sql<EngagerRow>`
    select p.id, p.name, p.linkedin_url, p.avatar_url, p.job_title, p.country, p.company_name, p.company_domain,
      p.company_industry, p.company_enriched_at,
      c.website, c.linkedin_url as company_linkedin_url, c.description, c.headquarters, c.employee_count, c.staff_range,
      of_person.is_icp, of_person.engagement_count, of_person.engagement_types, p.created_at as last_engaged_at,
      of_person.source_ids
    from lead p
    cross join lateral (
      select count(*)::integer as engagement_count, bool_or(l.is_icp) as is_icp,
        array_agg(distinct l.engagement_type order by l.engagement_type) as engagement_types,
        coalesce(array_agg(distinct l.source_id order by l.source_id) filter (where l.source_id is not null),
            '{}') as source_ids
      from lead l where l.person_urn = p.person_urn and ${conditions(teamId, filter)}
    ) of_person
    left join company c on c.urn = p.company_urn
    where p.team_id = ${teamId} and p.id = any(${ids})
    order by p.created_at desc, p.id desc`.execute(db)
  // Rows that went between the two looks have nothing left to be counted.
  return { rows: rows.filter((row) => row.engagement_count > 0), held }
}
