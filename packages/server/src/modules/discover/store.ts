/** SQL of runs; the only writer of `discover_run`. */
import { sql, type Selectable } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import { camelKeys, type CamelKeys } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { claimOne, defineRows, noteTaskContext, lockLeased, noLease, type Lease } from '../../platform/work/index.ts'
import { keptSince, type PurgeTeam } from '../../platform/retention.ts'
import { beginning, type RunRequest } from './rules/run.ts'
import type { DiscoverRunTable } from './schema.ts'

/** Runs, as rows of work. Runs of unserved teams wait, except that a started one is claimed, if only to be ended (G129). */
export const discoverRows = defineRows({
  kind: 'discover',
  rowKind: 'discover',
  table: 'discover_run',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.finished_at is null`,
  begun: sql<boolean>`w.started_at is not null`,
  fence: 'counted',
})

type RunRow = Selectable<DiscoverRunTable>

/** A row of `discover_run`, in camel case. */
export type DiscoverRun = CamelKeys<RunRow>

/** Creates a run for the worker. */
export async function insertDiscoverRun(
  tx: Tx,
  { teamId, request, agentId }: { teamId: string; request: RunRequest; agentId: string | null },
): Promise<DiscoverRun> {
  const row = await tx.db
    .insertInto('discover_run')
    .values({
      team_id: teamId,
      id: tx.newId(),
      agent_id: agentId,
      state: 'running',
      phase: 'search',
      keywords: JSON.stringify(request.keywords),
      countries: JSON.stringify(request.countries),
      min_engagement: request.minEngagement,
      max_influencers: request.maxInfluencers,
      places: JSON.stringify(request.keywords.map(() => beginning)),
      due_at: tx.now,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.enqueue('discover', teamId)
  return camelKeys(row)
}

/** Finds a run of a team, unless deleted. */
export async function findDiscoverRun(db: Reader, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await db
    .selectFrom('discover_run')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && camelKeys(row)
}

/** A team's runs, newest first. */
export async function listDiscoverRuns(db: Reader, teamId: string): Promise<DiscoverRun[]> {
  const rows = await db
    .selectFrom('discover_run')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(camelKeys)
}

/** Claims the run due longest, of the team served longest ago, and marks it started. */
export async function claimDiscoverRun(tx: Tx, lease: Lease): Promise<DiscoverRun | undefined> {
  const row = await claimOne<RunRow>(tx, discoverRows, lease, sql`, started_at = coalesce(w.started_at, ${tx.now})`)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, runId: row.id })
  noteTaskContext(tx, discoverRows, row)
  return camelKeys(row)
}

/** Locks and reads a claimed run; undefined when it was taken over, ended or deleted. */
export async function lockDiscoverRun(
  tx: Tx,
  run: Pick<DiscoverRun, 'teamId' | 'id' | 'fence'>,
): Promise<DiscoverRun | undefined> {
  const row = await lockLeased<RunRow>(tx, discoverRows, run)
  return row && camelKeys(row)
}

type Progress = Partial<
  Pick<DiscoverRun, 'phase' | 'places' | 'found' | 'qualified' | 'countryChecked' | 'countryMatched'>
>

/** Saves the progress of a locked run and releases its lease, so that other teams get their turn. */
export async function saveDiscoverCheckpoint(tx: Tx, run: DiscoverRun, progress: Progress): Promise<DiscoverRun> {
  const next = { ...run, ...progress }
  await tx.db
    .updateTable('discover_run')
    .set({
      phase: next.phase,
      places: JSON.stringify(next.places),
      found: next.found,
      qualified: next.qualified,
      country_checked: next.countryChecked,
      country_matched: next.countryMatched,
      attempts: 0,
      unexpected_failures: 0,
      ...noLease,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  tx.enqueue('discover', run.teamId)
  return next
}

/** How a run ends. */
export type Ending = {
  readonly state: 'done' | 'failed'
  readonly errorCode: string | null
  readonly errorText: string | null
}

/** Ends a locked run. */
export async function closeDiscoverRun(tx: Tx, run: Pick<DiscoverRun, 'teamId' | 'id'>, ending: Ending): Promise<void> {
  await tx.db
    .updateTable('discover_run')
    .set({
      state: ending.state,
      phase: 'over',
      error_code: ending.errorCode,
      error_text: ending.errorText,
      finished_at: tx.now,
      ...noLease,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  // The agent that asked for it continues with the people found.
  tx.enqueue('agent', run.teamId)
}

/** Marks a run as deleted; undefined when there is none. */
export async function markDeleted(tx: Tx, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await tx.db
    .updateTable('discover_run')
    .set({ deleted_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && camelKeys(row)
}

/** Days for which a deleted run is kept, in case somebody asks about it. */
const deletedDays = 30
const maxRunsPurged = 10

/** Deletes runs that ended before `before` or were deleted 30 days ago, with their people; not agents' runs, and no leads. */
export const purgeDiscoverRuns: PurgeTeam = async (tx, { teamId, before }) => {
  const { rows } = await sql<{ id: string }>`
    select id from discover_run where team_id = ${teamId} and finished_at is not null and agent_id is null
      and (finished_at < ${before} or deleted_at < ${keptSince(tx.now, deletedDays)})
    order by id limit ${maxRunsPurged} for update skip locked`.execute(tx.db)
  if (rows.length === 0) return { removed: 0, more: false }
  const ids = rows.map((row) => row.id)
  const posts = await sql`delete from discover_post where team_id = ${teamId} and run_id = any(${ids}::uuid[])`.execute(
    tx.db,
  )
  const people =
    await sql`delete from discover_person where team_id = ${teamId} and run_id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`delete from discover_run where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  const removed = ids.length + Number(posts.numAffectedRows ?? 0) + Number(people.numAffectedRows ?? 0)
  return { removed, more: ids.length === maxRunsPurged }
}
