/** How runs end, and what one that did not come to its end leaves to the next. */
import { bounds } from '@les/contract'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { LeftPost } from './posts.ts'

/** How a run ends; `emptied`: the account that pays for it was empty while there was more to capture. */
export type RunEnding = {
  readonly state: 'captured' | 'failed' | 'untracked'
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly emptied?: boolean
}

/**
 * SQL: how many rows of one kind are held for the post `p` of the run `sync`. Keys begin with the kind and the post: one range
 * of the key's index. Two ranges in one condition would read all leads of the source, and that for every post.
 */
const rowsHeld = (kind: 'reaction' | 'comment') => {
  const prefix = sql.lit(`${kind}:`)
  return sql`(select count(*) from lead l where l.team_id = p.team_id and l.owner_id = sync.source_id
    and l.engagement_key >= ${prefix} || p.post_urn || ':' and l.engagement_key < ${prefix} || p.post_urn || ';')`
}

/**
 * Ends a run for good and drops its working rows; the fence moves, so that whoever still works on it cannot write. A post that was read
 * in part counts as processed: a run that a cap ended has captured people of posts that it did not finish. `left`, where the
 * first sync is still to be made: the posts it was not done with, kept for the run that goes on (G144).
 */
export async function saveEnding(
  tx: Tx,
  {
    run,
    ending,
    left,
  }: {
    readonly run: { teamId: string; id: string }
    readonly ending: RunEnding
    readonly left: readonly LeftPost[] | null
  },
): Promise<void> {
  await sql`
    update sync set held_rows = coalesce((
        select sum(${rowsHeld('reaction')} + ${rowsHeld('comment')}) from sync_post p
        where p.team_id = sync.team_id and p.sync_id = sync.id), 0),
      posts_processed = greatest(posts_processed, (
        select count(*) from sync_post p
        where p.team_id = sync.team_id and p.sync_id = sync.id and (p.phase = 'done' or p.turns > 0 or p.seen > 0))),
      cursor = case when ${left === null} then cursor else jsonb_build_object('phase', 'engagement', 'left',
          coalesce(cursor -> 'left', '[]'::jsonb) || ${JSON.stringify(left ?? [])}::jsonb) end,
      state = ${ending.state}, stopped_by = ${ending.stoppedBy}, error_code = ${ending.errorCode},
      error_text = ${ending.errorText}, finished_at = ${tx.now},
      lease_owner = null, lease_until_ms = null, fence = fence + 1
    where team_id = ${run.teamId} and id = ${run.id}`.execute(tx.db)
  await tx.db.deleteFrom('sync_post').where('team_id', '=', run.teamId).where('sync_id', '=', run.id).execute()
}

/** The posts that the last run of a source left, where it did not make the first sync: as many as a first sync may look at. */
export async function findLeftPosts(
  db: Reader,
  source: { teamId: string; lastSyncId: string | null; everCompleted: boolean },
): Promise<readonly LeftPost[]> {
  if (source.lastSyncId === null || source.everCompleted) return []
  const { rows } = await sql<{
    left: LeftPost[] | null
  }>`select cursor -> 'left' as left from sync where team_id = ${source.teamId} and id = ${source.lastSyncId}`.execute(
    db,
  )
  return (rows[0]?.left ?? []).slice(0, bounds.firstSyncPosts.max)
}
