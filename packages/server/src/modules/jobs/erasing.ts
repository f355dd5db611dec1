import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { namerOf, namesPerson, withoutPerson, type ErasedPerson } from '../accounts/index.ts'

/**
 * Deletes a team's jobs about the person and removes the person from results of others; returns the number of jobs touched.
 * Raises the fence of all open jobs, so that their workers cannot write what they have already fetched.
 */
export async function erasePersonFromJobs(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  await sql`
    update job set fence = fence + 1, lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and id = any(array(
      select id from job where team_id = ${teamId} and finished_at is null order by id for update))`.execute(tx.db)
  const isNamed = namerOf(person)
  tx.mark('enrich_job', teamId)
  tx.mark('posts_job', teamId)
  const { rows: asked } = await sql<{ id: string; payload: unknown }>`
    select id, payload from job where team_id = ${teamId} and ${namesPerson(sql`payload::text`, person)}`.execute(tx.db)
  const theirs = asked.filter(({ payload }) => isNamed(payload)).map(({ id }) => id)
  await sql`delete from job where team_id = ${teamId} and id = any(${theirs}::uuid[])`.execute(tx.db)
  const { rows: others } = await sql<{ id: string; result: unknown; error: unknown }>`
    select id, result, error from job where team_id = ${teamId}
      and ${namesPerson(sql`coalesce(result::text, '') || coalesce(error::text, '')`, person)}
    order by id for update`.execute(tx.db)
  const rows = others.filter(({ result, error }) => isNamed([result, error]))
  const without = (value: unknown) => (value === null ? null : JSON.stringify(withoutPerson(value, person)))
  for (const { id, result, error } of rows)
    await sql`update job set result = ${without(result)}::jsonb, error = ${without(error)}::jsonb
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  return theirs.length + rows.length
}
