/** SQL of criteria and of how far leads are judged by them: `icp` and `icp_rescore` are written here. Lock order: source, icp_rescore, icp, lead; whoever judges leads it has locked shares icp last. */
import type { FilterRow, MatchMode } from '@les/contract'
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { longestWaitMs, takeInHand, type Recorded, type Work } from '../../platform/work-in-hand.ts'
import { ofWhich, type LeadCursor, type LeadsOf, type WhichLeads } from '../leads/index.ts'

/** The criteria of an owner; no rules: nobody is judged. */
export type Criteria = { readonly rules: FilterRow[]; readonly matchMode: MatchMode }

/** The criteria of an owner that never set any. */
export const noCriteria: Criteria = { rules: [], matchMode: 'all' }

/** Reads the criteria of an owner. */
export async function findCriteria(db: Reader, { teamId, ownerId }: LeadsOf): Promise<Criteria> {
  const { rows } =
    await sql<Criteria>`select rules, match_mode as "matchMode" from icp where team_id = ${teamId} and owner_id = ${ownerId}`.execute(
      db,
    )
  return rows[0] ?? noCriteria
}

/** The criteria that leads are judged by, where there are any; shared until the end of the unit, so that a save waits and then judges what this unit has written. */
export async function shareCriteriaOf(
  tx: Tx,
  teamId: string,
  which: WhichLeads,
): Promise<(Criteria & { readonly ownerId: string })[]> {
  const { rows } = await sql<Criteria & { ownerId: string }>`
    select i.owner_id as "ownerId", i.rules, i.match_mode as "matchMode" from icp i
    where i.team_id = ${teamId} and jsonb_array_length(i.rules) > 0 and i.owner_id in (select l.owner_id from lead l where l.team_id = ${teamId} and ${ofWhich(which, 'l')})
    order by i.owner_id for share of i`.execute(tx.db)
  return rows
}

/** Writes the criteria of an owner whose source is locked, and that its leads are to be judged again, by us until the lease ends. */
export async function saveCriteria(
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  criteria: Criteria,
  leaseUntilMs: number,
): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    insert into icp_rescore as r (team_id, owner_id, version, lease_until_ms, started_at) values (${teamId}, ${ownerId}, 1, ${leaseUntilMs}, ${tx.now})
    on conflict (team_id, owner_id) do update set version = r.version + 1, cursor_at = null, cursor_id = null, judged = 0, done = false, lease_until_ms = excluded.lease_until_ms, started_at = excluded.started_at, due_at = null, unexpected_failures = 0
    returning version`.execute(tx.db)
  await sql`
    insert into icp (team_id, owner_id, rules, match_mode, version, saved_at)
    values (${teamId}, ${ownerId}, ${JSON.stringify(criteria.rules)}::jsonb, ${criteria.matchMode}, ${rows[0]!.version}, ${tx.now})
    on conflict (team_id, owner_id) do update set rules = excluded.rules, match_mode = excluded.match_mode, version = excluded.version, saved_at = excluded.saved_at`.execute(
    tx.db,
  )
}

/** How far an owner's leads are judged again. */
export type Rescore = { readonly cursor: LeadCursor; readonly judged: number; readonly done: boolean }

type RescoreRow = { cursor_at: Date | null; cursor_id: string | null; judged: number; done: boolean }

/** Reads and locks it: one batch of an owner at a time. */
export async function lockRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<Rescore | undefined> {
  const { rows } =
    await sql<RescoreRow>`select cursor_at, cursor_id, judged, done from icp_rescore where team_id = ${teamId} and owner_id = ${ownerId} for update`.execute(
      tx.db,
    )
  const row = rows[0]
  return (
    row && {
      cursor: row.cursor_at === null || row.cursor_id === null ? null : { at: row.cursor_at, id: row.cursor_id },
      judged: row.judged,
      done: row.done,
    }
  )
}

/** Writes it; a lease of null lets anybody go on. */
export async function saveRescore(
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  rescore: Rescore,
  leaseUntilMs: number | null,
): Promise<void> {
  const { cursor, judged, done } = rescore
  await tx.db
    .updateTable('icp_rescore')
    .set({
      cursor_at: cursor?.at ?? null,
      cursor_id: cursor?.id ?? null,
      judged,
      done,
      lease_until_ms: done ? null : leaseUntilMs,
      unexpected_failures: 0,
    })
    .where('team_id', '=', teamId)
    .where('owner_id', '=', ownerId)
    .execute()
}

const waits = (now: Date, systemNowMs: number) =>
  sql`not done and coalesce(lease_until_ms, 0) <= ${systemNowMs} and (due_at is null or due_at <= ${now})`

/** A re-scoring that nobody works on, of the team served longest ago, its row locked. */
export async function claimRescore(tx: Tx, systemNowMs: number): Promise<LeadsOf | undefined> {
  const { rows } = await sql<LeadsOf & { failures: number }>`
    select r.team_id as "teamId", owner_id as "ownerId", unexpected_failures as failures from icp_rescore r left join work_turn t on t.team_id = r.team_id and t.kind = 'rescore'
    where ${waits(tx.now, systemNowMs)} order by coalesce(t.served, 0), started_at limit 1 for update of r skip locked`.execute(
    tx.db,
  )
  if (!rows[0]) return undefined
  const { failures, ...owner } = rows[0]
  addLogContext({ ...owner })
  takeInHand(tx, { sort: 'rescore', teamId: owner.teamId, id: owner.ownerId, fence: 0, failures }, 0)
  await takeTurn(tx, owner.teamId, 'rescore')
  return owner
}

/** Records an unexpected failure: the re-scoring goes on at `dueAt`. It never ends, since leads would be left judged by old criteria; after the fifth it is tried every two hours. */
export async function recordUnexpectedOfRescore(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const until = dueAt ?? new Date(tx.now.getTime() + longestWaitMs)
  const result = await sql`
    update icp_rescore set unexpected_failures = unexpected_failures + 1, due_at = ${until}, lease_until_ms = null
    where team_id = ${work.teamId} and owner_id = ${work.id} and not done and unexpected_failures = ${work.failures}`.execute(
    tx.db,
  )
  return Number(result.numAffectedRows ?? 0) > 0 ? 'put_off' : 'lost'
}

/** Ends our lease early: the request that judged has failed. */
export async function releaseRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<void> {
  await sql`update icp_rescore set lease_until_ms = null where team_id = ${teamId} and owner_id = ${ownerId} and not done`.execute(
    tx.db,
  )
}

/** Ends all leases: an embedded service that boots is alone. */
export async function releaseRescoreLeases(tx: Tx): Promise<void> {
  await sql`update icp_rescore set lease_until_ms = null where not done and lease_until_ms is not null`.execute(tx.db)
}

/** True when a re-scoring waits that nobody works on. */
export const rescoresDue = (now: Date, systemNowMs: number): Condition =>
  sql<boolean>`exists (select 1 from icp_rescore where ${waits(now, systemNowMs)})`
