/** All names by which a team knows a person. */
import { sql } from 'kysely'
import { queryExists } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { everyNameOf, listAuthorsAddressed, listHandlesOfAuthors, nameAs, type Named } from '../network/index.ts'

/** SQL: rows `named` (urn, handle) of people in tables that outlive people, leads and posts. */
const namedByTeam = (teamId: string) => sql`(
  select person_urn as urn, handle from result where team_id = ${teamId}
  union all select person_urn, handle from outreach_send where team_id = ${teamId}
  union all select key, value from exclusion where team_id = ${teamId} and kind = 'person'
  union all select network_urn, username from source where team_id = ${teamId} and type = 'person') named`

const isOneOf = ({ urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>) =>
  sql`(urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[]))`

/** Whether a person has results or sends, is on a list or tracked, captured or not. */
export async function isNamedByTeam(db: Reader, teamId: string, { urns, handles }: ErasedPerson): Promise<boolean> {
  // An exclusion may have the member id as its value and the handle as its key.
  const names = [...urns, ...handles]
  return queryExists(db)`
    select 1 from ${namedByTeam(teamId)} where ${isOneOf({ urns: names, handles: names })} limit 1`
}

/**
 * All names of a person: from directory, leads and posts, and from results, sends, exclusions and tracked people, which stay when
 * the former are deleted by age or have a new handle. The network may no longer show the person, and ledger lines contain their
 * member id.
 */
export async function listEveryName(db: Reader, teamId: string, named: readonly Named[]): Promise<ErasedPerson> {
  const asked = await everyNameOf(db, teamId, named)
  const authors = await listAuthorsAddressed(db, teamId, asked.handles)
  const before = await listHandlesOfAuthors(db, teamId, [...asked.urns, ...authors])
  const known = await everyNameOf(db, teamId, [
    ...named,
    ...authors.map((urn) => ({ urn })),
    ...before.map((handle) => nameAs(handle)),
  ])
  const { urns, handles } = known
  const { rows } = await sql<{ name: string }>`
    select distinct name from ${namedByTeam(teamId)} cross join unnest(array[urn, handle]) name
    where ${isOneOf(known)} and name is not null`.execute(db)
  const found = [known]
  for (const { name } of rows)
    if (!urns.includes(name) && !handles.includes(name)) found.push(await everyNameOf(db, teamId, [nameAs(name)]))
  const allOf = (kind: 'urns' | 'handles' | 'names') => [...new Set(found.flatMap((one) => one[kind]))]
  return { urns: allOf('urns'), handles: allOf('handles'), names: allOf('names') }
}
