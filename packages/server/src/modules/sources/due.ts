/** SQL of what sources do by themselves: which are due, which have ended, which leave waiting leads to be written off (`write_off`). */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { servedTeam, takesPart } from '../../platform/work/index.ts'

/** Notes that an untracked source has waiting leads left to be written off. */
export async function insertWriteOff(tx: Tx, source: { teamId: string; id: string }): Promise<void> {
  await sql`insert into write_off (team_id, source_id) values (${source.teamId}, ${source.id})
    on conflict do nothing`.execute(tx.db)
}

/** Notes that nothing is left to be written off, or that the source is tracked again. */
export async function deleteWriteOff(tx: Tx, source: { teamId: string; id: string }): Promise<void> {
  await sql`delete from write_off where team_id = ${source.teamId} and source_id = ${source.id}`.execute(tx.db)
}

/** True when some source has leads left to be written off. */
export const writeOffsLeft = (): Condition =>
  sql<boolean>`exists (select 1 from write_off where team_id <> ${sampleTeamId}::uuid)`

/** Sources with leads left to be written off, of other teams than these. */
export async function listWriteOffs(db: Reader, limit: number, without: readonly string[]): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select team_id as "teamId", source_id as id from write_off
    where team_id <> all(${[...without]}::uuid[]) limit ${limit}`.execute(db)
  return rows
}

/** A source of a team, by name. */
export type SourceOfTeam = { readonly teamId: string; readonly id: string }

/** Sources that are due: tracked, not stopped, without an open run, of served teams that may capture and have credits (CRD-33). */
const dueSources = (now: Date) => sql`
    from source s
    join team t on t.id = s.team_id and t.capture_allowed and ${servedTeam(now)}
    join credit_account a on a.team_id = s.team_id and a.account = s.pays_from
      and (a.granted - a.spent - a.held > 0 or a.period_end <= ${now})
    where s.status = 'active' and s.open_sync_id is null and s.next_sync_at <= ${now} and s.stopped_at is null
      and (s.end_at is null or s.end_at > ${now})`

/** The task that opens the runs of due sources. */
export const opening = 'open due syncs'

/** True when a source waits for its run to be opened, also while somebody is about to. */
export const sourcesDue = (now: Date): Condition =>
  sql<boolean>`exists (select 1 ${dueSources(now)} and ${takesPart(opening, sql`s.team_id`, now)})`

/** Sources that are due, the longest due first, of other teams than these; not locked. */
export async function listDueSources(
  db: Reader,
  { now, limit, without }: { readonly now: Date; readonly limit: number; readonly without: readonly string[] },
): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id ${dueSources(now)} and s.team_id <> all(${[...without]}::uuid[])
    order by s.next_sync_at limit ${limit}`.execute(db)
  return rows
}

/** SQL: searches whose end has passed and that nobody has stopped yet. */
const endedSearches = (now: Date) =>
  sql`source s where s.status = 'active' and s.stopped_at is null and s.end_at <= ${now}`

/** True when there are some. */
export const searchesEnded = (now: Date): Condition =>
  sql<boolean>`exists (select 1 from ${endedSearches(now)} and s.team_id <> ${sampleTeamId}::uuid)`

/** Searches whose end has passed and that nobody has stopped yet, of other teams than these (KRN-19); not locked. */
export async function listEndedSearches(
  db: Reader,
  { now, limit, without }: { readonly now: Date; readonly limit: number; readonly without: readonly string[] },
): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id from ${endedSearches(now)} and s.team_id <> all(${[...without]}::uuid[])
    order by s.end_at limit ${limit}`.execute(db)
  return rows
}
