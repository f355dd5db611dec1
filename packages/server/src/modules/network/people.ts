/** People as a team has met them. The only writer of `person`. */
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { PurgeAsked } from '../../platform/retention.ts'
import type { PersonSummary, Profile } from '../../providers/ports.ts'

export type KnownPerson = Omit<Profile, 'jobs' | 'company' | 'otherUrns'> & {
  readonly companyUrn: string | null
  readonly companyName: string | null
  readonly enrichedAt: Date | null
}

const columns = sql`urn, handle, name, headline, linkedin_url as "linkedinUrl", avatar_url as "avatarUrl", job_title as "jobTitle",
  country, country_code as "countryCode", company_urn as "companyUrn", company_name as "companyName", enriched_at as "enrichedAt"`

/** A team's people by member id. */
export async function findPeople(
  db: Reader,
  teamId: string,
  urns: readonly string[],
): Promise<Map<string, KnownPerson>> {
  if (urns.length === 0) return new Map()
  const rows = await queryAll<KnownPerson>(db)`
    select ${columns} from person where team_id = ${teamId} and urn = any(${[...urns]}::text[])`
  return new Map(rows.map((row) => [row.urn, row]))
}

/** A team's person by member id. */
export const findPerson = async (db: Reader, teamId: string, urn: string): Promise<KnownPerson | undefined> =>
  (await findPeople(db, teamId, [urn])).get(urn)

/** A team's person by handle; the last looked-up one if several had it. */
export const findPersonByHandle = (db: Reader, teamId: string, handle: string) =>
  queryOne<KnownPerson>(db)`
    select ${columns} from person where team_id = ${teamId} and handle = ${handle}
    order by enriched_at desc nulls last, urn limit 1`

/** Deduplicated and sorted, so that units that write the same rows lock them in the same order. */
const inOrder = <T extends { readonly urn: string }>(items: readonly T[]): T[] =>
  [...new Map(items.map((item) => [item.urn, item])).values()].sort((a, b) => (a.urn < b.urn ? -1 : 1))

/** A row per member id of the person. Rows with the same handle are one person, so any of the ids is recognised later. */
const underEachId = (person: PersonSummary): PersonSummary[] => [
  ...(person.handle === null ? [] : (person.otherUrns ?? []).map((urn) => ({ ...person, urn }))),
  person,
]

/** Stores people as shown in a list; only empty handles of known people are filled in. */
export async function rememberPeople(tx: Tx, teamId: string, people: readonly PersonSummary[]): Promise<void> {
  if (people.length === 0) return
  await insertPeople(
    tx,
    teamId,
    people.flatMap(underEachId),
    sql`person.handle is null and excluded.handle is not null`,
  )
}

/** Inserts people; of known ones, those that meet the condition get the new handle and address. */
async function insertPeople(
  tx: Tx,
  teamId: string,
  people: readonly PersonSummary[],
  isReplaced: RawBuilder<unknown>,
): Promise<void> {
  const rows = inOrder(people).map((person) => ({ ...person, id: tx.newId() }))
  await sql`
    insert into person (team_id, id, urn, handle, name, headline, linkedin_url, avatar_url)
    select ${teamId}::uuid, r.id, r.urn, r.handle, r.name, r.headline, r."linkedinUrl", r."avatarUrl"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, urn text, handle text, name text, headline text,
        "linkedinUrl" text, "avatarUrl" text)
    on conflict (team_id, urn) do update set handle = excluded.handle, linkedin_url = excluded.linkedin_url
      where ${isReplaced}`.execute(tx.db)
}

/** Handles that saving `profiles` will replace, under each of the people's member ids. */
export async function listReplacedHandles(
  db: Reader,
  teamId: string,
  profiles: readonly Profile[],
): Promise<readonly { readonly urn: string; readonly handle: string }[]> {
  const newHandles = new Map(
    profiles.flatMap(({ urn, otherUrns = [], handle }) => [urn, ...otherUrns].map((id) => [id, handle] as const)),
  )
  const rows = await queryAll<{ urn: string; handle: string }>(db)`
    select urn, handle from person where team_id = ${teamId} and urn = any(${[...newHandles.keys()]}::text[]) and handle is not null`
  return rows.filter(({ urn, handle }) => handle !== (newHandles.get(urn) ?? handle))
}

/** Stores looked-up profiles; a missing value overwrites the old one, except for handle, name and avatar. */
export async function saveProfiles(tx: Tx, teamId: string, profiles: readonly Profile[]): Promise<void> {
  if (profiles.length === 0) return
  const rows = inOrder(profiles).map(({ company, ...profile }) => ({
    ...profile,
    id: tx.newId(),
    companyUrn: company?.urn ?? null,
    companyName: company?.name ?? null,
  }))
  await sql`
    insert into person (team_id, id, urn, handle, name, headline, linkedin_url, avatar_url, job_title, country,
        country_code, company_urn, company_name, enriched_at)
    select ${teamId}::uuid, r.id, r.urn, r.handle, r.name, r.headline, r."linkedinUrl", r."avatarUrl", r."jobTitle",
      r.country, r."countryCode", r."companyUrn", r."companyName", ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, urn text, handle text, name text,
        headline text, "linkedinUrl" text, "avatarUrl" text, "jobTitle" text, country text, "countryCode" text, "companyUrn" text,
        "companyName" text)
    on conflict (team_id, urn)
    do update set handle = coalesce(excluded.handle, person.handle), name = coalesce(excluded.name, person.name),
      headline = excluded.headline, linkedin_url = excluded.linkedin_url,
      avatar_url = coalesce(excluded.avatar_url, person.avatar_url), job_title = excluded.job_title, country = excluded.country,
      country_code = excluded.country_code, company_urn = excluded.company_urn, company_name = excluded.company_name,
      enriched_at = excluded.enriched_at`.execute(tx.db)
  const others = profiles.flatMap((profile) => underEachId(profile).filter(({ urn }) => urn !== profile.urn))
  if (others.length > 0) await insertPeople(tx, teamId, others, sql`person.handle is distinct from excluded.handle`)
}

const noId = '00000000-0000-0000-0000-000000000000'

/** Rows that could go, and where the next batch begins; null when there are no others. */
export type Candidates = { readonly urns: readonly string[]; readonly next: string | null }

/**
 * Locks people who could go: not looked up since `before`, in the order of their rows behind `place`, which names nobody. A unit that
 * captures them right now waits and writes them anew.
 */
export async function lockOldPeople(tx: Tx, { teamId, before, limit, place }: PurgeAsked): Promise<Candidates> {
  const { rows } = await sql<{ id: string; urn: string }>`
    select id, urn from person
    where team_id = ${teamId} and id > ${place ?? noId}::uuid and (enriched_at is null or enriched_at < ${before})
    order by id limit ${limit} for update skip locked`.execute(tx.db)
  return { urns: rows.map(({ urn }) => urn), next: rows.length === limit ? rows.at(-1)!.id : null }
}

export async function deletePeople(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from person where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(tx.db)
}
