/** A row belongs to its worker until the lease expires. Workers write under their claim's fence: after another claim, nothing. */
import { sql } from 'kysely'
import type { Tx } from '../db/tx.ts'
import { randomPartOf } from '../random.ts'
import { longestWaitMs, enterTaskContext, type Recorded, type Work, type RowKind } from '../task-context.ts'
import { dueAtOf, isClaimable, type Lease, type WorkRows } from './rows.ts'
import { joinTeam } from './rows.ts'
import { turnOf } from './turns.ts'

export type LeasedRow = { readonly teamId: string; readonly id: string; readonly fence: number }

/** A leased row with its earlier fence (`_before`), and its earlier owner (`_previous`) when that lease had expired. */
type Claimed<Row> = Row & {
  readonly team_id: string
  readonly fence: number
  readonly _before: number
  readonly _previous: string | null
  readonly _id: string
}

type Candidates = ReturnType<typeof sql>

/** The longest-due claimable rows of some teams, at most `most`. */
export const oldest = (
  tx: Tx,
  rows: WorkRows,
  { teams, nowMs, most }: { teams: readonly string[]; nowMs: number; most: number },
): Candidates => sql`
  select w.team_id, w.${sql.ref(rows.key)} as id, w.fence, w.lease_owner from ${sql.table(rows.table)} w ${joinTeam()}
  where ${teams.length === 1 ? sql`w.team_id = ${teams[0]}` : sql`w.team_id = any(${[...teams]}::uuid[])`}
    and ${isClaimable(rows, tx.now, nowMs)}
  order by ${dueAtOf(rows)}, w.${sql.ref(rows.key)} limit ${most} for update of w skip locked`

/** Leases the candidates and gives their teams their turn; `set` is what else the claim writes. */
export async function leaseRows<Row>(
  tx: Tx,
  rows: WorkRows,
  lease: Lease,
  candidates: Candidates,
  set: ReturnType<typeof sql> = sql``,
): Promise<Claimed<Row>[]> {
  const fence = rows.fence === 'unique' ? sql`${randomPartOf(tx.newId())}::bigint` : sql`w.fence + 1`
  // Materialized: a plain subquery may run again for each row of the join, and would lease more.
  const { rows: leased } = await sql<Claimed<Row>>`
    with chosen as materialized (${candidates}),
    turned as (${turnOf(rows.kind, sql`select team_id from chosen`, tx.now)})
    update ${sql.table(rows.table)} w
    set lease_owner = ${lease.processId}, lease_until_ms = ${lease.untilMs}, fence = ${fence} ${set}
    from chosen c where w.team_id = c.team_id and w.${sql.ref(rows.key)} = c.id
    returning w.*, c.fence as _before, c.lease_owner as _previous, c.id as _id`.execute(tx.db)
  const overtaken = leased.filter((row) => row._previous !== null).length
  if (overtaken > 0) tx.count('leases_taken_over', rows.kind, overtaken)
  return leased
}

/** Notes a leased row as the step's, so that an unexpected failure is recorded on it. */
export function noteTaskContext(
  tx: Tx,
  rows: WorkRows & { readonly rowKind: RowKind },
  row: Claimed<{ team_id: string; fence: number; unexpected_failures: number }>,
): void {
  const work = { rowKind: rows.rowKind, teamId: row.team_id, id: row._id, failures: row.unexpected_failures }
  enterTaskContext(tx, { ...work, fence: row.fence }, row._before)
}

/** Locks and returns a row that is still ours and open; else undefined, and counted as a lost lease. */
export async function lockLeased<Row>(tx: Tx, rows: WorkRows, leased: LeasedRow): Promise<Row | undefined> {
  return (await lockAllLeased<Row>(tx, rows, [leased]))[0]
}

/** The same for rows of one team, locked in the order of their keys. */
export async function lockAllLeased<Row>(tx: Tx, rows: WorkRows, leased: readonly LeasedRow[]): Promise<Row[]> {
  if (leased.length === 0) return []
  const { rows: ours } = await sql<Row>`
    select w.* from ${namesOf(rows, leased)}
    join ${sql.table(rows.table)} w on w.team_id = ${leased[0]!.teamId} and w.${sql.ref(rows.key)} = l.id
      and w.fence = l.fence
    where ${rows.open} order by w.${sql.ref(rows.key)} for update of w`.execute(tx.db)
  if (ours.length < leased.length) tx.count('leases_lost', rows.kind, leased.length - ours.length)
  return ours
}

