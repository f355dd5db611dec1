/** SQL of runs: `discover_run` is written here and nowhere else. */
import { sql, type Selectable } from 'kysely'
import type { DiscoverRunTable } from '../../platform/db/schema.ts'
import { addLogContext } from '../../platform/log-context.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { takeInHand } from '../../platform/work-in-hand.ts'
import type { RunRequest } from './rules/request.ts'
import { beginning, type Place } from './rules/search.ts'

/** How long a lease lasts, in system time. */
const leaseMs = 60_000

/** A run. */
export type DiscoverRun = RunRequest & {
  readonly teamId: string
  readonly id: string
  /** The agent that asked for it; null when a caller did. */
  readonly agentId: string | null
  readonly state: 'running' | 'done' | 'failed'
  readonly phase: 'search' | 'check' | 'add' | 'over'
  /** Where the search of each keyword stands, in their order. */
  readonly places: readonly Place[]
  readonly found: number
  readonly qualified: number
  readonly countryChecked: number
  readonly countryMatched: number
  readonly errorCode: string | null
  readonly errorText: string | null
  readonly attempts: number
  readonly fence: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const toRun = (row: Selectable<DiscoverRunTable>): DiscoverRun => ({
  teamId: row.team_id,
  id: row.id,
  agentId: row.agent_id,
  state: row.state,
  phase: row.phase,
  keywords: row.keywords,
  countries: row.countries,
  minEngagement: row.min_engagement,
  maxInfluencers: row.max_influencers,
  places: row.places as readonly unknown[] as readonly Place[],
  found: row.found,
  qualified: row.qualified,
  countryChecked: row.country_checked,
  countryMatched: row.country_matched,
  errorCode: row.error_code,
  errorText: row.error_text,
  attempts: row.attempts,
  fence: row.fence,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

/** Makes a run that waits to be picked. */
export async function insertDiscoverRun(
  tx: Tx,
  teamId: string,
  request: RunRequest,
  agentId: string | null,
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
  tx.enqueue('discover')
  return toRun(row)
}

/** A run of a team; a deleted one is not found. */
export async function findDiscoverRun(db: Reader, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await db
    .selectFrom('discover_run')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toRun(row)
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
  return rows.map(toRun)
}

/** Runs of teams that are not served wait, but one that has begun is picked, if only to be ended (G129). */
const runnable = (
  now: Date,
  systemNowMs: number,
) => sql`r.finished_at is null and r.due_at <= ${now} and (r.lease_until_ms is null or r.lease_until_ms < ${systemNowMs})
  and (r.started_at is not null or t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})`

/** Takes the lease of the runnable run whose team was served longest ago, and starts it when it is new. Undefined when there is none. */
export async function claimDiscoverRun(
  tx: Tx,
  lease: { owner: string; systemNowMs: number },
): Promise<DiscoverRun | undefined> {
  const { rows } = await sql<Selectable<DiscoverRunTable> & { previous: string | null }>`
    with picked as (
      select r.team_id, r.id, r.lease_owner from discover_run r join team t on t.id = r.team_id
      left join work_turn w on w.team_id = r.team_id and w.kind = 'discover'
      where ${runnable(tx.now, lease.systemNowMs)}
      order by coalesce(w.served, 0), r.created_at, r.id limit 1 for update of r skip locked
    ), turned as (
      insert into work_turn (team_id, kind, served) select team_id, 'discover', nextval('work_turn_number') from picked
      on conflict (team_id, kind) do update set served = excluded.served
    )
    update discover_run set lease_owner = ${lease.owner}, lease_until_ms = ${lease.systemNowMs + leaseMs}, fence = fence + 1, started_at = coalesce(started_at, ${tx.now})
    from picked where discover_run.team_id = picked.team_id and discover_run.id = picked.id returning discover_run.*, picked.lease_owner as previous`.execute(
    tx.db,
  )
  if (!rows[0]) return undefined
  addLogContext({ teamId: rows[0].team_id, runId: rows[0].id })
  takeInHand(
    tx,
    {
      sort: 'discover',
      teamId: rows[0].team_id,
      id: rows[0].id,
      fence: rows[0].fence,
      failures: rows[0].unexpected_failures,
    },
    rows[0].fence - 1,
  )
  if (rows[0].previous !== null) tx.count('leases_taken_over', 'discover')
  return toRun(rows[0])
}

/** True when a run waits to be picked. */
export const discoverRunsDue = (now: Date, systemNowMs: number): Condition =>
  sql<boolean>`exists (select 1 from discover_run r join team t on t.id = r.team_id where ${runnable(now, systemNowMs)})`

/** Frees every lease: an embedded service that boots is alone. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await sql`update discover_run set lease_owner = null, lease_until_ms = null where finished_at is null and lease_until_ms is not null`.execute(
    tx.db,
  )
}

/** Locks a run and gives it back as it stands while the claim is still ours; undefined when somebody took it over, ended or deleted it. */
export async function lockDiscoverRun(
  tx: Tx,
  run: Pick<DiscoverRun, 'teamId' | 'id' | 'fence'>,
): Promise<DiscoverRun | undefined> {
  const row = await tx.db
    .selectFrom('discover_run')
    .selectAll()
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .where('fence', '=', run.fence)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) tx.count('leases_lost', 'discover')
  return row && toRun(row)
}

/** What a step adds to a run. */
export type Progress = Partial<
  Pick<DiscoverRun, 'phase' | 'places' | 'found' | 'qualified' | 'countryChecked' | 'countryMatched'>
>

/** Writes a checkpoint of a locked run and gives the lease back, so that other teams take their turn. */
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
      lease_owner: null,
      lease_until_ms: null,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  tx.enqueue('discover')
  return next
}

/** Puts a locked run off after a failure. */
export async function saveDiscoverPostponed(tx: Tx, run: DiscoverRun, dueAt: Date): Promise<void> {
  await tx.db
    .updateTable('discover_run')
    .set({ attempts: run.attempts + 1, due_at: dueAt, lease_owner: null, lease_until_ms: null })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
}

/** Puts a locked run off after an unexpected failure. */
export async function saveDiscoverUnexpected(
  tx: Tx,
  run: Pick<DiscoverRun, 'teamId' | 'id'>,
  failures: number,
  dueAt: Date,
): Promise<void> {
  await tx.db
    .updateTable('discover_run')
    .set({ unexpected_failures: failures, due_at: dueAt, lease_owner: null, lease_until_ms: null })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
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
      lease_owner: null,
      lease_until_ms: null,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
}

/** Hides a run; false when there is none. One that is under way is ended, and its worker finds it gone at the next checkpoint. */
export async function markDeleted(tx: Tx, teamId: string, id: string): Promise<DiscoverRun | undefined> {
  const row = await tx.db
    .updateTable('discover_run')
    .set({ deleted_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && toRun(row)
}
