/**
 * What is kept of runs: the last of each source for ever, older ones for a while. Charges are known by source and
 * person or post, so nothing is charged anew.
 */
import { sql } from 'kysely'
import { uuidFrom } from '../../../platform/random.ts'
import { batchOf, type PurgeTeam } from '../../../platform/retention.ts'

/** Deletes runs that ended before, except the last of each source and the last that a list shows (C4). */
export const purgeRuns: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    delete from sync where team_id = ${teamId} and id = any(array(
      select y.id from sync y
      where y.team_id = ${teamId} and y.id < ${uuidFrom(before.getTime(), new Uint8Array(10))}
        and y.finished_at < ${before}
        and exists (select 1 from sync z
          where z.team_id = y.team_id and z.source_id = y.source_id and z.finished_at is not null
            and (z.created_at, z.id) > (y.created_at, y.id))
        and y.id is distinct from (select z.id from sync z
          where z.team_id = y.team_id and z.source_id = y.source_id and z.state in ('captured', 'failed')
          order by z.created_at desc, z.id desc limit 1)
      order by y.id limit ${limit} for update of y skip locked))`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
