import type { engager, lead, rawLead } from '@les/contract'
import type { z } from 'zod'
import type { EngagerRow } from './engagers.ts'
import type { VerdictColumns } from './exclusions/verdict.ts'
import type { CompanyColumns, LeadRow, RawRow } from './listing.ts'
import { presentResults } from './results.ts'

/** A lead as answers and events carry it. */
export type LeadResource = z.output<typeof lead>

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** The company fields of every lead and engager (LED-17). */
const presentCompany = (row: CompanyColumns) => ({
  companyName: row.company_name,
  company: row.company_name,
  companyUrl: row.website,
  companyDomain: row.company_domain,
  companyLinkedinUrl: row.company_linkedin_url,
  companyDescription: row.description,
  companyIndustry: row.company_industry,
  companyLocation: row.headquarters,
  companyEmployeeCount: row.employee_count,
  companyStaffRange: row.staff_range,
  companyEnrichedAt: iso(row.company_enriched_at),
})

/** The fields about exclusion. */
export const presentVerdict = (row: VerdictColumns) => ({
  excluded:
    row.excluded_list === null
      ? null
      : { list: row.excluded_list, entryId: row.excluded_entry, reason: row.excluded_reason },
  worksAtSource: row.works_at_source,
})

export function presentLead(row: LeadRow): LeadResource {
  return {
    id: row.id,
    name: row.name,
    engagementType: row.engagement_type,
    commentText: row.comment_text,
    postPostedAt: iso(row.post_posted_at),
    commentPostedAt: iso(row.comment_posted_at),
    isIcp: row.is_icp,
    webhookStatus: row.webhook_status,
    linkedinUrl: row.linkedin_url,
    avatarUrl: row.avatar_url,
    headline: row.headline,
    jobTitle: row.job_title,
    country: row.country,
    ...presentCompany(row),
    sourceId: row.source_id,
    sourceKind: row.source_kind,
    sourceLabel: row.source_label,
    postUrl: row.post_url,
    postUrn: row.post_urn,
    enrichmentStatus: row.enrichment,
    ...(row.skip_reason === null ? {} : { skippedReason: row.skip_reason }),
    createdAt: row.created_at.toISOString(),
    ...presentVerdict(row),
    results: presentResults(row),
  }
}

export function presentEngager(row: EngagerRow): z.input<typeof engager> {
  return {
    id: row.id,
    name: row.name,
    linkedinUrl: row.linkedin_url,
    avatarUrl: row.avatar_url,
    jobTitle: row.job_title,
    country: row.country,
    ...presentCompany(row),
    isIcp: row.is_icp,
    engagementCount: row.engagement_count,
    engagementTypes: row.engagement_types,
    lastEngagedAt: row.last_engaged_at.toISOString(),
    sourceIds: row.source_ids,
    ...presentVerdict(row),
    results: presentResults(row),
  }
}

export function presentRawLead(row: RawRow): z.input<typeof rawLead> {
  return {
    id: row.id,
    sourceId: row.source_id,
    linkedinUrl: row.linkedin_url,
    linkedinUrn: row.person_urn,
    name: row.name,
    action: row.engagement_type,
    commentText: row.comment_text,
    post: { url: row.post_url, urn: row.post_urn, postedAt: iso(row.post_posted_at) },
    detectedAt: row.created_at.toISOString(),
    ...presentVerdict(row),
    results: presentResults(row),
  }
}
