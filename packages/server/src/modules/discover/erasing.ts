import { sql } from 'kysely'
import { countAffected, queryColumn, queryExists } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { namesPerson, type ErasedPerson } from '../accounts/index.ts'

/**
 * Deletes people and their posts from every run; answers how many had been found. Moves the fence of open runs, so that a worker
 * that has already read them writes nothing.
 */
export async function eraseFromDiscover(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  const named = [...person.urns]
  await sql`
    update discover_run set fence = fence + 1, lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and id = any(array(
      select id from discover_run where team_id = ${teamId} and finished_at is null
        order by id for update))`.execute(tx.db)
  tx.mark('discover', teamId)
  await sql`update discover_run set error_text = null
    where team_id = ${teamId} and error_text is not null and ${namesPerson(sql`error_text`, person)}`.execute(tx.db)
  await sql`delete from discover_post where team_id = ${teamId} and person_urn = any(${named}::text[])`.execute(tx.db)
  return countAffected(tx.db)`
    delete from discover_person where team_id = ${teamId} and person_urn = any(${named}::text[])`
}

/** True when a run has found one of these people, added or not. */
export const isFoundByRuns = (db: Reader, teamId: string, urns: readonly string[]) =>
  queryExists(db)`
    select 1 from discover_person where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])
    union all select 1 from discover_post where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])
    limit 1`

/** All runs of a team; any may have charged for people. */
export const listRunIds = (db: Reader, teamId: string): Promise<string[]> =>
  queryColumn<string>(db)`select id from discover_run where team_id = ${teamId}`
