import { sql } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { namerOf, namesPerson, withoutPerson, type ErasedPerson } from '../accounts/index.ts'

/** The person as a job of this type may name them: the slug of a company page may be their handle. */
const namedIn = (type: string, person: ErasedPerson): ErasedPerson =>
  type === 'enrich_company' || type === 'company_posts' ? { ...person, handles: [] } : person

/**
 * Deletes a team's jobs about the person and removes the person from results of others; returns the number of jobs touched.
 * Raises the fence of all open jobs, so that their workers cannot write what they have already fetched.
 */
export async function erasePersonFromJobs(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  await sql`
    update job set fence = fence + 1, lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and id = any(array(
      select id from job where team_id = ${teamId} and finished_at is null order by id for update))`.execute(tx.db)
  const isNamed = (type: string, value: unknown) => namerOf(namedIn(type, person))(value)
  tx.mark('enrich_job', teamId)
  tx.mark('posts_job', teamId)
  const asked = await queryAll<{ id: string; type: string; payload: unknown }>(tx.db)`
    select id, type, payload from job where team_id = ${teamId} and ${namesPerson(sql`payload::text`, person)}`
  const theirs = asked.filter(({ type, payload }) => isNamed(type, payload)).map(({ id }) => id)
  await sql`delete from job where team_id = ${teamId} and id = any(${theirs}::uuid[])`.execute(tx.db)
  const { rows: others } = await sql<{ id: string; type: string; result: unknown; error: unknown }>`
    select id, type, result, error from job where team_id = ${teamId}
      and ${namesPerson(sql`coalesce(result::text, '') || coalesce(error::text, '')`, person)}
    order by id for update`.execute(tx.db)
  const rows = others.filter(({ type, result, error }) => isNamed(type, [result, error]))
  for (const { id, type, ...said } of rows) {
    const [result, error] = [said.result, said.error].map((value) =>
      value === null ? null : JSON.stringify(withoutPerson(value, namedIn(type, person))),
    )
    await sql`update job set result = ${result}::jsonb, error = ${error}::jsonb
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
  return theirs.length + rows.length
}
