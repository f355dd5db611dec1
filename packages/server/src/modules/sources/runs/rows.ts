/** SQL of `sync`, the runs; `platform/work` decides which team is next. */
import { bounds } from '@les/contract'
import { sql, type Updateable } from 'kysely'
import { snakeKeys, type CamelKeys } from '../../../platform/db/columns.ts'
import type { Tables } from '../../../platform/db/schema.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import {
  claimOne,
  defineRows,
  endLeases,
  noteTaskContext,
  lockLeased,
  noLease,
  postpone,
  reschedule,
  type Lease,
} from '../../../platform/work/index.ts'
import { savingPosts, type PostProgress } from './posts.ts'
import type { RunLane, RunSettings } from './rules/policy.ts'
import {
  firstCursor,
  toRun,
  type LeftPost,
  type Run,
  type RunCursor,
  type RunRow,
  type RunState,
  type WaitsFor,
} from './run.ts'

type RunName = Pick<Run, 'teamId' | 'id'>

/** Runs of teams not served or not allowed to capture wait, but one that has begun goes on (G128), if only to be ended (G129). */
const runsOf = <Lane extends RunLane>(lane: Lane) =>
  defineRows({
    kind: lane,
    rowKind: 'run',
    table: 'sync',
    key: 'id',
    keyType: 'uuid',
    open: sql<boolean>`w.finished_at is null and w.lane = ${sql.lit(lane)}`,
    begun: sql<boolean>`w.state = 'capturing'`,
    teams: sql<boolean>`t.capture_allowed`,
    fence: 'counted',
  })

/** The runs to be claimed, by lane. */
export const runRows = { capture: runsOf('capture'), keyword: runsOf('keyword') } as const

const openRuns = { ...runRows.capture, open: sql<boolean>`w.finished_at is null` }

/** Inserts a queued run. */
export async function insertRun(
  tx: Tx,
  { lane, ...run }: Pick<Run, 'teamId' | 'sourceId' | 'trigger' | 'lane'>,
): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('sync')
    .values({
      ...snakeKeys(run),
      id,
      state: 'queued',
      settings: '{}',
      cursor: JSON.stringify(firstCursor[lane]),
      lane,
      due_at: tx.now,
      created_at: tx.now,
    })
    .execute()
  return id
}

/** Leases the run of a lane that is due longest, of the team served longest ago; undefined when there is none. */
export async function claimRun(tx: Tx, lane: RunLane, lease: Lease): Promise<Run | undefined> {
  const row = await claimOne<RunRow>(tx, runRows[lane], lease)
  if (!row) return undefined
  const run = toRun(row)
  addLogContext({ teamId: run.teamId, sourceId: run.sourceId, runId: run.id })
  noteTaskContext(tx, runRows[lane], row)
  return run
}

/** The source of a run; null when there is no such run. */
export async function findSourceOfRun(db: Reader, run: RunName): Promise<string | null> {
  const row = await runsNamed(db, run.teamId, [run.id]).executeTakeFirst()
  return row?.source_id ?? null
}

const updateRun = (tx: Tx, run: RunName) =>
  tx.db.updateTable('sync').where('team_id', '=', run.teamId).where('id', '=', run.id)

/** Starts a claimed run; its settings are fixed from here on. */
export async function startRun(
  tx: Tx,
  { run, settings, cursor = run.cursor }: { run: Run; settings: RunSettings; cursor?: RunCursor | undefined },
): Promise<Run> {
  const row = await updateRun(tx, run)
    .set({ state: 'capturing', settings: JSON.stringify(settings), cursor: JSON.stringify(cursor), started_at: tx.now })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRun(row)
}

/** Locks and rereads a run while the lease under `fence` is ours; undefined when another worker took it over or ended it. */
export async function lockRun(tx: Tx, run: RunName & { readonly fence: number }): Promise<Run | undefined> {
  const row = await lockLeased<RunRow>(tx, openRuns, run)
  return row && toRun(row)
}

/** Releases a run for its next page, if the lease under `fence` is still ours. */
export const releaseRun = (tx: Tx, run: Pick<Run, 'teamId' | 'id' | 'fence' | 'lane'>): Promise<void> =>
  endLeases(tx, runRows[run.lane], [run])

