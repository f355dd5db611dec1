import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { EngagementDocument, LeadDocument } from '../../../providers/destinations/port.ts'
import { labelLookups, labelOfSource, leadsById, type LeadResource } from '../../leads/index.ts'

const maxEngagements = 25

type PersonRow = { leadId: string; personKey: string | null; fit: number | null }

type EngagementRow = {
  leadId: string
  key: string
  type: EngagementDocument['type']
  at: Date
  postUrl: string | null
  commentText: string | null
  sourceLabel: string | null
}

async function listPeople(db: Reader, teamId: string, leadIds: readonly string[]): Promise<Map<string, PersonRow>> {
  const { rows } = await sql<PersonRow>`
    select l.id as "leadId", coalesce(same.id, p.id) as "personKey",
      (select max(a.icp) from agent_person a where a.team_id = l.team_id and a.person_urn = l.person_urn) as fit
    from lead l
    left join person p on p.team_id = l.team_id and p.urn = l.person_urn
    left join lateral (
      select other.id from person other
      where other.team_id = p.team_id and other.handle = p.handle order by other.id limit 1) same on true
    where l.team_id = ${teamId} and l.id = any(${[...leadIds]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.leadId, row]))
}

async function listEngagements(
  db: Reader,
  teamId: string,
  leadIds: readonly string[],
): Promise<Map<string, EngagementRow[]>> {
  const { rows } = await sql<EngagementRow>`
    select asked.id as "leadId", e.id::text as key, e.engagement_type as type,
      coalesce(e.comment_posted_at, e.created_at) as at, e.post_url as "postUrl", e.comment_text as "commentText",
      ${labelOfSource} as "sourceLabel"
    from unnest(${[...leadIds]}::uuid[]) as asked (id)
    join lead l on l.team_id = ${teamId} and l.id = asked.id
    cross join lateral (
      select * from lead e where e.team_id = l.team_id and e.person_urn = l.person_urn and e.enrichment <> 'raw'
      order by e.created_at desc, e.id desc limit ${maxEngagements}) e
    left join source s on s.team_id = e.team_id and s.id = e.source_id ${labelLookups}
    order by asked.id, e.created_at desc, e.id desc`.execute(db)
  return Map.groupBy(rows, ({ leadId }) => leadId)
}

const verb = { Like: 'Reacted to', Comment: 'Commented on', Author: 'Wrote' } as const

/** A sentence that says why the team sees this person. */
export function whyOf({
  engagementType,
  sourceLabel,
  isIcp,
}: Pick<LeadResource, 'engagementType' | 'sourceLabel' | 'isIcp'>) {
  const where = sourceLabel === null ? '' : ` of ${sourceLabel}`
  return `${verb[engagementType]} a post${where}${isIcp === true ? '; matches your criteria' : ''}.`
}

/** Splits a name into its first word and the rest, as platforms ask for it. */
export function splitName(name: string | null): { firstName: string | null; lastName: string | null } {
  const [firstName, ...others] = (name ?? '').trim().split(/\s+/)
  return { firstName: firstName || null, lastName: others.join(' ') || null }
}

/** Documents by lead id; leads that are gone are absent. `origin` is the dashboard's base URL. */
export async function listDocuments(
  db: Reader,
  teamId: string,
  { leadIds, origin }: { readonly leadIds: readonly string[]; readonly origin: string | null },
): Promise<Map<string, LeadDocument>> {
  const leads = await leadsById(db, teamId, leadIds)
  const people = await listPeople(db, teamId, leadIds)
  const engagements = await listEngagements(db, teamId, leadIds)
  return new Map(
    leads.flatMap((lead) => {
      const person = people.get(lead.id)
      if (person?.personKey == null) return []
      const document: LeadDocument = {
        personKey: person.personKey,
        leadId: lead.id,
        name: lead.name,
        ...splitName(lead.name),
        email: null,
        linkedinUrl: lead.linkedinUrl,
        headline: lead.headline,
        jobTitle: lead.jobTitle,
        country: lead.country,
        company: {
          name: lead.companyName,
          domain: lead.companyDomain,
          linkedinUrl: lead.companyLinkedinUrl,
          industry: lead.companyIndustry,
          staffRange: lead.companyStaffRange,
          employeeCount: lead.companyEmployeeCount,
        },
        isIcp: lead.isIcp,
        fit: person.fit,
        sourceLabel: lead.sourceLabel,
        engagementType: lead.engagementType,
        engagedAt: lead.commentPostedAt ?? lead.createdAt,
        commentText: lead.commentText,
        postUrl: lead.postUrl,
        why: whyOf(lead),
        stage: null,
        owner: null,
        leadUrl: origin === null ? null : `${origin}/leads?lead=${lead.id}`,
        engagements: (engagements.get(lead.id) ?? []).map(({ leadId: _of, at, ...engagement }) => ({
          ...engagement,
          at: at.toISOString(),
        })),
      }
      return [[lead.id, document] as const]
    }),
  )
}

/** A document about no real person, for connection tests. */
export const sampleDocument: LeadDocument = {
  personKey: 'les-sample',
  leadId: '00000000-0000-4000-8000-000000000000',
  name: 'Test Lead',
  firstName: 'Test',
  lastName: 'Lead',
  email: null,
  linkedinUrl: 'https://www.linkedin.com/in/test-lead-of-nobody',
  headline: 'This is a test: nobody is behind it',
  jobTitle: 'Test',
  country: null,
  company: { name: null, domain: null, linkedinUrl: null, industry: null, staffRange: null, employeeCount: null },
  isIcp: null,
  fit: null,
  sourceLabel: null,
  engagementType: 'Comment',
  engagedAt: null,
  commentText: 'This is a test: nobody is behind it',
  postUrl: null,
  why: 'A test of the connection.',
  stage: null,
  owner: null,
  leadUrl: null,
  engagements: [],
}
