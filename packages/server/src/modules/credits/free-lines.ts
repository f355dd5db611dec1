/**
 * Engagement that was free, and why (table `free_line`): one row per page of a run and reason, written in the page's unit of
 * work. Rows of a run that ended a week ago are merged into one per day and reason, with the same totals.
 */
import { sql } from 'kysely'
import { queryAll, queryColumn, queryExists } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import { keptSince } from '../../platform/retention.ts'
import { sha256 } from '../../platform/secrets.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'

export type FreeReason =
  | 'seen_before'
  | 'same_person_other_engagement'
  | 'blocked'
  | 'company_author'
  | 'already_enriched'
  | 'enrichment_failed'
  | 'post_seen_before'

/** Something free; `id`: of its lead, or a hash (`idOfKey`) by which a run recognises it. */
export type Free = { readonly reason: FreeReason; readonly id: string | null }

/** An id for something without a lead: a hash of its key, so that no name is stored. */
export const idOfKey = (key: string): string => idOfHash(sha256(key))

/** The same from an existing hash, such as a keyed one. */
export function idOfHash(hash: Buffer): string {
  const hex = hash.toString('hex').slice(0, 32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Writes what was free, one row per reason, in one statement. */
export async function insertFreeLines(
  tx: Tx,
  of: { readonly teamId: string; readonly sourceId: string | null; readonly syncId: string | null },
  free: readonly Free[],
): Promise<void> {
  if (free.length === 0) return
  const rows = [...Map.groupBy(free, ({ reason }) => reason)].map(([reason, each]) => ({
    id: tx.newId(),
    reason,
    engagements: each.map(({ id }) => id),
  }))
  await sql`
    insert into free_line (team_id, id, source_id, sync_id, reason, count, engagements, created_at)
    select ${of.teamId}, r.id, ${of.sourceId}::uuid, ${of.syncId}::uuid, r.reason, cardinality(r.engagements), r.engagements,
      ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, reason text, engagements uuid[])`.execute(
    tx.db,
  )
}

/** Those of `ids` that a run has already counted as free; pages that shift show a row twice. */
export async function listCountedFree(
  db: Reader,
  { teamId, syncId, ids }: { teamId: string; syncId: string; ids: readonly string[] },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await queryColumn<string>(db)`
    select distinct counted.id from free_line f cross join unnest(f.engagements) as counted (id)
    where f.team_id = ${teamId} and f.sync_id = ${syncId} and counted.id = any(${[...ids]}::uuid[])`
  return new Set(found)
}

/** Those of `ids` counted as free outside runs since `since`; a search shows a person on many pages. */
export async function listCountedOutsideRuns(
  db: Reader,
  { teamId, since, ids }: { teamId: string; since: Date; ids: readonly string[] },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await queryColumn<string>(db)`
    select distinct counted.id from free_line f cross join unnest(f.engagements) as counted (id)
    where f.team_id = ${teamId} and f.sync_id is null and f.engagements is not null and f.created_at >= ${since}
      and counted.id = any(${[...ids]}::uuid[])`
  return new Set(found)
}

const mergedAfterDays = 7

const before = (now: Date): Date => keptSince(now, mergedAfterDays)

const toMerge = (now: Date) => sql`free_line f left join sync y on y.team_id = f.team_id and y.id = f.sync_id
  where f.engagements is not null and f.created_at <= ${before(now)}
    and (y.id is null or y.finished_at <= ${before(now)})`

/** True when there are free lines to merge. */
export const freeLinesToMerge = (now: Date): Condition => sql<boolean>`exists (select 1 from ${toMerge(now)})`

type RunToMerge = { readonly teamId: string; readonly syncId: string | null }

/** Merges a run's free lines into one per UTC day and reason, so that daily sums do not change. */
async function mergeRun(tx: Tx, { teamId, syncId }: RunToMerge): Promise<void> {
  if (syncId === null) {
    // Outside runs a job writes one row per reason, so nothing needs adding up.
    await sql`update free_line set engagements = null
      where team_id = ${teamId} and sync_id is null and engagements is not null
        and created_at <= ${before(tx.now)}`.execute(tx.db)
    return
  }
  await sql`
    with parts as materialized (
      select id, reason, created_at, count from free_line where team_id = ${teamId} and sync_id = ${syncId}
      order by id for update),
    sums as (
      select (array_agg(id order by created_at desc, id desc))[1] as id, sum(count)::integer as count from parts
      group by reason, (created_at at time zone 'UTC')::date)
    update free_line f set count = sums.count, engagements = null from sums
    where f.team_id = ${teamId} and f.id = sums.id`.execute(tx.db)
  await sql`delete from free_line
    where team_id = ${teamId} and sync_id = ${syncId} and engagements is not null`.execute(tx.db)
}

/** Merges free lines of runs that ended a week ago, one unit of work per run; returns the number of runs. */
export function mergeFreeLines(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'merge free lines of old runs',
    find: (now, without) =>
      queryAll<RunToMerge>(deps.db)`
        select distinct f.team_id as "teamId", f.sync_id as "syncId" from ${toMerge(now)}
          and f.team_id <> all(${[...without]}::uuid[]) limit 500`,
    forTeam: async (_teamId, runs) => {
      for (const run of runs) await deps.unitOfWork((tx) => mergeRun(tx, run))
      return runs.length
    },
  })
}

/** SQL: an id per line that row `f` stands for: the row's id, the last eight digits counting. A merged row is one line. */
export const linesOfFree = sql`generate_series(1, case when f.engagements is null then 1 else f.count end) as nth
  cross join lateral (select case when f.engagements is null then f.id
    else (left(f.id::text, 28) || lpad(to_hex(nth), 8, '0'))::uuid end as id) line`

/** Whether an id is that of a free line. */
export async function isFreeLine(db: Reader, teamId: string, id: string): Promise<boolean> {
  const [first, last] = ['0', 'f'].map((digit) => id.slice(0, 28) + digit.repeat(8))
  return queryExists(db)`
    select 1 from free_line f cross join lateral ${linesOfFree}
    where f.team_id = ${teamId} and f.id between ${first} and ${last} and line.id = ${id}`
}
