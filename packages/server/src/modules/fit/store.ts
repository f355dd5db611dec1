/** SQL of criteria and of how far leads are judged by them: `icp` and `icp_rescore` are written here. Lock order: source, icp_rescore, icp, lead; whoever judges leads it has locked shares icp last. */
import type { FilterRow, MatchMode } from '@les/contract'
import { sql } from 'kysely'
import { note } from '../../platform/context.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { ofWhich, type LeadCursor, type LeadsOf, type WhichLeads } from '../leads/index.ts'

/** The criteria of an owner; no rules: nobody is judged. */
export type Criteria = { readonly rules: FilterRow[]; readonly matchMode: MatchMode }

/** The criteria of an owner that never set any. */
export const noCriteria: Criteria = { rules: [], matchMode: 'all' }

/** Reads the criteria of an owner. */
export async function findCriteria(db: Reader, { teamId, ownerId }: LeadsOf): Promise<Criteria> {
  const { rows } = await sql<Criteria>`select rules, match_mode as "matchMode" from icp where team_id = ${teamId} and owner_id = ${ownerId}`.execute(db)
  return rows[0] ?? noCriteria
}

/** The criteria that leads are judged by, where there are any; shared until the end of the unit, so that a save waits and then judges what this unit has written. */
export async function shareCriteriaOf(tx: Tx, teamId: string, which: WhichLeads): Promise<(Criteria & { readonly ownerId: string })[]> {
  const { rows } = await sql<Criteria & { ownerId: string }>`
    select i.owner_id as "ownerId", i.rules, i.match_mode as "matchMode" from icp i
    where i.team_id = ${teamId} and jsonb_array_length(i.rules) > 0 and i.owner_id in (select l.owner_id from lead l where l.team_id = ${teamId} and ${ofWhich(which, 'l')})
    order by i.owner_id for share of i`.execute(tx.db)
  return rows
}

/** Writes the criteria of an owner whose source is locked, and that its leads are to be judged again, by us until the lease ends. */
export async function saveCriteria(tx: Tx, { teamId, ownerId }: LeadsOf, criteria: Criteria, leaseUntilMs: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    insert into icp_rescore as r (team_id, owner_id, version, lease_until_ms, started_at) values (${teamId}, ${ownerId}, 1, ${leaseUntilMs}, ${tx.now})
    on conflict (team_id, owner_id) do update set version = r.version + 1, cursor_at = null, cursor_id = null, judged = 0, done = false, lease_until_ms = excluded.lease_until_ms, started_at = excluded.started_at
    returning version`.execute(tx.db)
  await sql`
    insert into icp (team_id, owner_id, rules, match_mode, version, saved_at)
    values (${teamId}, ${ownerId}, ${JSON.stringify(criteria.rules)}::jsonb, ${criteria.matchMode}, ${rows[0]!.version}, ${tx.now})
    on conflict (team_id, owner_id) do update set rules = excluded.rules, match_mode = excluded.match_mode, version = excluded.version, saved_at = excluded.saved_at`.execute(tx.db)
}

/** How far an owner's leads are judged again. */
export type Rescore = { readonly cursor: LeadCursor; readonly judged: number; readonly done: boolean }

type RescoreRow = { cursor_at: Date | null; cursor_id: string | null; judged: number; done: boolean }

/** Reads and locks it: one batch of an owner at a time. */
export async function lockRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<Rescore | undefined> {
  const { rows } = await sql<RescoreRow>`select cursor_at, cursor_id, judged, done from icp_rescore where team_id = ${teamId} and owner_id = ${ownerId} for update`.execute(tx.db)
  const row = rows[0]
  return row && { cursor: row.cursor_at === null || row.cursor_id === null ? null : { at: row.cursor_at, id: row.cursor_id }, judged: row.judged, done: row.done }
}

/** Writes it; a lease of null lets anybody go on. */
export async function saveRescore(tx: Tx, { teamId, ownerId }: LeadsOf, rescore: Rescore, leaseUntilMs: number | null): Promise<void> {
  const { cursor, judged, done } = rescore
  await tx.db.updateTable('icp_rescore').set({ cursor_at: cursor?.at ?? null, cursor_id: cursor?.id ?? null, judged, done, lease_until_ms: done ? null : leaseUntilMs }).where('team_id', '=', teamId).where('owner_id', '=', ownerId).execute()
}

/** The oldest re-scoring that nobody works on, its row locked. */
export async function claimRescore(tx: Tx, systemNowMs: number): Promise<LeadsOf | undefined> {
  const { rows } = await sql<LeadsOf>`
    select team_id as "teamId", owner_id as "ownerId" from icp_rescore where not done and coalesce(lease_until_ms, 0) <= ${systemNowMs} order by started_at limit 1 for update skip locked`.execute(tx.db)
  if (rows[0]) note({ ...rows[0] })
  return rows[0]
}

/** Ends our lease early: the request that judged has failed. */
export async function releaseRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<void> {
  await sql`update icp_rescore set lease_until_ms = null where team_id = ${teamId} and owner_id = ${ownerId} and not done`.execute(tx.db)
}

/** Ends all leases: an embedded service that boots is alone. */
export async function releaseRescoreLeases(tx: Tx): Promise<void> {
  await sql`update icp_rescore set lease_until_ms = null where not done and lease_until_ms is not null`.execute(tx.db)
}

/** True when a re-scoring waits that nobody works on. */
export const rescoresDue = (systemNowMs: number): Condition => sql<boolean>`exists (select 1 from icp_rescore where not done and coalesce(lease_until_ms, 0) <= ${systemNowMs})`
