/** SQL of a run's posts and people; the only writer of `discover_post` and `discover_person`. */
import type { Answer, OperationOf } from '@les/contract'
import { sql } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import type { Counted } from './rules/run.ts'
import type { DiscoverRun } from './store.ts'

type OfRun = Pick<DiscoverRun, 'teamId' | 'id'>

/** Stores the posts of a page; one already seen on another page or for another keyword counts once. */
export async function insertPosts(tx: Tx, run: OfRun, posts: readonly Counted[]): Promise<void> {
  if (posts.length === 0) return
  const rows = posts.map(({ author, engagement, post }) => ({
    post_urn: post.urn,
    person_urn: author.person.urn,
    engagement,
    post,
  }))
  await sql`
    insert into discover_post (team_id, run_id, post_urn, person_urn, engagement, post)
    select ${run.teamId}, ${run.id}, r.post_urn, r.person_urn, r.engagement, r.post
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(post_urn text, person_urn text, engagement integer,
        post jsonb)
    on conflict do nothing`.execute(tx.db)
}

/**
 * Ranks the authors whose average engagement reaches the minimum, best average first, and keeps the first `limit`, each with
 * their best post; deletes the run's posts. Answers how many reached the minimum.
 */
export async function rankPeople(tx: Tx, run: DiscoverRun, limit: number): Promise<number> {
  const { rows } = await sql<{ qualified: number }>`
    with people as materialized (
      select person_urn, count(*)::integer as posts, sum(engagement)::bigint as total, max(engagement) as highest
      from discover_post
      where team_id = ${run.teamId} and run_id = ${run.id} group by person_urn
      having sum(engagement) >= ${run.minEngagement}::bigint * count(*)
    ), ordered as (
      select *, row_number() over (order by total::numeric / posts desc, highest desc, person_urn)::integer as position
      from people
    ), kept as (
      insert into discover_person (team_id, run_id, position, person_urn, post_count, total, highest, post, matched)
      select ${run.teamId}, ${run.id}, o.position, o.person_urn, o.posts, o.total, o.highest, best.post,
        ${run.countries.length === 0 ? true : null}::boolean
      from ordered o cross join lateral (
        select post from discover_post
        where team_id = ${run.teamId} and run_id = ${run.id} and person_urn = o.person_urn
        order by engagement desc, post_urn limit 1
      ) best where o.position <= ${limit}
    )
    select count(*)::integer as qualified from people`.execute(tx.db)
  await sql`delete from discover_post where team_id = ${run.teamId} and run_id = ${run.id}`.execute(tx.db)
  return rows[0]!.qualified
}

/** A person whose country the run does not know yet, with what the directory knows. */
export type Unchecked = {
  readonly position: number
  readonly personUrn: string
  readonly country: string | null
  readonly enrichedAt: Date | null
}

/** The people whose country the run does not know yet, best average first. */
export const listUnchecked = (db: Reader, run: OfRun, limit: number) =>
  queryAll<Unchecked>(db)`
    select d.position, d.person_urn as "personUrn", p.country, p.enriched_at as "enrichedAt" from discover_person d
    left join person p on p.team_id = d.team_id and p.urn = d.person_urn
    where d.team_id = ${run.teamId} and d.run_id = ${run.id} and d.matched is null
    order by d.position limit ${limit}`

/** Writes whether each person's country is in the run's list. */
export async function saveMatches(
  tx: Tx,
  run: OfRun,
  matches: readonly { readonly position: number; readonly matched: boolean }[],
): Promise<void> {
  if (matches.length === 0) return
  await sql`
    update discover_person set matched = m.matched
    from unnest(${matches.map((match) => match.position)}::integer[],
        ${matches.map((match) => match.matched)}::boolean[]) as m(position, matched)
    where discover_person.team_id = ${run.teamId} and discover_person.run_id = ${run.id}
      and discover_person.position = m.position`.execute(tx.db)
}

type Addable = { readonly position: number; readonly personUrn: string; readonly post: Post }

/** The matching people who are not added yet, best average first. */
export const listAddable = (db: Reader, run: OfRun, limit: number) =>
  queryAll<Addable>(db)`
    select position, person_urn as "personUrn", post from discover_person
    where team_id = ${run.teamId} and run_id = ${run.id} and matched and added_at is null
    order by position limit ${limit}`

/** Marks people as added. */
export async function markAdded(tx: Tx, run: OfRun, positions: readonly number[]): Promise<void> {
  await sql`
    update discover_person set added_at = ${tx.now} from unnest(${positions}::integer[]) as a(position)
    where discover_person.team_id = ${run.teamId} and discover_person.run_id = ${run.id}
      and discover_person.position = a.position`.execute(tx.db)
}

/** Deletes everybody a run has not added, and its posts. */
export async function forgetOthers(tx: Tx, run: OfRun): Promise<void> {
  await sql`delete from discover_post where team_id = ${run.teamId} and run_id = ${run.id}`.execute(tx.db)
  await sql`delete from discover_person
    where team_id = ${run.teamId} and run_id = ${run.id} and added_at is null`.execute(tx.db)
}

/** A person a run has added, with the present facts of their lead. */
export type FoundPerson = Answer<OperationOf<'getDiscoverRun'>>['influencers'][number] & {
  readonly personUrn: string
  readonly handle: string | null
}

/** The people a run has added so far, best average first. */
export const listFoundPeople = (db: Reader, run: OfRun) =>
  queryAll<FoundPerson>(db)`
    select d.person_urn as "personUrn", l.handle, l.linkedin_url as "linkedinUrl", l.name, l.avatar_url as "avatarUrl",
      l.job_title as "jobTitle", l.company_name as company, l.country, d.post_count as "postCount",
      d.total as "totalEngagement", d.highest as "highestEngagement", d.total::float8 / d.post_count as "averageEngagement",
      d.post->>'url' as "topPostUrl", d.post->>'text' as "topPostText"
    from discover_person d
    join lead l on l.team_id = d.team_id and l.owner_id = d.run_id and l.person_urn = d.person_urn
    where d.team_id = ${run.teamId} and d.run_id = ${run.id} and d.added_at is not null order by d.position`
