/** SQL of the directory: `person`, `company` and `post` are written here and nowhere else. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { CompanyRecord, PersonSummary, Post, Profile } from '../../providers/ports.ts'
import { notePosts } from '../accounts/index.ts'
import { domainOf } from './rules/domain.ts'
import type { PostTable } from './schema.ts'

/** Remembers people as a list showed them; what is already known stays unless it was empty. */
export async function rememberPeople(tx: Tx, teamId: string, people: readonly PersonSummary[]): Promise<void> {
  if (people.length === 0) return
  // Sorted, so that two units that meet the same people lock their rows in one order.
  const rows = [...new Map(people.map((person) => [person.urn, person])).values()].sort((a, b) =>
    a.urn < b.urn ? -1 : 1,
  )
  await sql`
    insert into person (team_id, urn, handle, name, headline, linkedin_url, avatar_url)
    select ${teamId}, r.urn, r.handle, r.name, r.headline, r."linkedinUrl", r."avatarUrl"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, handle text, name text, headline text,
        "linkedinUrl" text, "avatarUrl" text)
    on conflict (team_id, urn) do update set handle = excluded.handle, linkedin_url = excluded.linkedin_url
      where person.handle is null and excluded.handle is not null`.execute(tx.db)
}

/** A person as stored. */
export type KnownPerson = {
  urn: string
  handle: string | null
  name: string | null
  headline: string | null
  linkedinUrl: string
  avatarUrl: string | null
  jobTitle: string | null
  country: string | null
  countryCode: string | null
  companyUrn: string | null
  companyName: string | null
  enrichedAt: Date | null
}

const personColumns = sql`urn, handle, name, headline, linkedin_url as "linkedinUrl", avatar_url as "avatarUrl",
  job_title as "jobTitle", country, country_code as "countryCode", company_urn as "companyUrn",
  company_name as "companyName", enriched_at as "enrichedAt"`

/** Finds a person of a team by member id. */
export async function findPerson(db: Reader, teamId: string, urn: string): Promise<KnownPerson | undefined> {
  const { rows } =
    await sql<KnownPerson>`select ${personColumns} from person where team_id = ${teamId} and urn = ${urn}`.execute(db)
  return rows[0]
}

/** Finds a person of a team by public handle: of several who had it, whoever was looked up last. */
export async function findPersonByHandle(db: Reader, teamId: string, handle: string): Promise<KnownPerson | undefined> {
  const { rows } =
    await sql<KnownPerson>`select ${personColumns} from person where team_id = ${teamId} and handle = ${handle}
      order by enriched_at desc nulls last, urn limit 1`.execute(db)
  return rows[0]
}

/** Finds people of a team by member id. */
export async function findPeople(
  db: Reader,
  teamId: string,
  urns: readonly string[],
): Promise<Map<string, KnownPerson>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<KnownPerson>`select ${personColumns} from person
      where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.urn, row]))
}

/** Writes what a profile says; what it does not show is emptied, except the name. */
export const saveProfile = (tx: Tx, teamId: string, profile: Profile): Promise<void> =>
  saveProfiles(tx, teamId, [profile])

/** Writes what profiles say; what they do not show is emptied, except the names. */
export async function saveProfiles(tx: Tx, teamId: string, profiles: readonly Profile[]): Promise<void> {
  if (profiles.length === 0) return
  // Sorted, so that two units that meet the same people lock their rows in one order.
  const rows = [...new Map(profiles.map((profile) => [profile.urn, profile])).values()]
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
    .map(({ company, ...profile }) => ({
      ...profile,
      companyUrn: company?.urn ?? null,
      companyName: company?.name ?? null,
    }))
  await sql`
    insert into person (team_id, urn, handle, name, headline, linkedin_url, avatar_url, job_title, country,
        country_code, company_urn, company_name, enriched_at)
    select ${teamId}::uuid, r.urn, r.handle, r.name, r.headline, r."linkedinUrl", r."avatarUrl", r."jobTitle",
      r.country, r."countryCode", r."companyUrn", r."companyName", ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, handle text, name text, headline text,
        "linkedinUrl" text, "avatarUrl" text, "jobTitle" text, country text, "countryCode" text, "companyUrn" text,
        "companyName" text)
    on conflict (team_id, urn)
    do update set handle = coalesce(excluded.handle, person.handle), name = coalesce(excluded.name, person.name),
      headline = excluded.headline,
      linkedin_url = excluded.linkedin_url, avatar_url = coalesce(excluded.avatar_url, person.avatar_url),
      job_title = excluded.job_title, country = excluded.country,
      country_code = excluded.country_code, company_urn = excluded.company_urn, company_name = excluded.company_name,
      enriched_at = excluded.enriched_at`.execute(tx.db)
}

/** A company record as stored; `found` false remembers that the network had none. */
export type KnownCompany = {
  urn: string
  found: boolean
  slug: string | null
  name: string | null
  domain: string | null
  industry: string | null
  fetchedAt: Date
}

/** Finds company records by URN. */
export async function findCompanies(db: Reader, urns: readonly string[]): Promise<Map<string, KnownCompany>> {
  if (urns.length === 0) return new Map()
  const { rows } =
    await sql<KnownCompany>`select urn, found, slug, name, domain, industry, fetched_at as "fetchedAt" from company
      where urn = any(${[...new Set(urns)]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.urn, row]))
}