const namesOf = (rows: WorkRows, leased: readonly LeasedRow[]) =>
  sql`unnest(${leased.map(({ id }) => id)}::${sql.raw(rows.keyType)}[],
      ${leased.map(({ fence }) => fence)}::bigint[]) as l (id, fence)`

/** Extends the leases of one team's rows that are still ours, during long outside calls. */
export async function renewLeases(
  tx: Tx,
  rows: WorkRows,
  leased: readonly LeasedRow[],
  untilMs: number,
): Promise<void> {
  if (leased.length === 0) return
  await sql`
    update ${sql.table(rows.table)} w set lease_until_ms = ${untilMs} from ${namesOf(rows, leased)}
    where w.team_id = ${leased[0]!.teamId} and w.${sql.ref(rows.key)} = l.id and w.fence = l.fence
      and w.lease_until_ms is not null`.execute(tx.db)
}

/** Ends the lease of a locked row, with the changes `set`; it can be claimed again when it is due. */
export async function endLease(
  tx: Tx,
  rows: WorkRows,
  row: { readonly teamId: string; readonly id: string },
  set: ReturnType<typeof sql> = sql``,
): Promise<void> {
  await sql`
    update ${sql.table(rows.table)} set lease_owner = null, lease_until_ms = null ${set}
    where team_id = ${row.teamId} and ${sql.ref(rows.key)} = ${row.id}`.execute(tx.db)
  tx.mark(rows.kind, row.teamId)
}

/** Ends the leases of one team's rows that are still ours, without other changes. */
export async function endLeases(tx: Tx, rows: WorkRows, leased: readonly LeasedRow[]): Promise<void> {
  if (leased.length === 0) return
  const { teamId } = leased[0]!
  await sql`
    update ${sql.table(rows.table)} w set lease_owner = null, lease_until_ms = null from ${namesOf(rows, leased)}
    where w.team_id = ${teamId} and w.${sql.ref(rows.key)} = l.id and w.fence = l.fence`.execute(tx.db)
  tx.mark(rows.kind, teamId)
}

/** `tried`: an outside call failed; `held`: what the row needs is held, so it was not tried (decision 0012). */
export type RescheduleHow = 'tried' | 'held'

/** Reschedules a locked row; `tried` uses up one of its attempts, `held` none. */
export const postpone = (
  tx: Tx,
  rows: WorkRows,
  row: { teamId: string; id: string },
  dueAt: Date,
  how: RescheduleHow = 'tried',
): Promise<void> =>
  endLease(tx, rows, row, sql`, due_at = ${dueAt}, attempts = attempts + ${how === 'held' ? 0 : 1}::integer`)

/** Reschedules a locked row after an unexpected failure. */
export const reschedule = (tx: Tx, rows: WorkRows, row: { teamId: string; id: string }, dueAt: Date): Promise<void> =>
  endLease(tx, rows, row, sql`, due_at = ${dueAt}, unexpected_failures = unexpected_failures + 1`)

/** Records an unexpected failure of work that is never given up: from the fifth on it is retried every two hours. */
export async function rescheduleForEver(tx: Tx, rows: WorkRows, work: Work, dueAt: Date | null): Promise<Recorded> {
  if ((await lockLeased(tx, rows, work)) === undefined) return 'lost'
  await reschedule(tx, rows, work, dueAt ?? new Date(tx.now.getTime() + longestWaitMs))
  return 'put_off'
}

/** Ends every lease: a service that starts knowing it is alone can tell that their owners are dead. */
export async function endAllLeases(tx: Tx, rows: WorkRows): Promise<void> {
  if (rows.fence === 'unleased') return
  const { rows: teams } = await sql<{ teamId: string }>`
    with released as (
      update ${sql.table(rows.table)} w set lease_owner = null, lease_until_ms = null
      where ${rows.open} and w.lease_until_ms is not null returning w.team_id)
    select distinct team_id as "teamId" from released`.execute(tx.db)
  for (const { teamId } of teams) tx.mark(rows.kind, teamId)
}
