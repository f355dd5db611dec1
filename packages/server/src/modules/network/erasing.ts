/** Finds what the directory knows of a person to be erased, and removes it: the person, their tasks, the authorship of posts. */
import { sql } from 'kysely'
import { countAffected, queryAll, queryColumn, queryOne, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { literally, wordLetters, type ErasedPerson } from '../accounts/index.ts'
import { handleInAddress } from './blocked.ts'

/** A person's member id, handle, or both. */
export type Named = { readonly urn?: string | undefined; readonly handle?: string | undefined }

/** Every name linked to these by member id or handle. Two people who had the same handle cannot be told apart: both count. */
export async function everyNameOf(db: Reader, teamId: string, named: readonly Named[]): Promise<ErasedPerson> {
  let urns = named.flatMap(({ urn }) => urn ?? [])
  let handles = named.flatMap(({ handle }) => handle ?? [])
  for (let known = 0; known < urns.length + handles.length; ) {
    known = urns.length + handles.length
    const rows = await queryAll<{ urn: string; handle: string | null }>(db)`
      select urn, handle from person where team_id = ${teamId} and urn = any(${urns}::text[])
      union select urn, handle from person where team_id = ${teamId} and handle = any(${handles}::text[])
      union select person_urn, handle from lead where team_id = ${teamId} and person_urn = any(${urns}::text[])
      union select person_urn, handle from lead where team_id = ${teamId} and handle = any(${handles}::text[])`
    urns = [...new Set([...urns, ...rows.map((row) => row.urn)])]
    handles = [...new Set([...handles, ...rows.flatMap((row) => row.handle ?? [])])]
  }
  const { rows: names } = await sql<{ name: string }>`
    select name from person where team_id = ${teamId} and urn = any(${urns}::text[]) and name is not null
    union select name from lead where team_id = ${teamId} and person_urn = any(${urns}::text[]) and name is not null
    union select author_name from post
    where team_id = ${teamId} and author_urn = any(${urns}::text[]) and author_name is not null`.execute(db)
  return { urns, handles, names: names.map((row) => row.name) }
}

/** Expressions for addresses with one of these handles; a percent sign may begin a further letter, as in `/in/ren%C3%A9`. */
const addressesOf = (handles: readonly string[]): string[] =>
  handles
    .flatMap((handle) => [handle, encodeURIComponent(handle)])
    .map((handle) => `(/in/|/posts/)${literally(handle)}(?![${wordLetters}-]|%[^23])`)

/** Posts written by these people, or with their handle in an address, which may be the slug of a company page as well. */
export async function listPostsBy(db: Reader, teamId: string, { urns, handles }: ErasedPerson): Promise<string[]> {
  const inAddress = addressesOf(handles)
  return queryColumn<string>(db)`
    select urn from post where team_id = ${teamId} and author_kind <> 'company' and (author_urn = any(${[...urns]}::text[])
      or url ~* any(${inAddress}::text[]) or author_url ~* any(${inAddress}::text[]))
    order by urn`
}

/** Which of these handles are slugs of company pages in the addresses of posts that the team knows. */
export const listPagesWithPosts = (db: Reader, teamId: string, handles: readonly string[]): Promise<string[]> =>
  queryColumn<string>(db)`
    select handle from unnest(${[...handles]}::text[]) as handle where exists (
      select 1 from post where team_id = ${teamId} and author_kind = 'company'
        and strpos(lower(url), '/posts/' || handle || '_') > 0)`

/** Member ids of authors whose profile address has one of these handles; the only trace of people who only wrote posts. */
export const listAuthorsAddressed = (db: Reader, teamId: string, handles: readonly string[]): Promise<string[]> =>
  queryColumn<string>(db)`
    select distinct author_urn as urn from post
    where team_id = ${teamId} and author_kind = 'person' and author_urn is not null
      and author_url ~* any(${addressesOf(handles)}::text[])`

/** Which of these people wrote a post that the team knows. */
export const listAuthors = (db: Reader, teamId: string, urns: readonly string[]): Promise<string[]> =>
  queryColumn<string>(db)`
    select distinct author_urn as urn from post where team_id = ${teamId} and author_urn = any(${[...urns]}::text[])`

/** Removes text and author from posts; URN and counts stay. */
export async function erasePosts(tx: Tx, teamId: string, postUrns: readonly string[]): Promise<number> {
  if (postUrns.length === 0) return 0
  await sql`select 1 from post where team_id = ${teamId} and urn = any(${[...postUrns]}::text[])
    order by urn for no key update`.execute(tx.db)
  return countAffected(tx.db)`
    update post set url = 'https://www.linkedin.com/feed/update/' || urn, text = null, author_kind = 'erased', author_urn = null, author_name = null,
      author_url = null, author_headline = null
    where team_id = ${teamId} and urn = any(${[...postUrns]}::text[])`
}

/** The person's profile address from the directory or their newest lead; undefined if unknown. */
export const addressOf = (db: Reader, teamId: string, urns: readonly string[]) =>
  queryValue<string>(db)`
    (select linkedin_url as url from person where team_id = ${teamId} and urn = any(${[...urns]}::text[])
      order by handle nulls last, urn limit 1)
    union all
    (select linkedin_url from lead where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])
      order by created_at desc, id desc limit 1) limit 1`

/** A person by directory id. */
export const findPersonById = (db: Reader, teamId: string, id: string) =>
  queryOne<{ urn: string; handle: string | null }>(db)`
    select urn, handle from person where team_id = ${teamId} and id = ${id}::uuid`

/** A person's directory id; the earliest when several rows are the same person. */
export const idOfPerson = (db: Reader, teamId: string, urns: readonly string[]) =>
  queryValue<string>(db)`
    select id from person where team_id = ${teamId} and urn = any(${[...urns]}::text[]) order by id limit 1`

/** Handles of authors at the time they wrote, from stored profile addresses; they may have changed since. */
export async function listHandlesOfAuthors(db: Reader, teamId: string, urns: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct author_url as url from post
    where team_id = ${teamId} and author_kind = 'person' and author_urn = any(${[...urns]}::text[])
      and author_url is not null`.execute(db)
  return rows.flatMap(({ url }) => handleInAddress(url) ?? [])
}

/** Deletes people and their enrichment tasks; people in `named` keep only ids and handle. Returns how many were deleted. */
export async function erasePeople(
  tx: Tx,
  teamId: string,
  urns: readonly string[],
  named: ReadonlySet<string> = new Set(),
): Promise<number> {
  const all = [...urns].sort()
  await sql`select 1 from enrichment_task where team_id = ${teamId} and person_urn = any(${all}::text[])
    order by person_urn for update`.execute(tx.db)
  await sql`delete from enrichment_task where team_id = ${teamId} and person_urn = any(${all}::text[])`.execute(tx.db)
  if (named.size > 0)
    await sql`
      update person set name = null, headline = null, avatar_url = null, job_title = null, country = null, country_code = null,
        company_urn = null, company_name = null, enriched_at = null
      where team_id = ${teamId} and urn = any(${all.filter((urn) => named.has(urn))}::text[])`.execute(tx.db)
  return countAffected(tx.db)`
    delete from person where team_id = ${teamId} and urn = any(${all.filter((urn) => !named.has(urn))}::text[])`
}
