/**
 * ICP criteria and the verdicts they leave on leads; the only writer of `icp` and `icp_rescore`.
 *
 * A save judges the stored leads again (G56), in the order they were stored, one batch per unit of work:
 *
 *   saved --the request judges the first batch: all, if there are at most 5,000--> done, then the request answers
 *     |-- more leads, or the request dies --> a lane continues from the cursor, one batch per turn --> done
 *     `-- saved again meanwhile           --> starts over with the newest criteria
 *
 * Leads enriched meanwhile are judged by the unit of work that enriches them. Lists show the stored verdict.
 *
 * Lock order: source, icp_rescore, icp, lead; a unit that judges leads it has already locked shares `icp` last.
 */
import type { FilterRow, MatchMode } from '@les/contract'
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import {
  type WorkDeps,
  claimOne,
  defineRows,
  defineWork,
  noteTaskContext,
  leaseOf,
  rescheduleForEver,
} from '../../platform/work/index.ts'
import { judgeLeads, judgeNext, ofWhich, type LeadCursor, type LeadsOf, type WhichLeads } from '../leads/index.ts'
import { compileForLeads } from './filter-sql.ts'

/** The criteria of an owner; without rules no lead is judged. */
export type Criteria = { readonly rules: FilterRow[]; readonly matchMode: MatchMode }

export const findCriteria = async (db: Reader, { teamId, ownerId }: LeadsOf): Promise<Criteria> =>
  (await queryOne<Criteria>(db)`select rules, match_mode as "matchMode" from icp
      where team_id = ${teamId} and owner_id = ${ownerId}`) ?? { rules: [], matchMode: 'all' }

/** Saves the criteria of owners and restarts their re-scoring. Requires the owners' sources locked, in the order of their ids. */
export async function saveCriteria(
  tx: Tx,
  { teamId, ownerIds, criteria }: { teamId: string; ownerIds: readonly string[]; criteria: Criteria },
): Promise<void> {
  const ids = sql`${[...ownerIds].sort()}::uuid[]`
  await sql`
    insert into icp_rescore as r (team_id, owner_id, version, started_at)
    select ${teamId}::uuid, o.id, 1, ${tx.now} from unnest(${ids}) as o (id)
    on conflict (team_id, owner_id)
    do update set version = r.version + 1, cursor_at = null, cursor_id = null, judged = 0, done = false,
      lease_until_ms = null, started_at = excluded.started_at, due_at = null, unexpected_failures = 0`.execute(tx.db)
  await sql`
    insert into icp (team_id, owner_id, rules, match_mode, version, saved_at)
    select r.team_id, r.owner_id, ${JSON.stringify(criteria.rules)}::jsonb, ${criteria.matchMode}, r.version, ${tx.now}
    from icp_rescore r where r.team_id = ${teamId} and r.owner_id = any(${ids}) order by r.owner_id
    on conflict (team_id, owner_id)
    do update set rules = excluded.rules, match_mode = excluded.match_mode, version = excluded.version,
      saved_at = excluded.saved_at`.execute(tx.db)
  tx.mark('rescore', teamId)
}

/**
 * Judges leads whose enrichment has just ended or whose facts changed, by their owners' criteria (ICP-05, G43). Call it in the
 * unit of work that writes the facts, with the leads' sources locked. It holds the criteria `for share` until the unit ends, so
 * that a concurrent save waits and then judges what this unit wrote.
 */
export async function scoreLeads(tx: Tx, teamId: string, which: WhichLeads): Promise<void> {
  if ('ids' in which && which.ids.length === 0) return
  const { rows } = await sql<Criteria & { ownerId: string }>`
    select i.owner_id as "ownerId", i.rules, i.match_mode as "matchMode" from icp i
    where i.team_id = ${teamId} and jsonb_array_length(i.rules) > 0
      and i.owner_id in (select l.owner_id from lead l where l.team_id = ${teamId} and ${ofWhich(which, 'l')})
    order by i.owner_id for share of i`.execute(tx.db)
  for (const { ownerId, rules, matchMode } of rows)
    await judgeLeads(tx, { teamId, ownerId }, { which, condition: compileForLeads(rules, matchMode) })
}

type Rescoring = { readonly judged: number; readonly leads: number }

/** Reads the progress of the owners whose re-scoring is not done. */
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

