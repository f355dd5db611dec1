/** SQL of runs: `sync` and the turns of teams are written here; their posts are in `run-posts.ts`. */
import { bounds } from '@les/contract'
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import {
  claimOne,
  defineRows,
  holdInHand,
  lockLeased,
  noLease,
  postpone,
  putOff,
  type Lease,
  type PutOffHow,
} from '../../platform/work/index.ts'
import type { PageAt } from '../../providers/ports.ts'
import type { LeftPost } from './run-posts.ts'
import type { RunSettings } from './rules/settings.ts'
import type { RunState } from './rules/status.ts'

/** Runs of a lane, as they are worked on. Those of teams that are not served or may not capture wait, but one that has begun goes on (G128), if only to be ended (G129). */
const runsOf = <Lane extends RunLane>(lane: Lane) =>
  defineRows({
    kind: lane,
    sort: 'run',
    table: 'sync',
    key: 'id',
    keyType: 'uuid',
    open: sql<boolean>`w.finished_at is null and w.lane = ${sql.lit(lane)}`,
    begun: sql<boolean>`w.state = 'capturing'`,
    captures: true,
    fence: 'counted',
  })

/** What is worked on of runs, by lane. */
export const runRows = { capture: runsOf('capture'), keyword: runsOf('keyword') } as const

/**
 * Where the listing of a run's posts stands; `listed` names the posts chosen so far, so that a listing that shifts between pages does
 * not count one twice; `pages` counts those read. `left`: posts an unfinished first sync before it had not come to the end of.
 */
export type RunCursor =
  | {
      readonly phase: 'posts'
      readonly at: PageAt | null
      readonly listed: readonly string[]
      readonly pages: number
      readonly left?: readonly LeftPost[]
    }
  | SearchCursor
  /** `limited`: a search was left off with posts still to be found. `left`: of a run that has ended and did not make the first sync, for the next one. */
  | { readonly phase: 'engagement'; readonly limited?: boolean; readonly left?: readonly LeftPost[] }

/** Where the search of a keyword run stands: each of its terms, and whose turn it is. */
export type SearchCursor = { readonly phase: 'search'; readonly terms: readonly TermCursor[]; readonly turn: number }

/** Where one term stands: `pages` read so far, `barren` of them in a row without a post that was new to the run. */
export type TermCursor = {
  readonly at: PageAt | null
  readonly done: boolean
  readonly pages: number
  readonly barren: number
}

/** Who works on a run: the search of keyword runs, or capture. */
export type RunLane = 'keyword' | 'capture'

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
  readonly lane: RunLane
  /** What the search of a keyword run has come to; zeros on other runs. */
  readonly postsScanned: number
  readonly postsKept: number
  readonly discardedByExpression: number
  readonly authorsCaptured: number
  readonly companyAuthors: number
  /** True when the cap on credits kept pages of a post from being asked for (KRN-08). */
  readonly pageLimited: boolean
  /** Targeting filters that the vendor could not apply and we could not make up for. */
  readonly unapplied: readonly string[]
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly attempts: number
  readonly unexpectedFailures: number
  readonly fence: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

type Row = {
  team_id: string
  id: string
  source_id: string
  trigger: Run['trigger']
  state: RunState
  settings: unknown
  cursor: unknown
  posts_total: number
  posts_processed: number
  lead_rows: number
  credits_spent: number
  engagers_seen: number
  declared: number
  held_rows: number
  posts_fetched: number
  provider_limited: boolean
  stopped_by: string | null
  error_code: string | null
  error_text: string | null
  attempts: number
  fence: number
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  lane: RunLane
  posts_scanned: number
  posts_kept: number
  discarded_by_expression: number
  authors_captured: number
  company_authors: number
  page_limited: boolean
  unapplied: string[]
  unexpected_failures: number
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
  lane: row.lane,
  postsScanned: row.posts_scanned,
  postsKept: row.posts_kept,
  discardedByExpression: row.discarded_by_expression,
  authorsCaptured: row.authors_captured,
  companyAuthors: row.company_authors,
  pageLimited: row.page_limited,
  unapplied: row.unapplied,
  stoppedBy: row.stopped_by,
  errorCode: row.error_code,
  errorText: row.error_text,
  attempts: row.attempts,
  unexpectedFailures: row.unexpected_failures,
  fence: row.fence,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

const firstCursor: Readonly<Record<RunLane, RunCursor>> = {
  capture: { phase: 'posts', at: null, listed: [], pages: 0 },
  keyword: { phase: 'search', terms: [], turn: 0 },
}

/** Makes a run that waits to be picked. */
export async function insertRun(
  tx: Tx,
  run: { teamId: string; sourceId: string; trigger: Run['trigger']; lane: RunLane },
): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('sync')
    .values({
      team_id: run.teamId,
      id,
      source_id: run.sourceId,
      trigger: run.trigger,
      state: 'queued',
      settings: '{}',
      cursor: JSON.stringify(firstCursor[run.lane]),
      lane: run.lane,
      due_at: tx.now,
      created_at: tx.now,
    })
    .execute()
  return id
}

