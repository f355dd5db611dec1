/** Compares two criteria, or two choices of posts, by people: who is gained, who is lost, who misses by one part. Reads only. */
import type { Answer, SessionOperationOf } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { judgeable, type LeadCondition, type LeadsOf } from './scoring.ts'

type Compared = Answer<SessionOperationOf<'compareCriteria'>>

/** Counts of people: each counts once, and fits when any of their leads does. `isWhole`: not only the newest leads were read. */
type Comparison = Omit<Compared, 'hasCriteria' | 'creditsPerFit'>

type PersonByLead = Omit<ComparedPerson, 'missing'>

type ComparedPerson = Comparison['gainedPeople'][number]

type ShownPeople<Person> = { readonly [K in 'gainedPeople' | 'lostPeople' | 'nearPeople']: Person[] }

type ShownIds = { gainedIds: string[] | null; lostIds: string[] | null; nearIds: string[] | null }

/** Reads the people shown, in order; `more` adds columns of `lead l` and its `company c`, with a comma before each. */
async function readShown<Person extends PersonByLead>(
  db: Reader,
  teamId: string,
  { gainedIds, lostIds, nearIds, more = sql`` }: ShownIds & { readonly more?: RawBuilder<unknown> },
): Promise<ShownPeople<Person>> {
  const ids = [...new Set([gainedIds, lostIds, nearIds].flatMap((some) => some ?? []))]
  const { rows } = await sql<Person>`
    select l.id as "leadId", l.name, l.job_title as "jobTitle", l.company_name as company, l.country,
      l.linkedin_url as "linkedinUrl" ${more}
    from lead l left join company c on c.urn = l.company_urn
    where l.team_id = ${teamId} and l.id = any(${ids}::uuid[])`.execute(db)
  const byId = new Map(rows.map((person) => [person.leadId, person]))
  const inOrder = (some: readonly string[] | null) => (some ?? []).flatMap((id) => byId.get(id) ?? [])
  return { gainedPeople: inOrder(gainedIds), lostPeople: inOrder(lostIds), nearPeople: inOrder(nearIds) }
}

/** SQL over rows `id`, `at`: the ids of the newest `sample` of those matching `which`. */
const newestOf = (which: RawBuilder<unknown>, sample: number) =>
  sql`(array_agg(id order by at desc, id desc) filter (where ${which}))[1:${sample}::integer]`

/** Two compiled criteria; null matches nobody. `rows` holds each row of `tried` where failing just one of them is meaningful. */
type Criteria = {
  readonly present: LeadCondition
  readonly tried: LeadCondition
  readonly rows: readonly RawBuilder<boolean>[]
}

type ComparisonTotals = Omit<Comparison, keyof ShownPeople<ComparedPerson> | 'isWhole'> & ShownIds & { leads: number }

const never = sql<boolean>`false`

function failedRows(rows: Criteria['rows']): RawBuilder<unknown> {
  if (rows.length === 0) return sql`array[]::integer[]`
  const places = rows.map((row, place) => sql`case when not ${row} then ${place}::integer end`)
  return sql`array_remove(array[${sql.join(places)}], null)`
}

