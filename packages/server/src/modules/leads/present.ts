/** SQL of the fields of leads as answers and events carry them: rows are read in the form that the contract gives them. */
import type { lead } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'

/** A lead as answers and events carry it. */
export type LeadResource = z.output<typeof lead>

/** SQL: an instant as answers write it. */
export const isoText = (instant: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL: the company fields of every lead and engager (LED-17), from lead `l` and its company `c`. */
export const companyColumns = sql`l.company_name as "companyName", l.company_name as company, c.website as "companyUrl",
  l.company_domain as "companyDomain", c.linkedin_url as "companyLinkedinUrl", c.description as "companyDescription",
  l.company_industry as "companyIndustry", c.headquarters as "companyLocation",
  c.employee_count as "companyEmployeeCount", c.staff_range as "companyStaffRange",
  ${isoText(sql`l.company_enriched_at`)} as "companyEnrichedAt"`

/** SQL: the fields about exclusion and results, from rows `verdict` (`verdictOf`) and `person_results` (`resultsOf`). */
export const personColumns = sql`case when verdict.list is not null then json_build_object('list', verdict.list,
    'entryId', verdict.entry_id, 'reason', verdict.reason) end as excluded,
  verdict.works_at_source as "worksAtSource", person_results.results`
