/**
 * SQL of criteria and of how far leads are judged by them: `icp` and `icp_rescore` are written here. Lock order:
 * source, icp_rescore, icp, lead; whoever judges leads it has locked shares icp last.
 */
import type { FilterRow, MatchMode } from '@les/contract'
import { sql } from 'kysely'
import { addLogContext } from '../../../platform/log-context.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { claimOne, defineRows, holdInHand, putOffForEver, type Lease } from '../../../platform/work/index.ts'
import type { Recorded, Work } from '../../../platform/work-in-hand.ts'
import { ofWhich, type LeadCursor, type LeadsOf, type VerdictSource, type WhichLeads } from '../../leads/index.ts'
import { compileForLeads } from '../filter-sql.ts'

/** The criteria of an owner; no rules: nobody is judged. */
export type Criteria = { readonly rules: FilterRow[]; readonly matchMode: MatchMode }

/** The criteria of an owner that never set any. */
export const noCriteria: Criteria = { rules: [], matchMode: 'all' }

/** Reads the criteria of an owner. */
export async function findCriteria(db: Reader, { teamId, ownerId }: LeadsOf): Promise<Criteria> {
  const { rows } = await sql<Criteria>`select rules, match_mode as "matchMode" from icp
      where team_id = ${teamId} and owner_id = ${ownerId}`.execute(db)
  return rows[0] ?? noCriteria
}

/**
 * The criteria that leads are judged by, where there are any; shared until the end of the unit, so that a save waits
 * and then judges what this unit has written.
 */
export async function shareCriteriaOf(
  tx: Tx,
  teamId: string,
  which: WhichLeads,
): Promise<(Criteria & { readonly ownerId: string })[]> {
  const { rows } = await sql<Criteria & { ownerId: string }>`
    select i.owner_id as "ownerId", i.rules, i.match_mode as "matchMode" from icp i
    where i.team_id = ${teamId} and jsonb_array_length(i.rules) > 0
      and i.owner_id in (select l.owner_id from lead l where l.team_id = ${teamId} and ${ofWhich(which, 'l')})
    order by i.owner_id for share of i`.execute(tx.db)
  return rows
}

/**
 * Writes the criteria of an owner whose source is locked, and that its leads are to be judged again: by us until the
 * lease ends, or by whoever comes when it is null.
 */
export const saveCriteria = (
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  { criteria, leaseUntilMs }: { readonly criteria: Criteria; readonly leaseUntilMs: number | null },
): Promise<void> => saveCriteriaOf(tx, { teamId, ownerIds: [ownerId], criteria, leaseUntilMs })

/** The same for several owners at once, in the order of their ids. */
export async function saveCriteriaOf(
  tx: Tx,
  {
    teamId,
    ownerIds,
    criteria,
    leaseUntilMs = null,
  }: {
    readonly teamId: string
    readonly ownerIds: readonly string[]
    readonly criteria: Criteria
    readonly leaseUntilMs?: number | null | undefined
  },
): Promise<void> {
  const ids = sql`${[...ownerIds].sort()}::uuid[]`
  await sql`
    insert into icp_rescore as r (team_id, owner_id, version, lease_until_ms, started_at)
    select ${teamId}::uuid, o.id, 1, ${leaseUntilMs}::bigint, ${tx.now} from unnest(${ids}) as o (id)
    on conflict (team_id, owner_id)
    do update set version = r.version + 1, cursor_at = null, cursor_id = null, judged = 0, done = false,
      lease_until_ms = excluded.lease_until_ms, started_at = excluded.started_at, due_at = null,
      unexpected_failures = 0`.execute(tx.db)
  await sql`
    insert into icp (team_id, owner_id, rules, match_mode, version, saved_at)
    select r.team_id, r.owner_id, ${JSON.stringify(criteria.rules)}::jsonb, ${criteria.matchMode}, r.version, ${tx.now}
    from icp_rescore r where r.team_id = ${teamId} and r.owner_id = any(${ids}) order by r.owner_id
    on conflict (team_id, owner_id)
    do update set rules = excluded.rules, match_mode = excluded.match_mode, version = excluded.version,
      saved_at = excluded.saved_at`.execute(tx.db)
  // Should the request die, its work is found when the lease has run out.
  if (leaseUntilMs === null) tx.enqueue('rescore', teamId)
  else tx.mark('rescore', teamId)
}

