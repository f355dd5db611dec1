/** SQL of runs; the only writer of `discover_run`. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import { camelKeys, type CamelKeys } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { claimOne, defineRows, noteTaskContext, lockLeased, type Lease } from '../../platform/work/index.ts'
import { keptSince, type PurgeTeam } from '../../platform/retention.ts'
import { beginning, cleanRequest, type Place, type RunRequest } from './rules/run.ts'
import { countAffected, queryAll, queryColumn, queryOne } from '../../platform/db/query.ts'

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

type RunRow = {
  team_id: string
  id: string
  /** The agent that asked for it; null when a caller did. */
  agent_id: string | null
  state: 'running' | 'done' | 'failed'
  phase: 'search' | 'check' | 'add' | 'over'
  keywords: readonly string[]
  countries: readonly string[]
  min_engagement: number
  max_influencers: number
  /** The progress of each keyword's search, in the order of `keywords`. */
  places: readonly Place[]
  found: number
  qualified: number
  country_checked: number
  country_matched: number
  error_code: string | null
  error_text: string | null
  attempts: number
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  fence: number
  unexpected_failures: number
}

export type DiscoverRun = CamelKeys<RunRow>

/** Starts a run. The caller must have agreed to one credit for each of `maxInfluencers` people. */
export async function startDiscover(
  tx: Tx,
  teamId: string,
  asked: RunRequest & { readonly agentId?: string },
): Promise<DiscoverRun> {
  const { keywords, countries, minEngagement, maxInfluencers } = cleanRequest(asked)
  const row = await queryOne<RunRow>(tx.db)`
    insert into discover_run (team_id, id, agent_id, state, phase, keywords, countries, min_engagement, max_influencers,
      places, due_at, created_at)
    values (${teamId}, ${tx.newId()}, ${asked.agentId ?? null}, 'running', 'search', ${JSON.stringify(keywords)}::jsonb,
      ${JSON.stringify(countries)}::jsonb, ${minEngagement}, ${maxInfluencers},
      ${JSON.stringify(keywords.map(() => beginning))}::jsonb, ${tx.now}, ${tx.now})
    returning *`
  tx.enqueue('discover', teamId)
  return camelKeys(row!)
}

/** Finds a run of a team, unless deleted. */
export async function findDiscoverRun(db: Reader, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await queryOne<RunRow>(db)`
    select * from discover_run where team_id = ${teamId} and id = ${id} and deleted_at is null`
  return row && camelKeys(row)
}

/** A team's runs, newest first. */
export async function listDiscoverRuns(db: Reader, teamId: string): Promise<DiscoverRun[]> {
  const rows = await queryAll<RunRow>(db)`
    select * from discover_run where team_id = ${teamId} and deleted_at is null order by created_at desc, id desc`
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
  await sql`
    update discover_run set phase = ${next.phase}, places = ${JSON.stringify(next.places)}::jsonb, found = ${next.found},
      qualified = ${next.qualified}, country_checked = ${next.countryChecked}, country_matched = ${next.countryMatched},
      attempts = 0, unexpected_failures = 0, lease_owner = null, lease_until_ms = null
    where team_id = ${run.teamId} and id = ${run.id}`.execute(tx.db)
  tx.enqueue('discover', run.teamId)
  return next
}

export type Ending = {
  readonly state: 'done' | 'failed'
  readonly errorCode: string | null
  readonly errorText: string | null
}

/** Ends a locked run. */
export async function closeDiscoverRun(tx: Tx, run: Pick<DiscoverRun, 'teamId' | 'id'>, ending: Ending): Promise<void> {
  await sql`
    update discover_run set state = ${ending.state}, phase = 'over', error_code = ${ending.errorCode},
      error_text = ${ending.errorText}, finished_at = ${tx.now}, lease_owner = null, lease_until_ms = null
    where team_id = ${run.teamId} and id = ${run.id}`.execute(tx.db)
  // The agent that asked for it continues with the people found.
  tx.enqueue('agent', run.teamId)
}

/** Marks a run as deleted; undefined when there is none. */
export async function markDeleted(tx: Tx, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await queryOne<RunRow>(tx.db)`
    update discover_run set deleted_at = ${tx.now} where team_id = ${teamId} and id = ${id} and deleted_at is null
    returning *`
  return row && camelKeys(row)
}

/** Days for which a deleted run is kept, in case somebody asks about it. */
const deletedDays = 30
const maxRunsPurged = 10

/** Deletes runs that ended before `before` or were deleted 30 days ago, with their people; not agents' runs, and no leads. */
export const purgeDiscoverRuns: PurgeTeam = async (tx, { teamId, before }) => {
  const ids = await queryColumn<string>(tx.db)`
    select id from discover_run where team_id = ${teamId} and finished_at is not null and agent_id is null
      and (finished_at < ${before} or deleted_at < ${keptSince(tx.now, deletedDays)})
    order by id limit ${maxRunsPurged} for update skip locked`
  if (ids.length === 0) return { removed: 0, more: false }
  const ofRuns = sql`team_id = ${teamId} and run_id = any(${ids}::uuid[])`
  const posts = await countAffected(tx.db)`delete from discover_post where ${ofRuns}`
  const people = await countAffected(tx.db)`delete from discover_person where ${ofRuns}`
  await sql`delete from discover_run where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  return { removed: ids.length + posts + people, more: ids.length === maxRunsPurged }
}
