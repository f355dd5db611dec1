/** What is kept of jobs: the answer for a while. A charge names its job by an id that never comes again, so nothing is charged anew. */
import { sql } from 'kysely'
import { uuidFrom } from '../../platform/random.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'

/** Deletes jobs that ended before. */
export const purgeJobs: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    delete from job where team_id = ${teamId} and id = any(array(
      select id from job
      where team_id = ${teamId} and id < ${uuidFrom(before.getTime(), new Uint8Array(10))} and finished_at < ${before}
      order by id limit ${limit} for update skip locked))`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
