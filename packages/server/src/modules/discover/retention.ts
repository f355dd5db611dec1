/** What is kept of Discover runs: those of agents for ever; others for a while after they ended, less after somebody deleted them. */
import { sql } from 'kysely'
import { keptSince, type PurgeTeam } from '../../platform/retention.ts'

/** Days that a deleted run stays, should somebody ask what it was. */
const deletedDays = 30
const mostRuns = 10

/**
 * Deletes runs that ended before, or were deleted 30 days ago, with their people. Their leads stay, and a later run
 * charges in its own name.
 */
export const purgeDiscoverRuns: PurgeTeam = async (tx, { teamId, before }) => {
  const { rows } = await sql<{ id: string }>`
    select id from discover_run where team_id = ${teamId} and finished_at is not null and agent_id is null
      and (finished_at < ${before} or deleted_at < ${keptSince(tx.now, deletedDays)})
    order by id limit ${mostRuns} for update skip locked`.execute(tx.db)
  if (rows.length === 0) return { removed: 0, more: false }
  const ids = rows.map((row) => row.id)
  const posts = await sql`delete from discover_post where team_id = ${teamId} and run_id = any(${ids}::uuid[])`.execute(
    tx.db,
  )
  const people =
    await sql`delete from discover_person where team_id = ${teamId} and run_id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`delete from discover_run where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  const removed = ids.length + Number(posts.numAffectedRows ?? 0) + Number(people.numAffectedRows ?? 0)
  return { removed, more: ids.length === mostRuns }
}
