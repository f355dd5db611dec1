/** SQL of the posts that runs work on: `sync_post`, gone when a run ends. */
import { bounds } from '@les/contract'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { PageCursor, VendorId, RepliesRef } from '../../../providers/ports.ts'
import type { Engagement } from '../../leads/index.ts'
import type { RunPolicy } from './rules/policy.ts'
import type { SyncPostTable } from './schema.ts'

/** Where a post goes on after a page. */
export type PostPlace = Pick<RunPost, 'phase' | 'provider' | 'cursor' | 'replies'>

/** A page that was paid for and is not used up: the engagements that are left, in their order, and where the post goes on after them. */
export type PageRest = {
  readonly engagements: readonly Engagement[]
  readonly after: PostPlace
  readonly cutShort: boolean
}

/** A post of a run and how far it has come. */
export type RunPost = {
  readonly position: number
  readonly urn: string
  readonly url: string
  readonly authorUrn: string | null
  readonly postedAt: Date | null
  readonly declared: number
  readonly phase: 'author' | 'reactions' | 'comments' | 'replies' | 'done'
  readonly provider: VendorId | null
  readonly cursor: PageCursor | null
  readonly replies: readonly RepliesRef[]
  /** Null when the vendor served no count. */
  readonly reactionsDeclared: number | null
  readonly commentsDeclared: number | null
  readonly reactionsSeen: number
  /** Entries seen of the kind of engagement the post is in. */
  readonly seen: number
  /** Lead rows this run has stored of it, its author apart. */
  readonly rowsTaken: number
  /** Turns it has had, when posts take turns. */
  readonly turns: number
  readonly pageRest: PageRest | null
  /** True once the vendors have failed a page of it: it is read last, and by itself. */
  readonly readAlone: boolean
}

/** A post to be worked on. */
export type RunPostDraft = {
  readonly urn: string
  readonly url: string
  readonly authorUrn: string | null
  readonly postedAt: string | null
  readonly declared: number
  readonly phase: RunPost['phase']
  readonly reactionsDeclared: number | null
  readonly commentsDeclared: number | null
}

/** A post that a run was not done with: what the next run begins it anew from. */
export type LeftPost = Omit<RunPostDraft, 'phase'>

