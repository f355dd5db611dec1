/** SQL of `sync_post`, the posts of open runs. */
import { bounds } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { RunPolicy } from './rules/policy.ts'
import { toRunPost, type LeftPost, type PostPlace, type RunPost, type RunPostDraft } from './run.ts'

/** A run's unfinished posts, in its order. */
export async function listLeftPosts(db: Reader, run: { teamId: string; id: string }): Promise<LeftPost[]> {
  const rows = await unfinished(db, run).orderBy('position').limit(bounds.firstSyncPosts.max).execute()
  return rows
    .map(toRunPost)
    .map(({ urn, url, authorUrn, postedAt, declared, reactionsDeclared, commentsDeclared }) => ({
      urn,
      url,
      authorUrn,
      postedAt: postedAt?.toISOString() ?? null,
      declared,
      reactionsDeclared,
      commentsDeclared,
    }))
}

/** Appends posts that the run does not have yet, and returns what was added; `silent` posts need no work. */
export async function appendRunPosts(
  tx: Tx,
  run: { teamId: string; id: string; postsTotal: number },
  posts: readonly RunPostDraft[],
): Promise<{ posts: number; silent: number; declared: number }> {
  if (posts.length === 0) return { posts: 0, silent: 0, declared: 0 }
  const rows = JSON.stringify(posts.map((post, place) => ({ ...post, place })))
  const { rows: added } = await sql<{ declared: number; phase: RunPost['phase'] }>`
    insert into sync_post (team_id, sync_id, position, post_urn, post_url, author_urn, posted_at, declared, phase,
        reactions_declared, comments_declared)
    select ${run.teamId}, ${run.id}, ${run.postsTotal} - 1 + row_number() over (order by r.place), r.urn, r.url,
      r."authorUrn", r."postedAt", r.declared, r.phase, r."reactionsDeclared", r."commentsDeclared"
    from jsonb_to_recordset(${rows}::jsonb) as r(place integer, urn text, url text, "authorUrn" text,
        "postedAt" timestamptz, declared integer, phase text, "reactionsDeclared" integer, "commentsDeclared" integer)
    where not exists (select 1 from sync_post p
      where p.team_id = ${run.teamId} and p.sync_id = ${run.id} and p.post_urn = r.urn)
    returning declared, phase`.execute(tx.db)
  return {
    posts: added.length,
    silent: added.filter((post) => post.phase === 'done').length,
    declared: added.reduce((sum, post) => sum + post.declared, 0),
  }
}

const unfinished = (db: Reader, run: { teamId: string; id: string }) =>
  db
    .selectFrom('sync_post')
    .selectAll()
    .where('team_id', '=', run.teamId)
    .where('sync_id', '=', run.id)
    .where('phase', '<>', 'done')

/** Posts to work on: in order, or fewest turns first; those that vendors failed come last, so that no other waits for them. */
export async function listCurrentPosts(
  db: Reader,
  run: { teamId: string; id: string; policy: RunPolicy },
  limit: number,
): Promise<RunPost[]> {
  const query = unfinished(db, run).orderBy('read_alone')
  const ordered =
    run.policy.order === 'in_turn' ? query.orderBy('turns').orderBy('position') : query.orderBy('position')
  return (await ordered.limit(limit).execute()).map(toRunPost)
}

/** Posts whose author is captured next, in the run's order. */
export async function listAuthorPosts(
  db: Reader,
  run: { teamId: string; id: string },
  limit: number,
): Promise<RunPost[]> {
  return (await unfinished(db, run).where('phase', '=', 'author').orderBy('position').limit(limit).execute()).map(
    toRunPost,
  )
}

/** Marks posts to be read alone, after the others. */
export async function markReadAlone(
  tx: Tx,
  run: { teamId: string; id: string },
  posts: readonly Pick<RunPost, 'position'>[],
): Promise<void> {
  const positions = posts.map(({ position }) => position)
  await sql`update sync_post set read_alone = true
    where team_id = ${run.teamId} and sync_id = ${run.id} and position = any(${positions}::integer[])`.execute(tx.db)
}

/** How many unfinished posts have had at most `turns` turns. */
export const countWaiting = async (db: Reader, run: { teamId: string; id: string }, turns: number): Promise<number> =>
  (await queryValue<number>(db)`select count(*)::integer as waiting from sync_post
    where team_id = ${run.teamId} and sync_id = ${run.id} and phase <> 'done' and turns <= ${turns}`)!

export type PostProgress = PostPlace &
  Pick<RunPost, 'position' | 'reactionsSeen' | 'seen' | 'rowsTaken' | 'turns' | 'pageRest' | 'heldBackBy'>

/** SQL that writes the progress of a run's posts. */
export function savingPosts(
  run: { teamId: string; id: string },
  posts: readonly PostProgress[],
): RawBuilder<{ position: number }> {
  return sql<{ position: number }>`(
    update sync_post p
    set phase = r.phase, provider = r.provider, cursor = nullif(r.cursor, 'null'), replies = r.replies,
      reactions_seen = r."reactionsSeen",
      seen = r.seen, rows_taken = r."rowsTaken", turns = r.turns, page_rest = nullif(r."pageRest", 'null'),
      held_back_by = r."heldBackBy"
    from jsonb_to_recordset(${JSON.stringify(posts)}::jsonb) as r(position integer, phase text, provider text,
        cursor jsonb, replies jsonb, "reactionsSeen" integer,
      seen integer, "rowsTaken" integer, turns integer, "pageRest" jsonb,
      "heldBackBy" text)
    where p.team_id = ${run.teamId} and p.sync_id = ${run.id} and p.position = r.position returning p.position)`
}