/** What a page changes in a run. */
export type RunProgress = Partial<
  Pick<Run, Exclude<keyof Run & keyof CamelKeys<Updateable<Tables['sync']>>, 'settings'>>
>

/** Writes a checkpoint and the progress of posts, and releases the lease so that other teams take their turn. */
export async function saveCheckpoint(
  tx: Tx,
  {
    run,
    progress: { cursor, unapplied, ...progress },
    posts = [],
  }: { run: Run; progress: RunProgress; posts?: readonly PostProgress[] | undefined },
): Promise<void> {
  await (posts.length === 0 ? tx.db : tx.db.with('moved', () => savingPosts(run, posts)))
    .updateTable('sync')
    .set({
      ...snakeKeys(progress),
      ...(cursor && { cursor: JSON.stringify(cursor) }),
      ...(unapplied && { unapplied: JSON.stringify(unapplied) }),
      waits_for: null,
      attempts: 0,
      unexpected_failures: 0,
      ...noLease,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  tx.mark(progress.lane ?? run.lane, run.teamId)
}

/** Reschedules a page after a failure, or while the vendor's account is held (`waitsFor`); the latter does not count as a try. */
export async function savePostponed(
  tx: Tx,
  run: Run,
  { dueAt, waitsFor, cursor = run.cursor }: { dueAt: Date; waitsFor: WaitsFor | null; cursor?: RunCursor | undefined },
): Promise<void> {
  if (waitsFor !== run.waitsFor || cursor !== run.cursor)
    await updateRun(tx, run)
      .set({ waits_for: waitsFor, cursor: JSON.stringify(cursor) })
      .execute()
  await postpone(tx, runRows[run.lane], run, dueAt, waitsFor === null ? 'tried' : 'held')
}

/** Reschedules a locked run after an unexpected failure. */
export const saveUnexpected = (tx: Tx, run: Run, dueAt: Date): Promise<void> =>
  reschedule(tx, runRows[run.lane], run, dueAt)

/** Rows that the source of run `y` holds for post `p`. Two key ranges in one condition would read all of its leads. */
const rowsHeld = (kind: 'reaction' | 'comment') => {
  const prefix = sql.lit(`${kind}:`)
  return sql`(select count(*) from lead l where l.team_id = p.team_id and l.owner_id = y.source_id
    and l.engagement_key >= ${prefix} || p.post_urn || ':' and l.engagement_key < ${prefix} || p.post_urn || ';')`
}

/** Writes `post_coverage` when a run ends, with what held posts back. Returns the engagement rows held of all posts. */
async function saveCoverage(
  tx: Tx,
  run: { readonly teamId: string; readonly id: string },
  { state }: { state: 'captured' | 'failed' | 'untracked' },
): Promise<number> {
  const unfinished = { captured: 'credits', failed: 'provider_limit', untracked: null }[state]
  const { rows } = await sql<{ captured: number }>`
    insert into post_coverage (team_id, source_id, post_urn, declared, captured, held_back_by)
    select p.team_id, y.source_id, p.post_urn, p.declared, ${rowsHeld('reaction')} + ${rowsHeld('comment')},
      case when p.phase = 'done' then p.held_back_by else ${unfinished}::text end
    from sync_post p join sync y on y.team_id = p.team_id and y.id = p.sync_id
    where p.team_id = ${run.teamId} and p.sync_id = ${run.id} order by p.post_urn
    on conflict (team_id, source_id, post_urn) do update
    set declared = excluded.declared, captured = excluded.captured, held_back_by = excluded.held_back_by
    returning captured`.execute(tx.db)
  return rows.reduce((sum, { captured }) => sum + captured, 0)
}

/** How a run ends; `emptied`: the paying account was empty with more to capture. */
export type RunEnding = {
  readonly state: 'captured' | 'failed' | 'untracked'
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly emptied?: boolean
}

/**
 * Ends a run, deletes its working rows, and moves the fence, so that a stale worker cannot write. A partly read post counts as
 * processed, because people of it were captured. `left`: posts kept for the next run while the first sync is not made (G144).
 */
export async function saveEnding(
  tx: Tx,
  { run, ending, left }: { run: RunName; ending: RunEnding; left: readonly LeftPost[] | null },
): Promise<void> {
  const held = await saveCoverage(tx, run, ending)
  await sql`
    update sync set held_rows = ${held},
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

const runsNamed = (db: Reader, teamId: string, ids: readonly string[]) =>
  db.selectFrom('sync').selectAll().where('team_id', '=', teamId).where('id', 'in', ids)

/** Runs of a team, by id. */
export async function listRuns(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, Run>> {
  if (ids.length === 0) return new Map()
  const rows = await runsNamed(db, teamId, ids).execute()
  return new Map(rows.map((row) => [row.id, toRun(row)]))
}

type RunsOfSource = { readonly teamId: string; readonly lastSyncId: string | null; readonly openSyncId: string | null }

/** The newest run of a source, and the newest that has ended; the same one between runs (G131). */
export async function findStatusRuns(
  db: Reader,
  { teamId, openSyncId, lastSyncId }: RunsOfSource,
): Promise<{ current: Run | null; finished: Run | null }> {
  const ids = [openSyncId, lastSyncId].filter((id) => id !== null)
  const runs = await listRuns(db, teamId, ids)
  const finished = runs.get(lastSyncId ?? '') ?? null
  return { current: runs.get(openSyncId ?? '') ?? finished, finished }
}

/** Posts that the last run left when it did not make the first sync; at most as many as a first sync reads. */
export async function findLeftPosts(
  db: Reader,
  { teamId, lastSyncId, everCompleted }: Omit<RunsOfSource, 'openSyncId'> & { readonly everCompleted: boolean },
): Promise<readonly LeftPost[]> {
  if (lastSyncId === null || everCompleted) return []
  const cursor = (await listRuns(db, teamId, [lastSyncId])).get(lastSyncId)?.cursor
  return cursor === undefined || cursor.phase === 'search'
    ? []
    : (cursor.left ?? []).slice(0, bounds.firstSyncPosts.max)
}

/** The last run of each keyword search that untracking has not cut off (C4). */
export async function listShownRuns(
  db: Reader,
  teamId: string,
  sourceIds: readonly string[],
): Promise<Map<string, Run>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await sql<RunRow>`
    select shown.* from unnest(${sourceIds}::uuid[]) as asked(id)
    cross join lateral (select y.* from sync y
      where y.team_id = ${teamId} and y.source_id = asked.id and y.state in ('captured', 'failed')
      order by y.created_at desc, y.id desc limit 1) shown`.execute(db)
  return new Map(rows.map((row) => [row.source_id, toRun(row)]))
}

/** A run as a job to poll, since its id is a job id (G32); final once its capture has ended. */
export type RunAsJob = {
  readonly id: string
  readonly type: 'sync'
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly result: Record<string, unknown> | null
  readonly error: { readonly status: number; readonly error: string; readonly code?: string } | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

const jobStatus = {
  queued: 'pending',
  capturing: 'running',
  captured: 'completed',
  failed: 'failed',
  untracked: 'failed',
} as const satisfies Record<RunState, RunAsJob['status']>

function jobError({ state, errorCode, errorText }: Run): RunAsJob['error'] {
  if (state === 'untracked')
    return { status: 409, error: 'The source was untracked while the sync ran', code: 'untracked' }
  if (state !== 'failed') return null
  const status = errorCode === 'subscription_inactive' ? 403 : errorCode === 'internal_error' ? 500 : 502
  return { status, error: errorText ?? 'The sync failed', ...(errorCode === null ? {} : { code: errorCode }) }
}

export async function findRunAsJob(db: Reader, teamId: string, id: string): Promise<RunAsJob | undefined> {
  const run = (await listRuns(db, teamId, [id])).get(id)
  if (!run) return undefined
  const { sourceId, stoppedBy, creditsSpent, leadRows: leadRowsCaptured, createdAt, finishedAt } = run
  const result = run.state === 'captured' ? { syncId: id, sourceId, stoppedBy, creditsSpent, leadRowsCaptured } : null
  return { id, type: 'sync', status: jobStatus[run.state], result, error: jobError(run), createdAt, finishedAt }
}
