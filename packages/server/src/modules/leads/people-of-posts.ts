/** SQL that compares two choices of posts over the people who engaged with them: who is gained, lost, or on a near miss. Reads only. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { readShown, type PersonByLead, type ShownIds, type ShownPeople } from './compared-people.ts'

/** A post, and whether it is chosen now, would be, or misses by one part. */
export type ChosenPost = {
  readonly urn: string
  readonly now: boolean
  readonly tried: boolean
  readonly near: boolean
}

/** How people fare, each once however often they engaged; of all leads of the team on those posts, whichever source captured them. */
export type PeopleOfPosts = {
  /** On a post that would be chosen, and on none that is now. */
  readonly gained: number
  /** On a post that is chosen now, and on none that would be. */
  readonly lost: number
  /** On a post that misses by one part, and on none that would be chosen. */
  readonly near: number
  /** Of the gained: those the source has not captured, on these posts or any other. */
  readonly gainedNew: number
  /** Of the lost: those the source itself has captured on these posts. */
  readonly lostOwn: number
  /** People the source has captured on posts that are chosen now, and those posts. */
  readonly ownPeople: number
  readonly ownPosts: readonly string[]
  /** People known on each post that would be chosen and is not now. */
  readonly known: readonly { readonly urn: string; readonly people: number }[]
  /** False when only the newest leads were read. */
  readonly isWhole: boolean
  /** Some of each kind, the newest first. */
  readonly shown: ShownPeople<PersonByLead>
}

type Totals = Omit<PeopleOfPosts, 'shown' | 'isWhole'> & ShownIds & { leads: number }

/** Compares over the newest `most` leads on some posts (few: they travel with the statement), seen from a source. */
export async function comparePeopleOfPosts(
  db: Reader,
  { teamId, sourceId }: { readonly teamId: string; readonly sourceId: string },
  { posts, most, sample }: { readonly posts: readonly ChosenPost[]; readonly most: number; readonly sample: number },
): Promise<PeopleOfPosts> {
  const newestOf = (which: RawBuilder<unknown>) =>
    sql`(array_agg(id order by at desc, id desc) filter (where ${which}))[1:${sample}::integer]`
  const { rows: found } = await sql<Totals>`
    with posts as (
      select * from jsonb_to_recordset(${JSON.stringify(posts)}::jsonb) as p (urn text, now boolean, tried boolean,
          near boolean)),
    found as materialized (
      select l.id, l.person_urn, l.created_at as at, l.owner_id = ${sourceId} as own, p.urn, p.now, p.tried, p.near
      from posts p join lead l on l.team_id = ${teamId} and l.post_urn = p.urn
      order by l.created_at desc, l.id desc limit ${most}),
    people as materialized (
      select person_urn, max(at) as at, (array_agg(id order by at desc, id desc))[1] as id,
        bool_or(now) as now, bool_or(tried) as tried, bool_or(near) as near, bool_or(own and now) as own
      from found group by person_urn)
    select (count(*) filter (where tried and not now))::integer as gained,
      (count(*) filter (where now and not tried))::integer as lost,
      (count(*) filter (where near and not tried))::integer as near,
      (count(*) filter (where tried and not now and not exists (
        select from lead o
        where o.team_id = ${teamId} and o.person_urn = people.person_urn
          and o.owner_id = ${sourceId})))::integer as "gainedNew",
      (count(*) filter (where own and not tried))::integer as "lostOwn",
      (count(*) filter (where own))::integer as "ownPeople",
      coalesce((select array_agg(distinct urn) from found where own and now), '{}') as "ownPosts",
      coalesce((select jsonb_agg(jsonb_build_object('urn', k.urn, 'people', k.people)) from (
        select urn, count(distinct person_urn)::integer as people from found where tried and not now group by urn) k),
          '[]') as known,
      (select count(*) from found)::integer as leads,
      ${newestOf(sql`tried and not now`)} as "gainedIds", ${newestOf(sql`now and not tried`)} as "lostIds",
      ${newestOf(sql`near and not tried`)} as "nearIds"
    from people`.execute(db)
  const { leads, gainedIds, lostIds, nearIds, ...totals } = found[0]!
  const shown = await readShown(db, teamId, { gainedIds, lostIds, nearIds })
  return { ...totals, isWhole: leads < most, shown }
}
