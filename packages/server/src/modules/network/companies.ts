/** Company records, shared by all teams and fresh for six months. The only writer of `company`. */
import { sql, type RawBuilder } from 'kysely'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { CompanyRecord } from '../../providers/ports.ts'
import { domainOf } from './rules/domain.ts'

/** A stored company record; `found` is false when the network has no such company. */
export type KnownCompany = {
  urn: string
  found: boolean
  slug: string | null
  name: string | null
  domain: string | null
  industry: string | null
  fetchedAt: Date
}

const knownColumns = sql`urn, found, slug, name, domain, industry, fetched_at as "fetchedAt"`

/** Company records by URN. */
export async function findCompanies(db: Reader, urns: readonly string[]): Promise<Map<string, KnownCompany>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<KnownCompany>`
    select ${knownColumns} from company
    where urn = any(${[...new Set(urns)]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.urn, row]))
}

/** A company record by slug; the newest if several had the slug. */
export const findCompanyBySlug = (db: Reader, slug: string) =>
  queryOne<KnownCompany>(db)`
    select ${knownColumns} from company
    where slug = ${slug} order by fetched_at desc limit 1`

/** Writes records of different companies. */
export async function saveCompanies(tx: Tx, records: readonly CompanyRecord[]): Promise<void> {
  if (records.length === 0) return
  // Sorted, so that units that write the same companies lock rows in the same order.
  const rows = records
    .map((record) => ({ ...record, domain: domainOf(record.website) }))
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
  await sql`
    insert into company (urn, found, slug, name, linkedin_url, website, domain, industry, industry_id, employee_count,
        staff_range, headquarters, description, founded_year, follower_count, specialties, logo_url, cover_url,
        fetched_at)
    select r.urn, true, r.slug, r.name, r."linkedinUrl", r.website, r.domain, r.industry, r."industryId",
      r."employeeCount", r."staffRange", r.headquarters, r.description, r."foundedYear", r."followerCount",
      r.specialties, r."logoUrl", r."coverUrl", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, slug text, name text, "linkedinUrl" text,
      website text, domain text, industry text, "industryId" text, "employeeCount" integer,
      "staffRange" text, headquarters text, description text, "foundedYear" integer,
      "followerCount" integer, specialties jsonb, "logoUrl" text, "coverUrl" text)
    on conflict (urn)
    do update set found = true, slug = excluded.slug, name = excluded.name, linkedin_url = excluded.linkedin_url,
      website = excluded.website, domain = excluded.domain,
      industry = excluded.industry, industry_id = excluded.industry_id, employee_count = excluded.employee_count,
      staff_range = excluded.staff_range, headquarters = excluded.headquarters, description = excluded.description,
      founded_year = excluded.founded_year, follower_count = excluded.follower_count,
      specialties = excluded.specialties, logo_url = excluded.logo_url, cover_url = excluded.cover_url,
      fetched_at = excluded.fetched_at`.execute(tx.db)
}

/** Stores that the network has no record of these companies, so that later leads do not ask again. */
export async function saveMissingCompanies(tx: Tx, urns: readonly string[]): Promise<void> {
  if (urns.length === 0) return
  await sql`insert into company (urn, found, fetched_at)
    select urn, false, ${tx.now} from unnest(${[...urns].sort()}::text[]) as missing (urn) order by urn
    on conflict (urn) do update set fetched_at = excluded.fetched_at`.execute(tx.db)
}

/**
 * SQL: name of the lock on a company's facts in a team. A refresh does not see a lead that is being filled at the same time, and
 * that lead would keep the old facts and verdict for good; so fills (shared) and refreshes (exclusive) wait for each other.
 */
const nameOf = (teamId: string, urn: RawBuilder<string>): RawBuilder<bigint> =>
  sql`hashtextextended(${`company facts|${teamId}|`} || ${urn}, 0)`

/** Company records for leads that this unit fills and judges; a refresh of these companies waits until the unit ends. */
export async function findCompaniesToFill(
  tx: Tx,
  teamId: string,
  urns: readonly string[],
): Promise<Map<string, KnownCompany>> {
  if (urns.length === 0) return new Map()
  // A separate statement, so that the read after it sees the result of a refresh it waited for.
  await sql`select pg_advisory_xact_lock_shared(${nameOf(teamId, sql`wanted.urn`)})
    from (select distinct urn from unnest(${[...urns]}::text[]) as u (urn) order by urn) wanted`.execute(tx.db)
  return findCompanies(tx.db, urns)
}

/** Waits for units that fill leads with this company's facts, and makes later ones wait until this unit has refreshed them. */
export async function holdCompanyFacts(tx: Tx, teamId: string, urn: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nameOf(teamId, sql`${urn}::text`)})`.execute(tx.db)
}
