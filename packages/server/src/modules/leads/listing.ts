/** SQL that reads leads as the lists show them (specification «Leads»; G37, G40..G44). */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, labelOfSource } from './labels/label.ts'
import { webhookStatusNow } from './clearing.ts'
import { conditions } from './filter.ts'
import type { Page } from './list-request.ts'
import { chosenIds, type LeadList } from './text-choice.ts'

/** A lead with its company record and what its source is called. */
export type LeadRow = {
  id: string
  name: string | null
  engagement_type: 'Like' | 'Comment' | 'Author'
  comment_text: string | null
  post_posted_at: Date | null
  comment_posted_at: Date | null
  is_icp: boolean | null
  webhook_status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  linkedin_url: string
  avatar_url: string | null
  headline: string | null
  job_title: string | null
  country: string | null
  company_name: string | null
  company_domain: string | null
  company_industry: string | null
  company_enriched_at: Date | null
  website: string | null
  company_linkedin_url: string | null
  description: string | null
  headquarters: string | null
  employee_count: number | null
  staff_range: string | null
  source_id: string | null
  source_kind: 'keyword' | 'post' | 'profile' | 'company' | 'discover'
  source_label: string | null
  post_url: string | null
  post_urn: string | null
  enrichment: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped'
  /** Why its enrichment was skipped; null when it was not. */
  skip_reason: 'source_untracked' | null
  created_at: Date
}

/** What a row says of the employer of its person (LED-17). */
export type CompanyColumns = Pick<
  LeadRow,
  | 'company_name'
  | 'company_domain'
  | 'company_industry'
  | 'company_enriched_at'
  | 'website'
  | 'company_linkedin_url'
  | 'description'
  | 'headquarters'
  | 'employee_count'
  | 'staff_range'
>

const columns = sql`l.id, l.name, l.engagement_type, l.comment_text, l.post_posted_at, l.comment_posted_at, l.is_icp,
  ${webhookStatusNow} as webhook_status, l.linkedin_url, l.avatar_url, l.headline,
  l.job_title, l.country, l.company_name, l.company_domain, l.company_industry, l.company_enriched_at, c.website,
  c.linkedin_url as company_linkedin_url, c.description, c.headquarters,
  c.employee_count, c.staff_range, l.source_id, l.source_kind, ${labelOfSource} as source_label, l.post_url, l.post_urn,
  l.enrichment, l.skip_reason, l.created_at`

/** A page of leads, newest stored first (G41), with one row more than asked when there is more. */
export async function pageOfLeads(db: Reader, list: LeadList, { limit, offset }: Page): Promise<LeadRow[]> {
  const { teamId, filter } = list
  const chosen = chosenIds(list)
  // The leads before the page are skipped in an index: only the ids of the page lead to rows of the table.
  const ids = chosen
    ? sql`${chosen.slice(offset, offset + limit + 1)}::uuid[]`
    : sql`array(select l.id from lead l where ${conditions(teamId, filter)}
        order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset})`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = any(${ids}))
    select ${columns} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

/** Where a batch ends. */
export type LeadPlace = { readonly at: Date; readonly id: string }

/** The leads of a list after a place, newest stored first, by what narrows it: for walking a whole list. */
export async function batchOfLeads(
  db: Reader,
  { teamId, filter }: Pick<LeadList, 'teamId' | 'filter'>,
  { after, limit }: { readonly after: LeadPlace | null; readonly limit: number },
): Promise<LeadRow[]> {
  const from = after === null ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where ${conditions(teamId, filter)} and ${from}
      order by l.created_at desc, l.id desc limit ${limit})
    select ${columns} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

/** Leads by id, for payloads; raw ones are left out. */
export async function leadsById(db: Reader, teamId: string, ids: readonly string[]): Promise<LeadRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LeadRow>`
    select ${columns} from lead l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    where l.team_id = ${teamId} and l.id = any(${ids}) and l.enrichment <> 'raw'`.execute(db)
  return rows
}
