/** Everything that a team knows a person by. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { everyNameOf, listAuthorsAddressed, listHandlesOfAuthors, nameAs, type Named } from '../network/index.ts'

/** SQL: who is named, by member id and handle, in what stays when people, leads and posts have gone. */
const namedByTeam = (teamId: string) => sql`(
  select person_urn as urn, handle from result where team_id = ${teamId}
  union all select person_urn, handle from outreach_send where team_id = ${teamId}
  union all select key, value from exclusion where team_id = ${teamId} and kind = 'person'
  union all select network_urn, username from source where team_id = ${teamId} and type = 'person') named`

const isOneOf = ({ urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>) =>
  sql`(urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[]))`

/** True when somebody has results or sends, is on a list or tracked, whether or not they were captured. */
export async function isNamedByTeam(db: Reader, teamId: string, { urns, handles }: ErasedPerson): Promise<boolean> {
  // A list may have the member id as the value, and the handle as the key.
  const names = [...urns, ...handles]
  const { rows } = await sql`
    select 1 from ${namedByTeam(teamId)} where ${isOneOf({ urns: names, handles: names })} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Everything that names the person meant: what the directory, leads and posts say, and what stays when those have gone by age or have taken a
 * new handle: results, sends, exclusions and tracked people. The network may show the person no longer, and lines of the ledger have
 * their member id.
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
