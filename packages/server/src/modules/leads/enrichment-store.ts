/** SQL that writes to leads what enrichment found out about their people, and which of them wait for it. */
import { sql } from 'kysely'
import { notePeople } from '../accounts/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { holdById } from './exclusions/store.ts'
import { keepTexts } from './texts.ts'

/** What enrichment found out about a person and their employer. */
export type PersonFacts = {
  readonly name: string | null
  readonly handle: string | null
  readonly headline: string | null
  readonly linkedinUrl: string
  readonly avatarUrl: string | null
  readonly jobTitle: string | null
  readonly country: string | null
  /** ISO 3166-1 alpha-2; null when the country is not known by one. */
  readonly countryCode: string | null
  readonly companyUrn: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyIndustry: string | null
  readonly companyEnrichedAt: Date | null
}

/** A lead that changed its state of enrichment. */
export type MovedLead = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string | null
  readonly from: string
}

type Moved = MovedLead & { readonly personUrn: string }

/** The same with the handle that the lead had before. */
type Filled = Moved & { readonly handleBefore: string | null }

const noteMoved = (tx: Tx, teamId: string, moved: readonly Pick<Moved, 'ownerId' | 'personUrn'>[]): Promise<void> =>
  notePeople(
    tx,
    teamId,
    moved.map(({ ownerId, personUrn }) => ({ sourceId: ownerId, personUrn })),
  )

/** Leads of an untracked source that a write-off has not reached yet are not waiting any more. */
const ofTracked = sql`not exists (
  select 1 from source s where s.team_id = lead.team_id and s.id = lead.source_id and s.status = 'inactive')`

/** SQL: a lead that waits for enrichment. */
const waits = sql`lead.enrichment in ('pending', 'processing') and ${ofTracked}`

