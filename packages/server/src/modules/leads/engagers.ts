/** SQL that lists leads as people (G38, G133): filters choose lead rows, and a person's newest chosen row stands for them. */
import type { engager } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { verdictOf } from './exclusions/verdict.ts'
import { conditions, countLimit, listedLeads, type LeadList, type Page, type Total } from './list.ts'
import { companyColumns, isoText, personColumns } from './present.ts'
import { resultsOf } from './results.ts'

/** A person with counts over their chosen rows; company fields are from the newest of those. */
type Engager = z.output<typeof engager>

/** The people of a page by their newest chosen row; `scanned` rows were searched, with `people` people in all. */
type Found = { readonly ids: readonly string[]; readonly people: number; readonly scanned: number }

/**
 * Searches the newest `rows` chosen rows for a page of people. The page is cut before its rows are looked up: with outdated
 * statistics PostgreSQL compares every row with every other.
 */
const findNewest = async (
  db: Reader,
  listed: RawBuilder<unknown>,
  { limit, offset, rows: max }: Page & { readonly rows: number },
): Promise<Found> =>
  (await queryOne<Found>(db)`
    with newest as materialized (
      select l.id, l.person_urn, row_number() over () as nth from (
        select l.id, l.person_urn from lead l where ${listed}
        order by l.created_at desc, l.id desc limit ${max}) l
    ), people as materialized (
      select min(nth) as nth from newest group by person_urn
    ), page as materialized (
      select nth from people order by nth limit ${limit + 1} offset ${offset}
    )
    select (select count(*) from newest)::integer as scanned, (select count(*) from people)::integer as people,
      array(select newest.id from page join newest on newest.nth = page.nth order by page.nth) as ids`)!

/**
 * A page of people, last engaged first, plus one more when there is more. `found` also counts people whose rows were deleted
 * before they were read; `people` is the total, known only if all rows were searched. Searches as many of the newest rows as a
 * page usually takes, and eight times more while they do not fill it.
 */
export async function pageOfEngagers(
  db: Reader,
  list: LeadList,
  { limit, offset }: Page,
): Promise<{ readonly rows: Engager[]; readonly found: number; readonly people: number | null }> {
  const listed = listedLeads(list)
  const needed = offset + limit + 1
  for (let searched = needed * 3 + 50; ; searched *= 8) {
    const { ids, people, scanned } = await findNewest(db, listed, { limit, offset, rows: searched })
    const wasAll = scanned < searched
    if (!wasAll && people < needed) continue
    const rows = ids.length === 0 ? [] : await engagersById(db, list, ids)
    return { rows, found: ids.length, people: wasAll ? people : null }
  }
}

async function engagersById(db: Reader, { teamId, filter }: LeadList, ids: readonly string[]): Promise<Engager[]> {
  // The page is materialized by itself, as in the list of leads.
  const { rows } = await sql<Engager>`
    with page as materialized (select * from lead where team_id = ${teamId} and id = any(${ids}))
    select l.id, l.name, l.linkedin_url as "linkedinUrl", l.avatar_url as "avatarUrl", l.job_title as "jobTitle",
      l.country, ${companyColumns}, of_person.is_icp as "isIcp", of_person.engagement_count as "engagementCount",
      of_person.engagement_types as "engagementTypes", ${isoText(sql`l.created_at`)} as "lastEngagedAt",
      of_person.source_ids as "sourceIds", ${personColumns}
    from page p
    cross join lateral (
      select count(*)::integer as engagement_count, bool_or(l.is_icp) as is_icp,
        array_agg(distinct l.engagement_type order by l.engagement_type) as engagement_types,
        coalesce(array_agg(distinct l.source_id order by l.source_id) filter (where l.source_id is not null),
            '{}') as source_ids
      from lead l where l.person_urn = p.person_urn and ${conditions(teamId, filter)}
    ) of_person
    cross join lateral (select p.*) l
    left join company c on c.urn = l.company_urn
    cross join ${verdictOf(teamId)} cross join ${resultsOf}
    order by p.created_at desc, p.id desc`.execute(db)
  // People whose rows were deleted since they were found count no engagement.
  return rows.filter((row) => row.engagementCount > 0)
}

/** So many of the newest rows nearly always have over 10,000 people; an index by person would group each person's rows. */
const usualRows = 15_000

/** Counts people, up to 10,000. Sources keep no counter that would do: a person may engage with several sources. */
export async function countEngagers(db: Reader, list: LeadList): Promise<Total> {
  for (const limit of [usualRows, null]) {
    const { scanned, people } = (await queryOne<{ scanned: number; people: number }>(db)`
      select coalesce(sum(rows), 0)::integer as scanned, count(*)::integer as people from (
        select count(*) as rows from (
          select l.person_urn from lead l where ${listedLeads(list)}
          order by l.created_at desc, l.id desc limit ${limit}) newest
        group by person_urn) people`)!
    if (people > countLimit) break
    if (limit === null || scanned < limit) return { total: people, exact: true }
  }
  return { total: countLimit, exact: false }
}
