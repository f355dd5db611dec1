/** What `list_change` holds: triggers write it (migration 0058), and here many notes of a team become one. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** So many notes of a team stay as they are. */
const most = 500

/**
 * Makes the notes of teams that have many into one, which is as new as this unit of work and says all that they said: whoever looked
 * before it learns of them once more. Notes of transactions under way stay out of it; those of a cluster that was restored from, whose
 * numbers this one has not come to, go in. Answers how many notes went.
 */
export async function mergeListChanges(tx: Tx): Promise<number> {
  const oldest = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`
  const next = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
  const { rows } = await sql<{ merged: number }>`
    with crowded as materialized (
      select team_id from list_change group by team_id having count(*) > ${most} or max(mark) >= ${next}
    ), gone as (
      delete from list_change c using crowded t
      where c.team_id = t.team_id and (c.mark < ${oldest} or c.mark >= ${next}) returning c.team_id, c.since
    ), kept as (
      insert into list_change (team_id, mark, since)
      select team_id, pg_current_xact_id()::text::bigint, min(since) from gone group by team_id
    )
    select count(*)::integer as merged from gone`.execute(tx.db)
  return rows[0]!.merged
}
