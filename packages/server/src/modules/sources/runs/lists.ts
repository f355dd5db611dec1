/** Runs as others read them: the newest of a source, the last ones of many. */
import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { type Run, type Row, toRun } from './rows.ts'

/** The newest run of a source, and the newest that has ended; they are the same between runs (G131). */
export async function findStatusRuns(
  db: Reader,
  source: { teamId: string; id: string; lastSyncId: string | null; openSyncId: string | null },
): Promise<{ current: Run | null; finished: Run | null }> {
  const ids = [source.openSyncId, source.lastSyncId].filter((id) => id !== null)
  if (ids.length === 0) return { current: null, finished: null }
  const rows = (
    await db.selectFrom('sync').selectAll().where('team_id', '=', source.teamId).where('id', 'in', ids).execute()
  ).map(toRun)
  const finished = rows.find((run) => run.id === source.lastSyncId) ?? null
  return { current: rows.find((run) => run.id === source.openSyncId) ?? finished, finished }
}

/** The endings of the last runs of sources, for lists. */
export async function listRuns(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, Run>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sync')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, toRun(row)]))
}

/** The last run of each of these keyword searches that untracking has not cut off (C4). */
export async function listShownRuns(
  db: Reader,
  teamId: string,
  sourceIds: readonly string[],
): Promise<Map<string, Run>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select told.* from unnest(${sourceIds}::uuid[]) as asked(id)
    cross join lateral (select y.* from sync y
      where y.team_id = ${teamId} and y.source_id = asked.id and y.state in ('captured', 'failed')
      order by y.created_at desc, y.id desc limit 1) told`.execute(db)
  return new Map(rows.map((row) => [row.source_id, toRun(row)]))
}
