/** Everything that a team knows a person by. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ErasedPerson } from '../accounts/index.ts'
import { everyNameOf, nameAs, type Named } from '../network/index.ts'

/**
 * Everything that names the person meant: what the directory and leads say, and results, which stay when those have gone by age. The
 * network may show the person no longer, and lines of the ledger have their member id.
 */
export async function listEveryName(db: Reader, teamId: string, named: Named): Promise<ErasedPerson> {
  const known = await everyNameOf(db, teamId, named)
  const { urns, handles } = known
  const { rows } = await sql<{ name: string }>`
    select distinct name from result cross join unnest(array[person_urn, handle]) name
    where team_id = ${teamId} and (person_urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[]))
      and name is not null`.execute(db)
  const found = [known]
  for (const { name } of rows)
    if (!urns.includes(name) && !handles.includes(name)) found.push(await everyNameOf(db, teamId, nameAs(name)))
  const allOf = (kind: 'urns' | 'handles' | 'names') => [...new Set(found.flatMap((one) => one[kind]))]
  return { urns: allOf('urns'), handles: allOf('handles'), names: allOf('names') }
}
