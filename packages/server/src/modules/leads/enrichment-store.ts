/** SQL that writes the findings of enrichment to leads, and tells which leads wait for it. */
import { sql, type RawBuilder } from 'kysely'
import { notePeople } from '../accounts/index.ts'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { rekeyById } from './exclusions/store.ts'
import { storeTexts } from './texts.ts'

export type PersonFacts = {
  readonly name: string | null
  readonly handle: string | null
  readonly headline: string | null
  readonly linkedinUrl: string
  readonly avatarUrl: string | null
  readonly jobTitle: string | null
  readonly country: string | null
  /** ISO 3166-1 alpha-2; null when unknown. */
  readonly countryCode: string | null
  readonly companyUrn: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyIndustry: string | null
  readonly companyEnrichedAt: Date | null
}

type FactsOf<Urn> = { readonly personUrn: Urn; readonly facts: PersonFacts }

export type MovedLead = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string | null
  readonly from: string
}

type Moved = MovedLead & { readonly personUrn: string }

/** `handleBefore`: the handle the lead had before it was filled. */
type Filled = Moved & { readonly handleBefore: string | null }

async function noteMoved(
  tx: Tx,
  teamId: string,
  moved: readonly Pick<Moved, 'ownerId' | 'personUrn'>[],
): Promise<void> {
  const people = moved.map(({ ownerId, personUrn }) => ({ sourceId: ownerId, personUrn }))
  await notePeople(tx, teamId, people)
}

/** Leads of an untracked source do not wait, even before the write-off (`skipWaiting`) reaches them. */
const ofTracked = sql`not exists (
  select 1 from source s where s.team_id = lead.team_id and s.id = lead.source_id and s.status = 'inactive')`

const waits = sql`lead.enrichment in ('pending', 'processing') and ${ofTracked}`

/** The people for whom some lead waits; raw leads and those of untracked sources never do. */
export async function listWanted(db: Reader, teamId: string, personUrns: readonly string[]): Promise<Set<string>> {
  // One index look-up per person: on a young table the planner may take the waiting leads to be few when they are all there are.
  // `offset 0` keeps it from merging the conditions.
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...personUrns]}::text[]) as asked (urn)
    cross join lateral (
      select 1 from (
        select team_id, source_id, enrichment from lead
        where team_id = ${teamId} and person_urn = asked.urn offset 0) lead
      where ${waits} limit 1) waiting`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** Fills leads of one person with facts and marks them enriched; answers those whose state changed. */
export async function fillLeads(
  tx: Tx,
  { teamId, leadIds, facts }: { teamId: string; leadIds: readonly string[]; facts: PersonFacts },
): Promise<MovedLead[]> {
  if (leadIds.length === 0) return []
  return fill(tx, teamId, {
    people: [{ personUrn: null, facts }],
    which: sql`lead.id = any(${[...leadIds]}::uuid[]) and lead.enrichment <> 'raw'`,
  })
}

/** Fills the waiting leads of several people; answers those whose state changed. */
export async function fillWaiting(tx: Tx, teamId: string, people: readonly FactsOf<string>[]): Promise<MovedLead[]> {
  if (people.length === 0) return []
  return fill(tx, teamId, {
    people,
    which: sql`lead.person_urn = any(${people.map(({ personUrn }) => personUrn)}::text[]) and ${waits}`,
  })
}

async function fill(
  tx: Tx,
  teamId: string,
  { people, which }: { people: readonly FactsOf<string | null>[]; which: RawBuilder<unknown> },
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
  await rekeyById(tx, teamId, {
    people: rows.map(({ personUrn, handleBefore }) => ({ urn: personUrn, handle: handleBefore })),
    companyUrns: people.flatMap(({ facts: { companyUrn } }) => companyUrn ?? []),
  })
  const texts = people.map(({ facts: { name, country, ...facts } }) => ({
    name,
    country,
    job_title: facts.jobTitle,
    company_name: facts.companyName,
    company_domain: facts.companyDomain,
    company_industry: facts.companyIndustry,
  }))
  await storeTexts(tx, teamId, texts)
  return rows
}

/** Marks a person's waiting leads as failed. */
export async function failLeads(tx: Tx, teamId: string, personUrn: string): Promise<MovedLead[]> {
  const { rows } = await sql<Moved>`
    update lead set enrichment = 'failed'
    where team_id = ${teamId} and person_urn = ${personUrn} and enrichment in ('pending', 'processing') and ${ofTracked}
    returning id, owner_id as "ownerId", source_id as "sourceId", 'pending' as from,
      lead.person_urn as "personUrn"`.execute(tx.db)
  await noteMoved(tx, teamId, rows)
  return rows
}

/** Skips at most `limit` waiting leads of an untracked source (TRK-33); answers how many. */
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

/** Makes a revived source's skipped leads wait again (TRK-39); answers how many, and all people whose leads wait. */
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
  // Includes leads that the write-off had not reached: they still wait, but the look-ups for them may be gone.
  const people = await queryColumn<string>(tx.db)`
    select distinct person_urn as urn from lead
    where team_id = ${teamId} and owner_id = ${ownerId} and enrichment in ('pending', 'processing')`
  return { count: resumed.length, people }
}

/** Writes company fields to all leads of a company. The caller notes its people for ranking (`noteCompanies` of fit). */
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
  await rekeyById(tx, teamId, { people: [], companyUrns: [company.urn] })
  await storeTexts(tx, teamId, [
    { company_name: company.name, company_domain: company.domain, company_industry: company.industry },
  ])
  return Number(result.numAffectedRows ?? 0)
}
