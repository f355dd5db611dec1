import { describe, expect, it } from 'vitest'
import type { EngagerRow } from './engagers.ts'
import type { LeadRow } from './listing.ts'
import { presentEngager, presentLead, presentRawLead } from './present.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const iso = (second: number) => at(second).toISOString()

const company = {
  company_name: 'Acme',
  company_domain: 'acme.com',
  company_industry: 'Mining',
  company_enriched_at: at(1),
  website: 'https://www.acme.com',
  company_linkedin_url: 'https://l/company/acme',
  description: 'Pumps',
  headquarters: 'Berlin',
  employee_count: 12,
  staff_range: '11-50',
}
const shownCompany = {
  companyName: 'Acme',
  company: 'Acme',
  companyUrl: 'https://www.acme.com',
  companyDomain: 'acme.com',
  companyLinkedinUrl: 'https://l/company/acme',
  companyDescription: 'Pumps',
  companyIndustry: 'Mining',
  companyLocation: 'Berlin',
  companyEmployeeCount: 12,
  companyStaffRange: '11-50',
  companyEnrichedAt: iso(1),
}
const noCompany = {
  company_name: null,
  company_domain: null,
  company_industry: null,
  company_enriched_at: null,
  website: null,
  company_linkedin_url: null,
  description: null,
  headquarters: null,
  employee_count: null,
  staff_range: null,
}

const came = {
  result_last: 'meeting',
  result_last_at: at(5),
  has_replied: true,
  has_meeting: true,
  is_won: false,
} as const
const shownCame = { last: 'meeting', lastAt: iso(5), replied: true, meeting: true, won: false }
const notExcluded = { excluded_list: null, excluded_entry: null, excluded_reason: null, works_at_source: false }

describe('a lead', () => {
  const row: LeadRow = {
    id: 'l1',
    name: 'Ann',
    engagement_type: 'Comment',
    comment_text: 'Nice',
    post_posted_at: at(2),
    comment_posted_at: at(3),
    is_icp: true,
    webhook_status: 'sent',
    linkedin_url: 'https://l/in/ann',
    avatar_url: 'https://a',
    headline: 'CTO at Acme',
    job_title: 'CTO',
    country: 'Chile',
    ...company,
    source_id: 's1',
    source_kind: 'profile',
    source_label: 'ben',
    post_url: 'https://p',
    post_urn: 'urn:1',
    enrichment: 'completed',
    skip_reason: null,
    created_at: at(4),
    ...notExcluded,
    ...came,
  }

  it('shows every field under its name [LED-17, G39]', () => {
    expect(presentLead(row)).toEqual({
      id: 'l1',
      name: 'Ann',
      engagementType: 'Comment',
      commentText: 'Nice',
      postPostedAt: iso(2),
      commentPostedAt: iso(3),
      isIcp: true,
      webhookStatus: 'sent',
      linkedinUrl: 'https://l/in/ann',
      avatarUrl: 'https://a',
      headline: 'CTO at Acme',
      jobTitle: 'CTO',
      country: 'Chile',
      ...shownCompany,
      sourceId: 's1',
      sourceKind: 'profile',
      sourceLabel: 'ben',
      postUrl: 'https://p',
      postUrn: 'urn:1',
      enrichmentStatus: 'completed',
      createdAt: iso(4),
      results: shownCame,
      excluded: null,
      worksAtSource: false,
    })
  })
  it('shows what is not known as null', () => {
    expect(
      presentLead({ ...row, ...noCompany, post_posted_at: null, comment_posted_at: null, is_icp: null }),
    ).toMatchObject({
      companyName: null,
      companyEnrichedAt: null,
      postPostedAt: null,
      commentPostedAt: null,
      isIcp: null,
    })
  })
})

it('an engager shows a person with what they did over all sources [G38]', () => {
  const row: EngagerRow = {
    id: 'l1',
    name: 'Ann',
    linkedin_url: 'https://l/in/ann',
    avatar_url: null,
    job_title: 'CTO',
    country: 'Chile',
    ...company,
    is_icp: false,
    engagement_count: 3,
    engagement_types: ['Comment', 'Like'],
    last_engaged_at: at(9),
    source_ids: ['s1', 's2'],
    ...notExcluded,
    ...came,
    excluded_list: 'customers',
    excluded_entry: 'e1',
    excluded_reason: 'since 2024',
  }
  expect(presentEngager(row)).toEqual({
    id: 'l1',
    name: 'Ann',
    linkedinUrl: 'https://l/in/ann',
    avatarUrl: null,
    jobTitle: 'CTO',
    country: 'Chile',
    ...shownCompany,
    isIcp: false,
    engagementCount: 3,
    engagementTypes: ['Comment', 'Like'],
    lastEngagedAt: iso(9),
    sourceIds: ['s1', 's2'],
    excluded: { list: 'customers', entryId: 'e1', reason: 'since 2024' },
    worksAtSource: false,
    results: shownCame,
  })
})

it('a raw lead shows what capture saw, and nothing that enrichment would add [RAW-03]', () => {
  const row = {
    id: 'l1',
    source_id: 's1',
    linkedin_url: 'https://l/in/ACoAAx',
    person_urn: 'ACoAAx',
    name: null,
    engagement_type: 'Like',
    comment_text: null,
    post_url: 'https://p',
    post_urn: 'urn:1',
    post_posted_at: at(2),
    created_at: at(5),
    ...notExcluded,
    ...came,
  } as const
  expect(presentRawLead(row)).toEqual({
    id: 'l1',
    sourceId: 's1',
    linkedinUrl: 'https://l/in/ACoAAx',
    linkedinUrn: 'ACoAAx',
    name: null,
    action: 'Like',
    commentText: null,
    post: { url: 'https://p', urn: 'urn:1', postedAt: iso(2) },
    detectedAt: iso(5),
    excluded: null,
    worksAtSource: false,
    results: shownCame,
  })
  expect(presentRawLead({ ...row, post_posted_at: null }).post.postedAt).toBeNull()
})