/** Criteria that have not reached all leads of their owner yet: until they have, those leads are judged as they are read. */
export const leadVerdicts: VerdictSource = {
  isOpen: (teamId) => sql<boolean>`exists (select 1 from icp_rescore r where r.team_id = ${teamId} and not r.done)`,
  read: async (db, teamId) => {
    const { rows } = await sql<Criteria & { ownerId: string; at: Date | null; id: string | null }>`
      select r.owner_id as "ownerId", r.cursor_at as at, r.cursor_id as id, i.rules, i.match_mode as "matchMode"
      from icp_rescore r join icp i on i.team_id = r.team_id and i.owner_id = r.owner_id
      where r.team_id = ${teamId} and not r.done order by r.owner_id`.execute(db)
    return rows.map(({ ownerId, at, id, rules, matchMode }) => ({
      ownerId,
      condition: compileForLeads(rules, matchMode),
      reached: at === null || id === null ? null : { at, id },
    }))
  },
}

/** How many leads of an owner the newest criteria have judged so far, while they have not reached all of them. */
export type Rescoring = { readonly judged: number; readonly leads: number }

/** Reads it for those of the owners whose re-scoring goes on. */
export async function listRescoring(
  db: Reader,
  teamId: string,
  ownerIds: readonly string[],
): Promise<Map<string, Rescoring>> {
  if (ownerIds.length === 0) return new Map()
  const { rows } = await sql<Rescoring & { ownerId: string }>`
    select r.owner_id as "ownerId", r.judged, coalesce(n.lead_rows, 0) as leads from icp_rescore r
    left join source n on n.team_id = r.team_id and n.id = r.owner_id
    where r.team_id = ${teamId} and not r.done and r.owner_id = any(${[...ownerIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ ownerId, judged, leads }) => [ownerId, { judged, leads }]))
}

/** How far an owner's leads are judged again. */
export type Rescore = { readonly cursor: LeadCursor; readonly judged: number; readonly done: boolean }

type RescoreRow = { cursor_at: Date | null; cursor_id: string | null; judged: number; done: boolean }

/** Reads and locks it: one batch of an owner at a time. */
export async function lockRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<Rescore | undefined> {
  const { rows } = await sql<RescoreRow>`select cursor_at, cursor_id, judged, done from icp_rescore
      where team_id = ${teamId} and owner_id = ${ownerId} for update`.execute(tx.db)
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
  { cursor, judged, done, leaseUntilMs }: Rescore & { readonly leaseUntilMs: number | null },
): Promise<void> {
  await tx.db
    .updateTable('icp_rescore')
    .set({
      cursor_at: cursor?.at ?? null,
      cursor_id: cursor?.id ?? null,
      judged,
      done,
      lease_owner: null,
      lease_until_ms: done ? null : leaseUntilMs,
      unexpected_failures: 0,
    })
    .where('team_id', '=', teamId)
    .where('owner_id', '=', ownerId)
    .execute()
  if (!done) tx.mark('rescore', teamId)
}

/** Re-scorings, as they are worked on. */
export const rescoreRows = defineRows({
  kind: 'rescore',
  sort: 'rescore',
  table: 'icp_rescore',
  key: 'owner_id',
  keyType: 'uuid',
  open: sql<boolean>`not w.done`,
  dueAt: sql<Date>`coalesce(w.due_at, w.started_at)`,
  always: true,
  fence: 'counted',
})

/** A re-scoring that nobody works on, of the team served longest ago, under our lease until the unit of work ends it. */
export async function claimRescore(tx: Tx, lease: Lease): Promise<LeadsOf | undefined> {
  const row = await claimOne<{ team_id: string; owner_id: string; fence: number; unexpected_failures: number }>(
    tx,
    rescoreRows,
    lease,
  )
  if (!row) return undefined
  const owner = { teamId: row.team_id, ownerId: row.owner_id }
  addLogContext({ ...owner })
  holdInHand(tx, rescoreRows, row)
  return owner
}

/** Records an unexpected failure: the re-scoring goes on later. It never ends, since leads would be left judged by old criteria. */
export const recordUnexpectedOfRescore = (tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> =>
  putOffForEver(tx, rescoreRows, work, dueAt)

/** Ends our lease: the request that judged has failed, or leaves the rest to the background. */
export async function releaseRescore(tx: Tx, { teamId, ownerId }: LeadsOf): Promise<void> {
  await sql`update icp_rescore set lease_until_ms = null
    where team_id = ${teamId} and owner_id = ${ownerId} and not done`.execute(tx.db)
  tx.enqueue('rescore', teamId)
}
