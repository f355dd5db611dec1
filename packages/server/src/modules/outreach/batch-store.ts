/**
 * SQL of what becomes of a batch, a call that adds people to a campaign: its lease, its looks, and the state of its rows of
 * `outreach_send`, which ledger-store.ts begins.
 */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import {
  defineRows,
  releaseRow,
  noteTaskContext,
  leaseRows,
  oldest,
  reschedule,
  renewLeases,
  type Lease,
} from '../../platform/work/index.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'

/** A call that adds people to a campaign, under our lease. */
export type Batch = {
  readonly teamId: string
  readonly id: string
  readonly campaignId: string
  readonly fence: number
}

/** A batch that is looked up; `checks` counts the looks, this one too. */
export type OpenBatch = Batch & { readonly checks: number }

/** Locks a batch that is still ours to decide; false when another has looked into it by now. */
export async function lockBatch(tx: Tx, batch: Omit<Batch, 'campaignId'>): Promise<boolean> {
  const { rows } = await sql`select 1 from outreach_batch
      where team_id = ${batch.teamId} and id = ${batch.id} and fence = ${batch.fence} and state <> 'settled'
      for update`.execute(tx.db)
  return rows.length > 0
}

/** Writes what became of everybody in a batch, and that it is decided. */
export async function settleBatch(tx: Tx, batch: Batch, state: 'sent' | 'failed'): Promise<void> {
  await sql`update outreach_send set state = ${state}
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await closeBatch(tx, batch)
}

/** Writes that a batch is decided, whatever its rows say. */
export async function closeBatch(tx: Tx, batch: Pick<Batch, 'teamId' | 'id'>): Promise<void> {
  await sql`update outreach_batch
    set state = 'settled', finished_at = ${tx.now}, lease_owner = null, lease_until_ms = null
    where team_id = ${batch.teamId} and id = ${batch.id}`.execute(tx.db)
}

/** Forgets a batch that certainly did nothing: its people can be sent again at once. */
export async function undoBatch(tx: Tx, batch: Batch): Promise<void> {
  await sql`delete from outreach_send where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await sql`delete from outreach_batch where team_id = ${batch.teamId} and id = ${batch.id}`.execute(tx.db)
}

/** Notes that nobody knows whether a batch was added; it is looked up at `dueAt`. */
export async function leaveOpen(tx: Tx, batch: Batch, dueAt: Date): Promise<void> {
  await sql`update outreach_send set state = 'uncertain'
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await releaseRow(tx, batchRows.open, batch, sql`, state = 'uncertain', due_at = ${dueAt}`)
}

/** Leaves a batch open whose look was not made, since the account is held: the look does not count. */
export async function leaveUnasked(tx: Tx, batch: Batch, dueAt: Date): Promise<void> {
  await leaveOpen(tx, batch, dueAt)
  await sql`update outreach_batch set checks = checks - 1
    where team_id = ${batch.teamId} and id = ${batch.id} and checks > 0`.execute(tx.db)
}

const batchesIn = (state: 'sending' | 'uncertain') =>
  defineRows({
    kind: 'outreach',
    sort: 'batch',
    table: 'outreach_batch',
    key: 'id',
    keyType: 'uuid',
    open: sql<boolean>`w.state = ${sql.lit(state)}`,
    always: true,
    fence: 'counted',
  })

/** Batches, as they are worked on: those whose sender is gone, so that nobody will say what became of them, and those to be looked up. */
export const batchRows = { abandoned: batchesIn('sending'), open: batchesIn('uncertain') } as const

type BatchRow = {
  team_id: string
  id: string
  campaign_id: string
  fence: number
  checks: number
  unexpected_failures: number
}

/** Leases the batch due longest, of one of the teams named. */
export async function leaseBatch(
  tx: Tx,
  { state, teams, lease }: { state: keyof typeof batchRows; teams: readonly string[]; lease: Lease },
): Promise<OpenBatch | undefined> {
  const rows = batchRows[state]
  const set = state === 'open' ? sql`, checks = w.checks + 1` : sql``
  const [row] = await leaseRows<BatchRow>(
    tx,
    rows,
    lease,
    oldest(tx, rows, { teams, nowMs: lease.nowMs, most: 1 }),
    set,
  )
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, batchId: row.id })
  noteTaskContext(tx, rows, row)
  return { teamId: row.team_id, id: row.id, campaignId: row.campaign_id, fence: row.fence, checks: row.checks }
}

/** Lengthens the lease of a batch that is still ours, while its campaign is looked through. */
export const renewBatch = (tx: Tx, batch: Batch, untilMs: number): Promise<void> =>
  renewLeases(tx, batchRows.open, [batch], untilMs)

/** The addresses of everybody in a batch. */
export async function listAddresses(db: Reader, batch: Batch): Promise<string[]> {
  const { rows } = await sql<{
    url: string
  }>`select profile_url as url from outreach_send where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(
    db,
  )
  return rows.map((row) => row.url)
}

/**
 * Writes who of an open batch was found in the campaign, and who is missing: those have failed, and may be sent again. Whoever
 * is neither stays open for good.
 */
export async function settleFound(
  tx: Tx,
  batch: Batch,
  { found, missing }: { found: readonly string[]; missing: readonly string[] },
): Promise<void> {
  await sql`
    update outreach_send set state = case when profile_url = any(${found}::text[]) then 'sent'
        when profile_url = any(${missing}::text[]) then 'failed' else 'uncertain' end
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await closeBatch(tx, batch)
}

/**
 * Records an unexpected failure under the fence: the batch is looked at again at `dueAt`, or never: then nobody knows
 * for good who of it was added, and nobody of it is sent again.
 */
export async function recordUnexpectedOfBatch(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const batch = { teamId: work.teamId, id: work.id, fence: work.fence }
  if (!(await lockBatch(tx, batch))) return 'lost'
  if (dueAt === null) {
    await sql`update outreach_send set state = 'uncertain'
      where team_id = ${work.teamId} and batch_id = ${work.id} and state = 'sending'`.execute(tx.db)
    await closeBatch(tx, batch)
    return 'ended'
  }
  await reschedule(tx, batchRows.open, work, dueAt)
  return 'put_off'
}
