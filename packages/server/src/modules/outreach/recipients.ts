/** Leads and influencers as the platform gets them (OUT-08, OUT-11, OUT-12). */
import { sql } from 'kysely'
import {
  findExcludedOrGone,
  findExcludedByLeads,
  findExcludedContacts,
  labelJoins,
  labelOfSource,
  mailsSaid,
} from '../leads/index.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { type OutreachLead, readProfileUrl } from '../../providers/outreach/port.ts'
import type { BlockList } from '../network/index.ts'
import type { AgentScore } from './agent-scores.ts'
import type { LedgerPerson } from './ledger-store.ts'
import { customFieldsOf } from './rules/sending.ts'

/** A person to send; `person` is null when there is no usable profile URL. */
export type Recipient = {
  readonly person: LedgerPerson | null
  readonly lead: OutreachLead
}

type Parted = Readonly<Record<'allowed' | 'excluded' | 'erased', readonly Recipient[]>>

/** The recipients who were erased, by profile or email address. */
async function listErased(
  db: Reader,
  { teamId, blockList }: { teamId: string; blockList: BlockList },
  recipients: readonly Recipient[],
): Promise<ReadonlySet<Recipient>> {
  const nameOf = ({ person, lead }: Recipient) => ({
    urn: person?.personUrn ?? null,
    handle: person?.handle ?? null,
    mails: mailsSaid(lead.email ?? ''),
  })
  const blocked = await blockList.findBlocked(db, teamId, recipients.map(nameOf))
  return new Set(recipients.filter((one) => blocked.has(nameOf(one))))
}

/** Splits recipients into allowed, excluded and erased; a lead is judged by its row, others by the fields given. */
export async function partExcluded(
  db: Reader,
  of: { readonly teamId: string; readonly blockList: BlockList },
  recipients: readonly Recipient[],
): Promise<Parted> {
  const { teamId } = of
  const erased = await listErased(db, of, recipients)
  const leadIds = recipients.flatMap(({ person }) => person?.leadId ?? [])
  const leads = await findExcludedOrGone(db, teamId, leadIds)
  const named = recipients.filter(({ person }) => person !== null && person.leadId === null)
  const said = named.map(({ lead }) => lead)
  const places = await findExcludedContacts(db, teamId, said)
  // People who were captured are also judged by their leads, which know the source.
  const byLeads = await findExcludedByLeads(db, teamId, said)
  const contacts = new Set(named.filter((_one, place) => places.has(place) || byLeads.has(place)))
  const isExcluded = (one: Recipient) => leads.has(one.person?.leadId ?? '') || contacts.has(one)
  return {
    allowed: recipients.filter((one) => !erased.has(one) && !isExcluded(one)),
    excluded: recipients.filter((one) => !erased.has(one) && isExcluded(one)),
    erased: [...erased],
  }
}

type LeadRow = {
  id: string
  personUrn: string
  handle: string | null
  linkedinUrl: string
  name: string | null
  headline: string | null
  jobTitle: string | null
  company: string | null
  country: string | null
  commentText: string | null
  postUrl: string | null
  sourceName: string | null
}

/** Enriched leads with these ids, newest first; raw leads and those in enrichment are left out (OUT-12, OUT-26). */
export const listEnriched = (db: Reader, teamId: string, leadIds: readonly string[]) =>
  queryAll<LeadRow>(db)`
    select l.id, l.person_urn as "personUrn", l.handle, l.linkedin_url as "linkedinUrl", l.name, l.headline,
      l.job_title as "jobTitle", l.company_name as company, l.country,
      l.comment_text as "commentText", l.post_url as "postUrl", ${labelOfSource} as "sourceName"
    from unnest(${leadIds}::uuid[]) as asked(id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l
    left join source s on s.team_id = ${teamId} and s.id = l.source_id ${labelJoins}
    where l.enrichment = 'completed' order by l.created_at desc, l.id desc`

/** A lead as a recipient, with an agent's score. */
export function recipientOf(row: LeadRow, score: AgentScore | undefined): Recipient {
  const name = readProfileUrl(row.linkedinUrl)
  const handle = row.handle?.toLowerCase() ?? (name && 'handle' in name ? name.handle : null)
  const { postUrl, commentText, sourceName } = row
  return {
    person: name && { personUrn: row.personUrn, handle, profileUrl: row.linkedinUrl, leadId: row.id },
    lead: {
      profileUrl: row.linkedinUrl,
      name: row.name,
      headline: row.headline,
      jobTitle: row.jobTitle,
      company: row.company,
      country: row.country,
      email: null,
      customFields: customFieldsOf({
        ...(score ?? { icpPercent: null, signal: null }),
        postUrl,
        commentText,
        sourceName,
      }),
    },
  }
}

export type NamedPerson = {
  readonly profileUrl: string
  readonly name?: string | null | undefined
  readonly jobTitle?: string | null | undefined
  readonly company?: string | null | undefined
  readonly country?: string | null | undefined
  readonly email?: string | null | undefined
}

const filled = (text: string | null | undefined): string | null =>
  text == null || text.trim() === '' ? null : text.trim()

/** People as recipients; a handle the team knows is noted with its member id too, so that their leads are the same person. */
export async function recipientsOf(db: Reader, teamId: string, people: readonly NamedPerson[]): Promise<Recipient[]> {
  const names = people.map((person) => readProfileUrl(person.profileUrl))
  const handles = names.flatMap((name) => (name && 'handle' in name ? [name.handle] : []))
  const { rows } = await sql<{ handle: string; urn: string }>`
    select asked.handle, p.urn from unnest(${handles}::text[]) as asked(handle)
    cross join lateral (select urn from person where team_id = ${teamId} and handle = asked.handle
      order by enriched_at desc nulls last limit 1) p`.execute(db)
  const urns = new Map(rows.map((row) => [row.handle, row.urn]))
  return people.map((person, place) => {
    const name = names[place]
    const handle = name && 'handle' in name ? name.handle : null
    const personUrn = name && 'urn' in name ? name.urn : handle === null ? null : (urns.get(handle) ?? null)
    const profileUrl = name
      ? `https://www.linkedin.com/in/${encodeURIComponent('urn' in name ? name.urn : name.handle)}`
      : person.profileUrl
    return {
      person: name ? { personUrn, handle, profileUrl, leadId: null } : null,
      lead: {
        profileUrl,
        name: filled(person.name),
        headline: null,
        jobTitle: filled(person.jobTitle),
        company: filled(person.company),
        country: filled(person.country),
        email: filled(person.email),
        customFields: {},
      },
    }
  })
}

/** The people who were not erased. */
export async function withoutErased(
  db: Reader,
  of: { readonly teamId: string; readonly blockList: BlockList },
  people: readonly NamedPerson[],
): Promise<NamedPerson[]> {
  const recipients = await recipientsOf(db, of.teamId, people)
  const erased = await listErased(db, of, recipients)
  return people.filter((_person, place) => !erased.has(recipients[place]!))
}
