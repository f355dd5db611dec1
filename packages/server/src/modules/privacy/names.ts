/** Everything that a team knows a person by. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { everyNameOf, listAuthorsAddressed, nameAs, type Named } from '../network/index.ts'

/**
 * Everything that names the person meant: what the directory, leads and posts say, and what stays when those have gone by age or have taken a
 * new handle: results, sends, exclusions and tracked people. The network may show the person no longer, and lines of the ledger have
 * their member id.
 */
export async function listEveryName(db: Reader, teamId: string, named: readonly Named[]): Promise<ErasedPerson> {
  const { handles: asked } = await everyNameOf(db, teamId, named)
  const authors = await listAuthorsAddressed(db, teamId, asked)
  const known = await everyNameOf(db, teamId, [...named, ...authors.map((urn) => ({ urn }))])
  const { urns, handles } = known
  const { rows } = await sql<{ name: string }>`
    select distinct name from (
      select person_urn as urn, handle from result where team_id = ${teamId}
      union all select person_urn, handle from outreach_send where team_id = ${teamId}
      union all select key, value from exclusion where team_id = ${teamId} and kind = 'person'
      union all select network_urn, username from source where team_id = ${teamId} and type = 'person') named
    cross join unnest(array[urn, handle]) name
    where (urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[])) and name is not null`.execute(db)
  const found = [known]
  for (const { name } of rows)
    if (!urns.includes(name) && !handles.includes(name)) found.push(await everyNameOf(db, teamId, [nameAs(name)]))
  const allOf = (kind: 'urns' | 'handles' | 'names') => [...new Set(found.flatMap((one) => one[kind]))]
  return { urns: allOf('urns'), handles: allOf('handles'), names: allOf('names') }
}
