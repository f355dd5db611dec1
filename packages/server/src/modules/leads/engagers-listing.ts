/** SQL that reads leads as people (G38, G133): the filters choose lead rows, the newest chosen row of a person stands for them. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { engagersById, type FoundEngagers } from './engagers-of-page.ts'
import type { Page } from './list-request.ts'
import { listedLeads, type LeadList } from './text-choice.ts'

/** Which people a page is of, by their newest chosen row; how many rows the search looked at, and how many people it met. */
type Found = { readonly ids: readonly string[]; readonly people: number; readonly scanned: number }

/** Looks at so many of the newest chosen rows. People are told apart by hashing, and stand where their newest row does. */
async function lookAtNewest(
  db: Reader,
  listed: RawBuilder<unknown>,
  { limit, offset, rows: most }: Page & { readonly rows: number },
): Promise<Found> {
  const { rows } = await sql<Found>`
    with newest as materialized (
      select l.id, l.person_urn, row_number() over () as nth from (
        select l.id, l.person_urn from lead l where ${listed}
        order by l.created_at desc, l.id desc limit ${most}) l
    ), people as materialized (
      select min(nth) as nth from newest group by person_urn
    )
    select (select count(*) from newest)::integer as scanned, (select count(*) from people)::integer as people,
      array(select newest.id from people join newest on newest.nth = people.nth
        order by people.nth limit ${limit + 1} offset ${offset}) as ids`.execute(db)
  return rows[0]!
}

/** A page of people, and how many there are, when that came out by the way. */
type EngagersPage = FoundEngagers & { readonly people: number | null }

/**
 * A page of people, last engaged first, with one more than asked when there is more. Looks at as many of the newest rows as a page
 * usually takes, and at more while they do not fill it.
 */
export async function pageOfEngagers(db: Reader, list: LeadList, { limit, offset }: Page): Promise<EngagersPage> {
  const { teamId, filter } = list
  const listed = listedLeads(list)
  const needed = offset + limit + 1
  for (let rows = needed * 3 + 50; ; rows *= 8) {
    const { ids, people, scanned } = await lookAtNewest(db, listed, { limit, offset, rows })
    const wasAll = scanned < rows
    if (wasAll || people >= needed)
      return { ...(await engagersById(db, { teamId, filter, ids })), people: wasAll ? people : null }
  }
}