/** The posts a run is not done with, in its order. */
export async function listLeftPosts(db: Reader, run: { teamId: string; id: string }): Promise<LeftPost[]> {
  const rows = await undone(db, run).orderBy('position').limit(bounds.firstSyncPosts.max).execute()
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

/** Adds posts behind those the run has; one that it has already is left out. Answers what was added. */
export async function appendRunPosts(
  tx: Tx,
  run: { teamId: string; id: string; postsTotal: number },
  posts: readonly RunPostDraft[],
): Promise<{ posts: number; silent: number; declared: number }> {
  if (posts.length === 0) return { posts: 0, silent: 0, declared: 0 }
  const rows = posts.map((post, index) => ({ ...post, position: index + 1 }))
  const { rows: added } = await sql<{ declared: number; phase: RunPost['phase'] }>`
    insert into sync_post (team_id, sync_id, position, post_urn, post_url, author_urn, posted_at, declared, phase,
        reactions_declared, comments_declared)
    select ${run.teamId}, ${run.id}, ${run.postsTotal} - 1 + row_number() over (order by r.position), r.urn, r.url,
      r."authorUrn", r."postedAt", r.declared, r.phase, r."reactionsDeclared", r."commentsDeclared"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(position integer, urn text, url text, "authorUrn" text,
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

const undone = (db: Reader, run: { teamId: string; id: string }) =>
  db
    .selectFrom('sync_post')
    .selectAll()
    .where('team_id', '=', run.teamId)
    .where('sync_id', '=', run.id)
    .where('phase', '<>', 'done')

/**
 * The posts the run works on now, at most `most`: the first that are not done, or, when posts take turns, those that had the fewest; those
 * that vendors have failed come last, so that no other waits for them.
 */
export async function listCurrentPosts(
  db: Reader,
  run: { teamId: string; id: string; policy: RunPolicy },
  most: number,
): Promise<RunPost[]> {
  const query = undone(db, run).orderBy('read_alone')
  const ordered =
    run.policy.order === 'in_turn' ? query.orderBy('turns').orderBy('position') : query.orderBy('position')
  return (await ordered.limit(most).execute()).map(toRunPost)
}

/** Posts whose author is to be captured next, in the order of the run. */
export async function listAuthorPosts(
  db: Reader,
  run: { teamId: string; id: string },
  limit: number,
): Promise<RunPost[]> {
  return (await undone(db, run).where('phase', '=', 'author').orderBy('position').limit(limit).execute()).map(toRunPost)
}

function toRunPost(row: Selectable<SyncPostTable>): RunPost {
  return {
    position: row.position,
    urn: row.post_urn,
    url: row.post_url,
    authorUrn: row.author_urn,
    postedAt: row.posted_at,
    declared: row.declared,
    phase: row.phase,
    provider: row.provider,
    cursor: row.cursor,
    replies: row.replies,
    reactionsDeclared: row.reactions_declared,
    commentsDeclared: row.comments_declared,
    reactionsSeen: row.reactions_seen,
    seen: row.seen,
    rowsTaken: row.rows_taken,
    turns: row.turns,
    pageRest: row.page_rest as PageRest | null,
    readAlone: row.read_alone,
  }
}

/** Keeps posts of a run from being read beside others, or before them. */
export async function keepAlone(
  tx: Tx,
  run: { teamId: string; id: string },
  posts: readonly Pick<RunPost, 'position'>[],
): Promise<void> {
  await tx.db
    .updateTable('sync_post')
    .set({ read_alone: true })
    .where('team_id', '=', run.teamId)
    .where('sync_id', '=', run.id)
    .where(
      'position',
      'in',
      posts.map(({ position }) => position),
    )
    .execute()
}

/** Posts that have had no more turns than one of them: the others still wait for this one. */
export async function countWaiting(db: Reader, run: { teamId: string; id: string }, turns: number): Promise<number> {
  const { rows } = await sql<{
    waiting: number
  }>`select count(*)::integer as waiting from sync_post
    where team_id = ${run.teamId} and sync_id = ${run.id} and phase <> 'done' and turns <= ${turns}`.execute(db)
  return rows[0]!.waiting
}

/** How far a post has come. */
export type PostProgress = Pick<
  RunPost,
  | 'position'
  | 'phase'
  | 'provider'
  | 'cursor'
  | 'replies'
  | 'reactionsSeen'
  | 'seen'
  | 'rowsTaken'
  | 'turns'
  | 'pageRest'
>

/** SQL that writes how far posts of a run have come. */
export function savingPosts(
  run: { teamId: string; id: string },
  posts: readonly PostProgress[],
): RawBuilder<{ position: number }> {
  const rows = posts.map(
    ({ position, phase, provider, cursor, replies, reactionsSeen, seen, rowsTaken, turns, pageRest }) => ({
      position,
      phase,
      provider,
      cursor,
      replies,
      reactionsSeen,
      seen,
      rowsTaken,
      turns,
      pageRest,
    }),
  )
  return sql<{ position: number }>`(
    update sync_post p
    set phase = r.phase, provider = r.provider, cursor = nullif(r.cursor, 'null'), replies = r.replies,
      reactions_seen = r."reactionsSeen",
      seen = r.seen, rows_taken = r."rowsTaken", turns = r.turns, page_rest = nullif(r."pageRest", 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(position integer, phase text, provider text,
        cursor jsonb, replies jsonb, "reactionsSeen" integer,
      seen integer, "rowsTaken" integer, turns integer, "pageRest" jsonb)
    where p.team_id = ${run.teamId} and p.sync_id = ${run.id} and p.position = r.position returning p.position)`
}
