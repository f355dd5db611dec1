/** Finds people by handle or member id, or by part of their name. */
import { foldText, readPersonName } from '@les/contract'
import { sql } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { madeAt } from '../../platform/random.ts'
import { everyNameOf, nameAs, type BlockList } from '../network/index.ts'
import { findErasure } from './store.ts'

/** A person as answers show them. */
type FoundPerson = {
  readonly personId: string
  readonly name: string | null
  readonly linkedinUrl: string | null
  readonly leads: number
  readonly firstSeenAt: string | null
  readonly lastSeenAt: string | null
  readonly erasedAt: string | null
}

const maxPeople = 50

/** People whom a text means, at most 50. An erased person is found only by an exact handle or member id. */
export async function searchPeople(
  db: Reader,
  { blockList, teamId, query }: { readonly blockList: BlockList; readonly teamId: string; readonly query: string },
): Promise<FoundPerson[]> {
  const name = readPersonName(query)
  const named = name === null ? [] : [nameAs(name)]
  const erasureId = named.length === 0 ? undefined : await blockList.erasureOf(db, teamId, named)
  const erasure = erasureId === undefined ? undefined : await findErasure(db, teamId, erasureId)
  if (erasure)
    return [
      {
        personId: erasure.personId,
        name: null,
        linkedinUrl: null,
        leads: 0,
        firstSeenAt: null,
        lastSeenAt: null,
        erasedAt: erasure.erasedAt.toISOString(),
      },
    ]
  const exact = named[0] ? (await everyNameOf(db, teamId, named)).urns : []
  return groupsOf(db, teamId, [...exact, ...(await listUrnsByName(db, teamId, query))])
}

/** Member ids of people whose folded name contains the folded text. */
const listUrnsByName = (db: Reader, teamId: string, query: string) =>
  queryColumn<string>(db)`
    select urn from person where team_id = ${teamId} and text_fold(name) like ${likeText(foldText(query).trim())}
    order by id limit ${maxPeople}`

/** Directory rows as people: rows with the same handle are one. */
async function groupsOf(db: Reader, teamId: string, urns: readonly string[]): Promise<FoundPerson[]> {
  const { rows } = await sql<{
    ids: string[]
    name: string | null
    linkedinUrl: string
    leads: number
    first: Date | null
    last: Date | null
  }>`
    with asked as materialized (
      select p.urn, p.handle from person p where p.team_id = ${teamId} and p.urn = any(${[...urns]}::text[])
    ), rows as (
      select p.* from person p where p.team_id = ${teamId} and (p.urn in (select urn from asked)
        or p.handle in (select handle from asked where handle is not null))
    )
    select array_agg(r.id order by r.id) as ids, (array_agg(r.name order by r.enriched_at desc nulls last, r.id))[1] as name,
      (array_agg(r.linkedin_url order by r.enriched_at desc nulls last, r.id))[1] as "linkedinUrl",
      coalesce(sum(l.leads), 0)::integer as leads, min(l.first) as first, max(l.last) as last
    from rows r
    left join lateral (select count(*) as leads, min(created_at) as first, max(created_at) as last from lead
      where team_id = ${teamId} and person_urn = r.urn) l on true
    group by coalesce(r.handle, r.urn) order by min(r.id::text) limit ${maxPeople}`.execute(db)
  return rows.map(({ ids, name, linkedinUrl, leads, first, last }) => {
    const met = madeAt(ids[0]!)
    return {
      personId: ids[0]!,
      name,
      linkedinUrl,
      leads,
      firstSeenAt: (first !== null && first < met ? first : met).toISOString(),
      lastSeenAt: (last ?? met).toISOString(),
      erasedAt: null,
    }
  })
}