/** Finds a company record by slug, the newest when several had it. */
export async function findCompanyBySlug(db: Reader, slug: string): Promise<KnownCompany | undefined> {
  const { rows } =
    await sql<KnownCompany>`select urn, found, slug, name, domain, industry, fetched_at as "fetchedAt" from company
      where slug = ${slug} order by fetched_at desc limit 1`.execute(db)
  return rows[0]
}

/** Writes a company record. */
export const saveCompany = (tx: Tx, record: CompanyRecord): Promise<void> => saveCompanies(tx, [record])

/** Writes records of different companies. */
export async function saveCompanies(tx: Tx, records: readonly CompanyRecord[]): Promise<void> {
  if (records.length === 0) return
  // Sorted, so that two units that write the same companies lock their rows in one order.
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

/** Remembers that the network has no record of companies, so that they are not asked for again with every lead. */
export async function saveMissingCompanies(tx: Tx, urns: readonly string[]): Promise<void> {
  if (urns.length === 0) return
  await sql`insert into company (urn, found, fetched_at)
    select urn, false, ${tx.now} from unnest(${[...urns].sort()}::text[]) as missing (urn) order by urn
    on conflict (urn) do update set fetched_at = excluded.fetched_at`.execute(tx.db)
}

/** Remembers posts; counts and text follow what was served last. Those whose text is another now are noted for the team's agents. */
export async function rememberPosts(tx: Tx, teamId: string, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return
  const rows = [...posts]
    .sort((a, b) => (a.urn < b.urn ? -1 : 1))
    .map((post) => ({
      urn: post.urn,
      url: post.url,
      text: post.text,
      author_kind: post.author.kind,
      author_urn: post.author.urn,
      author_name: post.author.name,
      author_url: post.author.url,
      author_headline: post.author.headline,
      posted_at: post.postedAt,
      content_type: post.contentType,
      reactions: post.totalReactionCount,
      comments: post.commentsCount,
    }))
  const { rows: edited } = await sql<{ urn: string }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, url text, text text,
        author_kind text, author_urn text, author_name text, author_url text, author_headline text,
        posted_at timestamptz, content_type text, reactions integer, comments integer)),
    edited as materialized (
      select p.urn from given r join post p on p.team_id = ${teamId} and p.urn = r.urn
      where r.text is not null and p.text is distinct from r.text
      order by p.urn for update of p),
    written as (
    insert into post (team_id, urn, url, text, author_kind, author_urn, author_name, author_url, author_headline,
        posted_at, content_type, total_reaction_count, comments_count, first_seen_at)
    select ${teamId}, r.urn, r.url, r.text, r.author_kind, r.author_urn, r.author_name, r.author_url, r.author_headline,
      r.posted_at, r.content_type, r.reactions, r.comments, ${tx.now}
    from given r order by r.urn
    on conflict (team_id, urn)
    do update set text = coalesce(excluded.text, post.text),
      total_reaction_count = coalesce(excluded.total_reaction_count, post.total_reaction_count),
      comments_count = coalesce(excluded.comments_count, post.comments_count),
      posted_at = coalesce(post.posted_at, excluded.posted_at))
    select urn from edited`.execute(tx.db)
  await notePosts(
    tx,
    teamId,
    edited.map((post) => post.urn),
  )
}

/** Posts as they were remembered, by URN. */
export async function listPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Map<string, Post>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<PostRow>`
    select p.urn, p.url, p.text, p.author_kind, p.author_urn, p.author_name, p.author_url, p.author_headline,
      p.posted_at, p.content_type, p.total_reaction_count, p.comments_count
    from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select * from post where team_id = ${teamId} and urn = asked.urn limit 1) p`.execute(db)
  return new Map(rows.map((row) => [row.urn, toPost(row)]))
}

type PostRow = Omit<Selectable<PostTable>, 'team_id' | 'first_seen_at'>

const toPost = (row: PostRow): Post => ({
  urn: row.urn,
  url: row.url,
  text: row.text,
  author: {
    kind: row.author_kind === 'company' ? 'company' : 'person',
    urn: row.author_urn,
    name: row.author_name,
    url: row.author_url,
    headline: row.author_headline,
  },
  postedAt: row.posted_at?.toISOString() ?? null,
  contentType: row.content_type as Post['contentType'],
  totalReactionCount: row.total_reaction_count,
  commentsCount: row.comments_count,
  aliases: [],
})