/** Takes the lease of the runnable run of a lane that is due longest, of the team served longest ago. Undefined when there is none. */
export async function claimRun(tx: Tx, lane: RunLane, lease: Lease): Promise<Run | undefined> {
  const row = await claimOne<Row>(tx, runRows[lane], lease)
  if (!row) return undefined
  const run = toRun(row)
  addLogContext({ teamId: run.teamId, sourceId: run.sourceId, runId: run.id })
  holdInHand(tx, runRows[lane], row)
  return run
}

/** The source of a run; null when there is no such run. */
export async function findSourceOfRun(db: Reader, run: { teamId: string; id: string }): Promise<string | null> {
  const row = await db
    .selectFrom('sync')
    .select('source_id')
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .executeTakeFirst()
  return row?.source_id ?? null
}

/** Starts a claimed run: its settings are fixed from here on. */
export async function startRun(tx: Tx, run: Run, settings: RunSettings, cursor: RunCursor = run.cursor): Promise<Run> {
  const row = await tx.db
    .updateTable('sync')
    .set({ state: 'capturing', settings: JSON.stringify(settings), cursor: JSON.stringify(cursor), started_at: tx.now })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRun(row)
}

/** A run that is not over, whoever works on it. */
const openRuns = { ...runRows.capture, open: sql<boolean>`w.finished_at is null` }

/** Locks a run and gives it back as it stands when the lease under `fence` is still ours; undefined when somebody took over or ended it. */
export async function lockRun(tx: Tx, run: { teamId: string; id: string; fence: number }): Promise<Run | undefined> {
  const row = await lockLeased<Row>(tx, openRuns, run)
  return row && toRun(row)
}

/** What a page adds to a run. */
export type RunProgress = Partial<
  Pick<
    Run,
    | 'cursor'
    | 'postsTotal'
    | 'postsProcessed'
    | 'leadRows'
    | 'creditsSpent'
    | 'engagersSeen'
    | 'declared'
    | 'postsFetched'
    | 'providerLimited'
    | 'lane'
    | 'postsScanned'
    | 'postsKept'
    | 'discardedByExpression'
    | 'authorsCaptured'
    | 'companyAuthors'
    | 'pageLimited'
    | 'unapplied'
  >
>

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
      lane: next.lane,
      posts_scanned: next.postsScanned,
      posts_kept: next.postsKept,
      discarded_by_expression: next.discardedByExpression,
      authors_captured: next.authorsCaptured,
      company_authors: next.companyAuthors,
      page_limited: next.pageLimited,
      unapplied: JSON.stringify(next.unapplied),
      attempts: 0,
      unexpected_failures: 0,
      ...noLease,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  tx.mark(next.lane, run.teamId)
}

/** Puts a page off: the vendor was tried and failed, or its account is held, which does not count. */
export const savePostponed = (tx: Tx, run: Run, dueAt: Date, how: PutOffHow = 'tried'): Promise<void> =>
  postpone(tx, runRows[run.lane], run, dueAt, how)

/** Puts a locked run off after an unexpected failure. */
export const saveUnexpected = (tx: Tx, run: Run, dueAt: Date): Promise<void> =>
  putOff(tx, runRows[run.lane], run, dueAt)

/** How a run ends; `emptied`: the account that pays for it was empty while there was more to capture. */
export type RunEnding = {
  readonly state: 'captured' | 'failed' | 'untracked'
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly emptied?: boolean
}

/**
 * Ends a run for good and drops its working rows; the fence moves, so that whoever still works on it cannot write. `left`, where the
 * first sync is still to be made: the posts it was not done with, kept for the run that goes on (G144).
 */
export async function saveEnding(
  tx: Tx,
  run: { teamId: string; id: string },
  ending: RunEnding,
  left: readonly LeftPost[] | null,
): Promise<void> {
  // Keys begin with the kind and the post, so the rows held for a post are two ranges of the key's index.
  await sql`
    update sync set held_rows = coalesce((
        select sum(held.rows) from sync_post p, lateral (
          select count(*) as rows from lead l where l.team_id = p.team_id and l.owner_id = sync.source_id
            and ((l.engagement_key >= 'reaction:' || p.post_urn || ':' and l.engagement_key < 'reaction:' || p.post_urn || ';')
              or (l.engagement_key >= 'comment:' || p.post_urn || ':' and l.engagement_key < 'comment:' || p.post_urn || ';'))
        ) held where p.team_id = sync.team_id and p.sync_id = sync.id), 0),
      cursor = case when ${left === null} then cursor else jsonb_build_object('phase', 'engagement', 'left', coalesce(cursor -> 'left', '[]'::jsonb) || ${JSON.stringify(left ?? [])}::jsonb) end,
      state = ${ending.state}, stopped_by = ${ending.stoppedBy}, error_code = ${ending.errorCode}, error_text = ${ending.errorText}, finished_at = ${tx.now},
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
    cross join lateral (select y.* from sync y where y.team_id = ${teamId} and y.source_id = asked.id and y.state in ('captured', 'failed') order by y.created_at desc, y.id desc limit 1) told`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.source_id, toRun(row)]))
}