/** Compares criteria over the newest `most` leads of an owner; shows `sample` people of each kind, newest first. */
export async function compareConditions(
  db: Reader,
  { teamId, ownerId }: LeadsOf,
  { present, tried, rows, most, sample }: Criteria & { readonly most: number; readonly sample: number },
): Promise<Comparison> {
  const failed = failedRows(rows)
  const { leads, gainedIds, lostIds, nearIds, ...totals } = (await queryOne<ComparisonTotals>(db)`
    with newest as materialized (
      select l.* from lead l
      where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and ${judgeable}
      order by l.created_at desc, l.id desc limit ${most}),
    judged as (
      select l.id, l.person_urn, l.created_at as at, ${present ?? never} as fits_now, ${tried ?? never} as fits_tried,
        ${failed} as failed
      from newest l left join company c on c.urn = l.company_urn),
    people as materialized (
      select person_urn, max(at) as at,
        (array_agg(id order by fits_tried desc, cardinality(failed) = 1 desc, at desc, id desc))[1] as id,
        bool_or(fits_now) as fits_now, bool_or(fits_tried) as fits_tried,
        case when not bool_or(fits_tried)
          then (array_agg(failed[1] order by at desc, id desc) filter (where cardinality(failed) = 1))[1]
          end as missing
      from judged group by person_urn)
    select count(*)::integer as people, (count(*) filter (where fits_now))::integer as "fitNow",
      (count(*) filter (where fits_tried))::integer as "fitTried",
      (count(*) filter (where fits_tried and not fits_now))::integer as gained,
      (count(*) filter (where fits_now and not fits_tried))::integer as lost, count(missing)::integer as near,
      (select count(*) from newest)::integer as leads,
      coalesce((
        select jsonb_agg(jsonb_build_object('row', m.missing, 'count', m.count) order by m.count desc, m.missing)
        from (select missing, count(*)::integer as count from people where missing is not null group by missing) m
      ), '[]') as "nearBy",
      ${newestOf(sql`fits_tried and not fits_now`, sample)} as "gainedIds",
      ${newestOf(sql`fits_now and not fits_tried`, sample)} as "lostIds", ${newestOf(sql`missing is not null`, sample)} as "nearIds"
    from people`)!
  const more = sql`, case when cardinality(${failed}) = 1 then (${failed})[1] end as missing`
  const shown = await readShown<ComparedPerson>(db, teamId, { gainedIds, lostIds, nearIds, more })
  return { ...totals, isWhole: leads < most, ...shown }
}

/** A post, and whether it is chosen at present, would be by the tried choice, or misses that by one part. */
type ChosenPost = {
  readonly urn: string
  readonly now: boolean
  readonly tried: boolean
  readonly near: boolean
}

/** Counts of people, each once, over all the team's leads on the posts, whichever source captured them. */
export type PeopleOfPosts = {
  /** On a post that would be chosen, and on none chosen now. */
  readonly gained: number
  /** On a post chosen now, and on none that would be. */
  readonly lost: number
  /** On a post that misses by one part, and on none that would be chosen. */
  readonly near: number
  /** Of the gained: those the source has captured on no post at all. */
  readonly gainedNew: number
  /** Of the lost: those the source itself has captured on these posts. */
  readonly lostOwn: number
  /** People the source has captured on posts chosen now, and those posts. */
  readonly ownPeople: number
  readonly ownPosts: readonly string[]
  /** The number of known people on each post that would be chosen and is not now. */
  readonly known: readonly { readonly urn: string; readonly people: number }[]
  /** False when only the newest leads were read. */
  readonly isWhole: boolean
} & ShownPeople<PersonByLead>

type PostTotals = Omit<PeopleOfPosts, keyof ShownPeople<PersonByLead> | 'isWhole'> & ShownIds & { leads: number }

/** Compares choices of posts for a source, over the newest `most` leads on them. Keep `posts` few: all go with the statement. */
export async function comparePeopleOfPosts(
  db: Reader,
  { teamId, sourceId }: { teamId: string; sourceId: string },
  { posts, most, sample }: { posts: readonly ChosenPost[]; most: number; sample: number },
): Promise<PeopleOfPosts> {
  const { leads, gainedIds, lostIds, nearIds, ...totals } = (await queryOne<PostTotals>(db)`
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
      ${newestOf(sql`tried and not now`, sample)} as "gainedIds", ${newestOf(sql`now and not tried`, sample)} as "lostIds",
      ${newestOf(sql`near and not tried`, sample)} as "nearIds"
    from people`)!
  const shown = await readShown<PersonByLead>(db, teamId, { gainedIds, lostIds, nearIds })
  return { ...totals, isWhole: leads < most, ...shown }
}
