/** SQL of runs: `sync`, `sync_post` and the turns of teams are written here and nowhere else. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { PageCursor, ProviderSource, RepliesRef } from '../../providers/ports.ts'
import type { RunSettings } from './rules/settings.ts'
import type { RunState } from './rules/status.ts'

/** How long a lease lasts, in system time. */
export const leaseMs = 60_000

/** Where the listing of a run's posts stands; `listed` names the posts chosen so far, so that a listing that shifts between pages does not count one twice; `pages` counts those read. */
export type RunCursor = { readonly phase: 'posts'; readonly at: { readonly from: ProviderSource; readonly cursor: PageCursor } | null; readonly listed: readonly string[]; readonly pages: number } | { readonly phase: 'engagement' }

/** A run as the engine knows it. */
export type Run = {
  readonly teamId: string
  readonly id: string
  readonly sourceId: string
  readonly trigger: 'track' | 'scheduled' | 'manual'
  readonly state: RunState
  /** Set when the run starts. */
  readonly settings: RunSettings
  readonly cursor: RunCursor
  readonly postsTotal: number
  readonly postsProcessed: number
  readonly leadRows: number
  readonly creditsSpent: number
  readonly engagersSeen: number
  readonly declared: number
  readonly heldRows: number
  readonly postsFetched: number
  readonly providerLimited: boolean
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly attempts: number
  readonly fence: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

type Row = {
  team_id: string; id: string; source_id: string; trigger: Run['trigger']; state: RunState; settings: unknown; cursor: unknown; posts_total: number; posts_processed: number; lead_rows: number
  credits_spent: number; engagers_seen: number; declared: number; held_rows: number; posts_fetched: number; provider_limited: boolean; stopped_by: string | null; error_code: string | null
  error_text: string | null; attempts: number; fence: number; created_at: Date; started_at: Date | null; finished_at: Date | null
}

const toRun = (row: Row): Run => ({
  teamId: row.team_id,
  id: row.id,
  sourceId: row.source_id,
  trigger: row.trigger,
  state: row.state,
  settings: row.settings as RunSettings,
  cursor: row.cursor as RunCursor,
  postsTotal: row.posts_total,
  postsProcessed: row.posts_processed,
  leadRows: row.lead_rows,
  creditsSpent: row.credits_spent,
  engagersSeen: row.engagers_seen,
  declared: row.declared,
  heldRows: row.held_rows,
  postsFetched: row.posts_fetched,
  providerLimited: row.provider_limited,
  stoppedBy: row.stopped_by,
  errorCode: row.error_code,
  errorText: row.error_text,
  attempts: row.attempts,
  fence: row.fence,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

const firstCursor: RunCursor = { phase: 'posts', at: null, listed: [], pages: 0 }

/** Makes a run that waits to be picked. */
export async function insertRun(tx: Tx, run: { teamId: string; sourceId: string; trigger: Run['trigger'] }): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('sync')
    .values({ team_id: run.teamId, id, source_id: run.sourceId, trigger: run.trigger, state: 'queued', settings: '{}', cursor: JSON.stringify(firstCursor), due_at: tx.now, created_at: tx.now })
    .execute()
  return id
}

/**
 * Takes the lease of the runnable run whose team was served longest ago. Runs of teams that are not served or may not capture
 * wait, but one that has begun is still picked (G128), if only to be ended (G129). Undefined when there is none.
 */
export async function claimRun(tx: Tx, lease: { owner: string; systemNowMs: number }): Promise<Run | undefined> {
  const { rows } = await sql<Row>`
    with picked as (
      select y.team_id, y.id from sync y
      join team t on t.id = y.team_id
      left join work_turn w on w.team_id = y.team_id and w.kind = 'capture'
      where y.finished_at is null and y.due_at <= ${tx.now} and (y.lease_until_ms is null or y.lease_until_ms < ${lease.systemNowMs})
        and (y.state = 'capturing' or t.capture_allowed and (t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${tx.now}))
      order by coalesce(w.served, 0), y.created_at, y.id limit 1 for update of y skip locked
    ), turned as (
      insert into work_turn (team_id, kind, served) select team_id, 'capture', nextval('work_turn_number') from picked
      on conflict (team_id, kind) do update set served = excluded.served
    )
    update sync set lease_owner = ${lease.owner}, lease_until_ms = ${lease.systemNowMs + leaseMs}, fence = fence + 1
    from picked where sync.team_id = picked.team_id and sync.id = picked.id returning sync.*`.execute(tx.db)
  return rows[0] && toRun(rows[0])
}

/** Starts a claimed run: its settings are fixed from here on. */
export async function startRun(tx: Tx, run: Run, settings: RunSettings): Promise<Run> {
  const row = await tx.db
    .updateTable('sync')
    .set({ state: 'capturing', settings: JSON.stringify(settings), started_at: tx.now })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRun(row)
}

/** Locks a run and gives it back as it stands when the lease under `fence` is still ours; undefined when somebody took over or ended it. */
export async function lockRun(tx: Tx, run: { teamId: string; id: string; fence: number }): Promise<Run | undefined> {
  const row = await tx.db.selectFrom('sync').selectAll().where('team_id', '=', run.teamId).where('id', '=', run.id).where('fence', '=', run.fence).where('finished_at', 'is', null).forUpdate().executeTakeFirst()
  return row && toRun(row)
}

/** What a page adds to a run. */
export type RunProgress = Partial<Pick<Run, 'cursor' | 'postsTotal' | 'postsProcessed' | 'leadRows' | 'creditsSpent' | 'engagersSeen' | 'declared' | 'postsFetched' | 'providerLimited'>>

/** Writes a checkpoint and gives the lease back, so that other teams take their turn. */
export async function saveCheckpoint(tx: Tx, run: Run, progress: RunProgress): Promise<void> {
  const next = { ...run, ...progress }
  await tx.db
    .updateTable('sync')
    .set({
      cursor: JSON.stringify(next.cursor),
      posts_total: next.postsTotal,
      posts_processed: next.postsProcessed,
      lead_rows: next.leadRows,
      credits_spent: next.creditsSpent,
      engagers_seen: next.engagersSeen,
      declared: next.declared,
      posts_fetched: next.postsFetched,
      provider_limited: next.providerLimited,
      attempts: 0,
      lease_owner: null,
      lease_until_ms: null,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
}

/** Puts a page off until `dueAt`: the vendor failed. */
export async function savePostponed(tx: Tx, run: Run, dueAt: Date): Promise<void> {
  await tx.db.updateTable('sync').set({ attempts: run.attempts + 1, due_at: dueAt, lease_owner: null, lease_until_ms: null }).where('team_id', '=', run.teamId).where('id', '=', run.id).execute()
}

/** How a run ends. */
export type RunEnding = { readonly state: 'captured' | 'failed' | 'untracked'; readonly stoppedBy: string | null; readonly errorCode: string | null; readonly errorText: string | null }

/** Ends a run for good and drops its working rows; the fence moves, so that whoever still works on it cannot write. */
export async function saveEnding(tx: Tx, run: { teamId: string; id: string }, ending: RunEnding): Promise<void> {
  // Keys begin with the kind and the post, so the rows held for a post are two ranges of the key's index.
  await sql`
    update sync set held_rows = coalesce((
        select sum(held.rows) from sync_post p, lateral (
          select count(*) as rows from lead l where l.team_id = p.team_id and l.owner_id = sync.source_id
            and ((l.engagement_key >= 'reaction:' || p.post_urn || ':' and l.engagement_key < 'reaction:' || p.post_urn || ';')
              or (l.engagement_key >= 'comment:' || p.post_urn || ':' and l.engagement_key < 'comment:' || p.post_urn || ';'))
        ) held where p.team_id = sync.team_id and p.sync_id = sync.id), 0),
      state = ${ending.state}, stopped_by = ${ending.stoppedBy}, error_code = ${ending.errorCode}, error_text = ${ending.errorText}, finished_at = ${tx.now},
      lease_owner = null, lease_until_ms = null, fence = fence + 1
    where team_id = ${run.teamId} and id = ${run.id}`.execute(tx.db)
  await tx.db.deleteFrom('sync_post').where('team_id', '=', run.teamId).where('sync_id', '=', run.id).execute()
}

/** A post of a run and how far it has come. */
export type RunPost = {
  readonly position: number
  readonly urn: string
  readonly url: string
  readonly authorUrn: string | null
  readonly postedAt: Date | null
  readonly declared: number
  readonly phase: 'reactions' | 'comments' | 'replies' | 'done'
  readonly provider: ProviderSource | null
  readonly cursor: PageCursor | null
  readonly replies: readonly RepliesRef[]
  /** Null when the vendor served no count. */
  readonly reactionsDeclared: number | null
  readonly commentsDeclared: number | null
  readonly reactionsSeen: number
}

/** A post to be worked on. */
export type RunPostDraft = { readonly urn: string; readonly url: string; readonly authorUrn: string | null; readonly postedAt: string | null; readonly declared: number; readonly phase: RunPost['phase']; readonly reactionsDeclared: number | null; readonly commentsDeclared: number | null }

/** Adds posts behind those the run has; one that it has already is left out. Answers what was added. */
export async function appendRunPosts(tx: Tx, run: { teamId: string; id: string; postsTotal: number }, posts: readonly RunPostDraft[]): Promise<{ posts: number; silent: number; declared: number }> {
  if (posts.length === 0) return { posts: 0, silent: 0, declared: 0 }
  const rows = posts.map((post, index) => ({ ...post, position: index + 1 }))
  const { rows: added } = await sql<{ declared: number; phase: RunPost['phase'] }>`
    insert into sync_post (team_id, sync_id, position, post_urn, post_url, author_urn, posted_at, declared, phase, reactions_declared, comments_declared)
    select ${run.teamId}, ${run.id}, ${run.postsTotal} - 1 + row_number() over (order by r.position), r.urn, r.url, r."authorUrn", r."postedAt", r.declared, r.phase, r."reactionsDeclared", r."commentsDeclared"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(position integer, urn text, url text, "authorUrn" text, "postedAt" timestamptz, declared integer, phase text, "reactionsDeclared" integer, "commentsDeclared" integer)
    where not exists (select 1 from sync_post p where p.team_id = ${run.teamId} and p.sync_id = ${run.id} and p.post_urn = r.urn)
    returning declared, phase`.execute(tx.db)
  return { posts: added.length, silent: added.filter((post) => post.phase === 'done').length, declared: added.reduce((sum, post) => sum + post.declared, 0) }
}

/** The post the run works on now: the first that is not done. */
export async function findCurrentPost(db: Reader, run: { teamId: string; id: string }): Promise<RunPost | undefined> {
  const row = await db.selectFrom('sync_post').selectAll().where('team_id', '=', run.teamId).where('sync_id', '=', run.id).where('phase', '<>', 'done').orderBy('position').limit(1).executeTakeFirst()
  if (!row) return undefined
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
  }
}

/** Writes how far a post has come. */
export async function saveRunPost(tx: Tx, run: { teamId: string; id: string }, post: Pick<RunPost, 'position' | 'phase' | 'provider' | 'cursor' | 'replies' | 'reactionsSeen'>): Promise<void> {
  await tx.db
    .updateTable('sync_post')
    .set({ phase: post.phase, provider: post.provider, cursor: post.cursor === null ? null : JSON.stringify(post.cursor), replies: JSON.stringify(post.replies), reactions_seen: post.reactionsSeen })
    .where('team_id', '=', run.teamId)
    .where('sync_id', '=', run.id)
    .where('position', '=', post.position)
    .execute()
}

/** The newest run of a source, and the newest that has ended; they are the same between runs (G131). */
export async function findStatusRuns(db: Reader, source: { teamId: string; id: string; lastSyncId: string | null; openSyncId: string | null }): Promise<{ current: Run | null; finished: Run | null }> {
  const ids = [source.openSyncId, source.lastSyncId].filter((id) => id !== null)
  if (ids.length === 0) return { current: null, finished: null }
  const rows = (await db.selectFrom('sync').selectAll().where('team_id', '=', source.teamId).where('id', 'in', ids).execute()).map(toRun)
  const finished = rows.find((run) => run.id === source.lastSyncId) ?? null
  return { current: rows.find((run) => run.id === source.openSyncId) ?? finished, finished }
}

/** The endings of the last runs of sources, for lists. */
export async function listRuns(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, Run>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('sync').selectAll().where('team_id', '=', teamId).where('id', 'in', [...ids]).execute()
  return new Map(rows.map((row) => [row.id, toRun(row)]))
}

/** Frees every lease: an embedded service that boots is alone (design §7). */
export async function releaseAllLeases(tx: Tx): Promise<void> {
  await sql`update sync set lease_owner = null, lease_until_ms = null where finished_at is null and lease_until_ms is not null`.execute(tx.db)
}

/** True when a run waits to be picked. */
export async function runsDue(db: Reader, now: Date, systemNowMs: number): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select 1 from sync y join team t on t.id = y.team_id where y.finished_at is null and y.due_at <= ${now} and (y.lease_until_ms is null or y.lease_until_ms < ${systemNowMs})
      and (y.state = 'capturing' or t.capture_allowed and (t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now}))) as due`.execute(db)
  return rows[0]!.due
}
