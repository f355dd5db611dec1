/** SQL of the rows of runs: `sync` is made, claimed, started and locked here; the turns of teams follow (`platform/work`). */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import { claimOne, defineRows, giveBackAll, holdInHand, lockLeased, type Lease } from '../../../platform/work/index.ts'
import { firstCursor, type RunCursor } from './cursor.ts'
import { policyOf, type RunPolicy } from './rules/policy.ts'
import type { RunSettings, RunState, WaitsFor } from './settings.ts'

/**
 * Runs of a lane, as they are worked on. Those of teams that are not served or may not capture wait, but one that has
 * begun goes on (G128), if only to be ended (G129).
 */
const runsOf = <Lane extends RunLane>(lane: Lane) =>
  defineRows({
    kind: lane,
    sort: 'run',
    table: 'sync',
    key: 'id',
    keyType: 'uuid',
    open: sql<boolean>`w.finished_at is null and w.lane = ${sql.lit(lane)}`,
    begun: sql<boolean>`w.state = 'capturing'`,
    teams: sql<boolean>`t.capture_allowed`,
    fence: 'counted',
  })

/** What is worked on of runs, by lane. */
export const runRows = { capture: runsOf('capture'), keyword: runsOf('keyword') } as const

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
  /** What the engine does in it, which its settings come to. */
  readonly policy: RunPolicy
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
  /** True when posts were read in part only because the fallback's pages cost too much. */
  readonly priceLimited: boolean
  /** Why what it needs is held; null while it is not. */
  readonly waitsFor: WaitsFor | null
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

export type Row = {
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
  price_limited: boolean
  waits_for: WaitsFor | null
  unapplied: string[]
  unexpected_failures: number
}

export const toRun = (row: Row): Run => ({
  teamId: row.team_id,
  id: row.id,
  sourceId: row.source_id,
  trigger: row.trigger,
  state: row.state,
  settings: row.settings as RunSettings,
  policy: policyOf(row.settings as RunSettings, row.lane),
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
  priceLimited: row.price_limited,
  waitsFor: row.waits_for,
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
export async function startRun(
  tx: Tx,
  {
    run,
    settings,
    cursor = run.cursor,
  }: { readonly run: Run; readonly settings: RunSettings; readonly cursor?: RunCursor | undefined },
): Promise<Run> {
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

/** Releases a run for its next page, if the lease under `fence` is still ours. */
export const releaseRun = (tx: Tx, run: Pick<Run, 'teamId' | 'id' | 'fence' | 'lane'>): Promise<void> =>
  giveBackAll(tx, runRows[run.lane], [run])