/** Those of these people for whom some lead waits; raw ones and those of untracked sources never do. */
export async function listWanted(db: Reader, teamId: string, personUrns: readonly string[]): Promise<Set<string>> {
  // One look-up a person in the one index of all leads that has people: what the planner takes to be small while a table is
  // young, those that wait, may be the whole of it. `offset 0` keeps the conditions apart.
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...personUrns]}::text[]) as asked (urn)
    cross join lateral (
      select 1 from (
        select team_id, source_id, enrichment from lead
        where team_id = ${teamId} and person_urn = asked.urn offset 0) lead
      where ${waits} limit 1) waiting`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** Fills leads of one person with facts and marks them enriched; answers those that changed their state. */
export async function fillLeads(
  tx: Tx,
  { teamId, leadIds, facts }: { teamId: string; leadIds: readonly string[]; facts: PersonFacts },
): Promise<MovedLead[]> {
  if (leadIds.length === 0) return []
  return fill(tx, {
    teamId,
    people: [{ personUrn: null, facts }],
    which: sql`lead.id = any(${[...leadIds]}::uuid[]) and lead.enrichment <> 'raw'`,
  })
}

/** Fills the waiting leads of several people with what was found out about each; answers those that changed their state. */
export async function fillWaiting(
  tx: Tx,
  teamId: string,
  people: readonly { readonly personUrn: string; readonly facts: PersonFacts }[],
): Promise<MovedLead[]> {
  if (people.length === 0) return []
  return fill(tx, {
    teamId,
    people,
    which: sql`lead.person_urn = any(${people.map(({ personUrn }) => personUrn)}::text[]) and ${waits}`,
  })
}

async function fill(
  tx: Tx,
  {
    teamId,
    people,
    which,
  }: {
    teamId: string
    people: readonly { personUrn: string | null; facts: PersonFacts }[]
    which: ReturnType<typeof sql>
  },
): Promise<MovedLead[]> {
  const facts = JSON.stringify(people.map((one) => ({ urn: one.personUrn, ...one.facts })))
  const { rows } = await sql<Filled>`
    with facts as materialized (
      select * from jsonb_to_recordset(${facts}::jsonb) as f(urn text, name text, handle text, headline text,
        "linkedinUrl" text, "avatarUrl" text, "jobTitle" text, country text, "countryCode" text,
        "companyUrn" text, "companyName" text, "companyDomain" text, "companyIndustry" text,
        "companyEnrichedAt" timestamptz)),
    waiting as materialized (
      select lead.id, lead.person_urn, lead.handle, lead.enrichment as was from lead
      where lead.team_id = ${teamId} and ${which}
      order by lead.id for update of lead)
    update lead set
      name = coalesce(f.name, lead.name),
      handle = coalesce(f.handle, lead.handle),
      headline = coalesce(f.headline, lead.headline),
      linkedin_url = f."linkedinUrl",
      avatar_url = coalesce(f."avatarUrl", lead.avatar_url),
      job_title = f."jobTitle",
      country = f.country,
      country_code = f."countryCode",
      company_urn = f."companyUrn",
      company_name = f."companyName",
      company_domain = f."companyDomain",
      company_industry = f."companyIndustry",
      company_enriched_at = f."companyEnrichedAt",
      enrichment = 'completed',
      enriched_at = coalesce(lead.enriched_at, ${tx.now}),
      skip_reason = null
    from waiting join facts f on f.urn is null or f.urn = waiting.person_urn
    where lead.team_id = ${teamId} and lead.id = waiting.id
    returning lead.id, lead.owner_id as "ownerId", lead.source_id as "sourceId", waiting.was as from,
      lead.person_urn as "personUrn", waiting.handle as "handleBefore"`.execute(tx.db)
  await noteMoved(tx, teamId, rows)
  await holdById(tx, teamId, {
    people: rows.map(({ personUrn, handleBefore }) => ({ urn: personUrn, handle: handleBefore })),
    companyUrns: people.flatMap(({ facts: { companyUrn } }) => companyUrn ?? []),
  })
  await keepTexts(
    tx,
    teamId,
    people.flatMap(({ facts: { name, jobTitle, companyName, companyDomain, country, companyIndustry } }) => [
      { column: 'name' as const, text: name },
      { column: 'job_title' as const, text: jobTitle },
      { column: 'company_name' as const, text: companyName },
      { column: 'company_domain' as const, text: companyDomain },
      { column: 'country' as const, text: country },
      { column: 'company_industry' as const, text: companyIndustry },
    ]),
  )
  return rows
}

/** Gives up on a person's waiting leads. */
export async function failLeads(tx: Tx, teamId: string, personUrn: string): Promise<MovedLead[]> {
  const { rows } = await sql<Moved>`
    update lead set enrichment = 'failed'
    where team_id = ${teamId} and person_urn = ${personUrn} and enrichment in ('pending', 'processing') and ${ofTracked}
    returning id, owner_id as "ownerId", source_id as "sourceId", 'pending' as from,
      lead.person_urn as "personUrn"`.execute(tx.db)
  await noteMoved(tx, teamId, rows)
  return rows
}

/** Writes off waiting leads of a source that is untracked, `limit` at most (TRK-33); answers how many. */
export async function skipWaiting(
  tx: Tx,
  { teamId, ownerId, limit }: { teamId: string; ownerId: string; limit: number },
): Promise<number> {
  const { rows } = await sql<Pick<Moved, 'ownerId' | 'personUrn'>>`
    update lead set enrichment = 'skipped', skip_reason = 'source_untracked'
    where team_id = ${teamId} and id = any(array(
      select id from lead
      where team_id = ${teamId} and owner_id = ${ownerId} and enrichment in ('pending', 'processing')
      limit ${limit}))
    returning owner_id as "ownerId", person_urn as "personUrn"`.execute(tx.db)
  await noteMoved(tx, teamId, rows)
  return rows.length
}

/** Brings a revived source's skipped leads back into waiting (TRK-39); answers how many, and everybody whose leads wait now. */
export async function resumeSkipped(
  tx: Tx,
  teamId: string,
  ownerId: string,
): Promise<{ count: number; people: string[] }> {
  const { rows: resumed } = await sql<Pick<Moved, 'ownerId' | 'personUrn'>>`
    update lead set enrichment = 'pending', skip_reason = null
    where team_id = ${teamId} and owner_id = ${ownerId} and enrichment = 'skipped'
    returning owner_id as "ownerId", person_urn as "personUrn"`.execute(tx.db)
  await noteMoved(tx, teamId, resumed)
  // Leads that a long write-off had not reached wait as they did, but nobody may be asked for them any more.
  const { rows } = await sql<{ urn: string }>`
    select distinct person_urn as urn from lead
    where team_id = ${teamId} and owner_id = ${ownerId} and enrichment in ('pending', 'processing')`.execute(tx.db)
  return { count: resumed.length, people: rows.map((row) => row.urn) }
}

/** Writes the company fields that lists filter by on every lead of a company; the caller notes its people (`noteCompanies` of fit). */
export async function refreshCompany(
  tx: Tx,
  teamId: string,
  company: { urn: string; name: string | null; domain: string | null; industry: string | null; enrichedAt: Date },
): Promise<number> {
  const result = await sql`
    update lead set
      company_name = coalesce(${company.name}, company_name),
      company_domain = ${company.domain},
      company_industry = ${company.industry},
      company_enriched_at = ${company.enrichedAt}
    where team_id = ${teamId} and company_urn = ${company.urn} and enrichment <> 'raw'`.execute(tx.db)
  await holdById(tx, teamId, { people: [], companyUrns: [company.urn] })
  await keepTexts(tx, teamId, [
    { column: 'company_name', text: company.name },
    { column: 'company_domain', text: company.domain },
    { column: 'company_industry', text: company.industry },
  ])
  return Number(result.numAffectedRows ?? 0)
}