/** Dependencies of re-scoring. Tests override `batch` (leads per unit of work) and `inRequest` (leads per request). */
export type RescoreDeps = Omit<WorkDeps, 'db'> & {
  readonly batch?: number
  readonly inRequest?: number
  readonly onChanged?: OnChanged
}

/** Called, in the unit of work that writes them, with the leads whose verdict or rank changed; modules above fit plug in. */
export type OnChanged = (tx: Tx, teamId: string, leadIds: readonly string[]) => Promise<void>

/** An owner with at most this many leads is judged wholly in the request; of a larger one, only the first batch. */
const maxInRequest = 5_000

/** One more than `maxInRequest`: a batch that is not full ends the pass, so an owner with exactly that many needs one batch. */
const defaultBatch = maxInRequest + 1

type Batch = { readonly done: boolean; readonly judged: number; readonly seen: number }

/** Judges the next leads of an owner. Locks its `icp_rescore` row, so that only one batch per owner runs at a time. */
async function judgeBatch(deps: RescoreDeps, tx: Tx, owner: LeadsOf): Promise<Batch> {
  const { teamId, ownerId } = owner
  const row = await queryOne<{ at: Date | null; id: string | null; judged: number; done: boolean }>(tx.db)`
    select cursor_at as at, cursor_id as id, judged, done from icp_rescore
    where team_id = ${teamId} and owner_id = ${ownerId} for update`
  if (!row || row.done) return { done: true, judged: row?.judged ?? 0, seen: 0 }
  const limit = deps.batch ?? defaultBatch
  const after: LeadCursor = row.at === null || row.id === null ? null : { at: row.at, id: row.id }
  const { rules, matchMode } = await findCriteria(tx.db, owner)
  const batch = await judgeNext(tx, owner, { condition: compileForLeads(rules, matchMode), after, limit })
  await deps.onChanged?.(tx, teamId, batch.changed)
  const judged = row.judged + batch.judged
  const done = batch.seen < limit
  await sql`
    update icp_rescore set cursor_at = ${batch.cursor?.at ?? null}, cursor_id = ${batch.cursor?.id ?? null},
      judged = ${judged}, done = ${done}, unexpected_failures = 0, lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
  if (!done) tx.mark('rescore', teamId)
  await deps.faultPoint('rescore.batch')
  return { done, judged, seen: batch.seen }
}

/** Judges the leads of an owner whose criteria were just saved: all if they are few, else the first ones. */
export async function rescoreInRequest(
  deps: RescoreDeps,
  owner: LeadsOf,
): Promise<{ readonly judged: number; readonly done: boolean }> {
  for (let seen = 0; ; ) {
    const batch = await deps.unitOfWork((tx) => judgeBatch(deps, tx, owner))
    seen += batch.seen
    if (batch.done || seen >= (deps.inRequest ?? maxInRequest)) return batch
  }
}

const rescoreRows = defineRows({
  kind: 'rescore',
  rowKind: 'rescore',
  table: 'icp_rescore',
  key: 'owner_id',
  keyType: 'uuid',
  open: sql<boolean>`not w.done`,
  dueAt: sql<Date>`coalesce(w.due_at, w.started_at)`,
  always: true,
  fence: 'counted',
})

type RescoreRow = { team_id: string; owner_id: string; fence: number; unexpected_failures: number }

/** One batch of a re-scoring in the background; `idle` when there is none. */
export const rescoreStep = (deps: RescoreDeps) => (): Promise<'worked' | 'idle'> =>
  deps.unitOfWork(async (tx) => {
    const row = await claimOne<RescoreRow>(tx, rescoreRows, leaseOf(deps.processId, deps.system.nowMs()))
    if (!row) return 'idle'
    const owner = { teamId: row.team_id, ownerId: row.owner_id }
    addLogContext({ ...owner })
    noteTaskContext(tx, rescoreRows, row)
    await judgeBatch(deps, tx, owner)
    return 'worked'
  })

/** Re-scoring, as work. It is retried for ever: giving up would leave leads judged by old criteria. */
export const rescoreWork = defineWork({
  kind: 'rescore',
  rows: [rescoreRows],
  step: rescoreStep,
  unexpected: { rescore: (tx, work, dueAt) => rescheduleForEver(tx, rescoreRows, work, dueAt) },
})
