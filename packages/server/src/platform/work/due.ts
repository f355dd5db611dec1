import { sql } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Condition } from '../db/conditions.ts'
import { isOfTeamHere } from '../db/shards.ts'
import { queryAll } from '../db/query.ts'
import type { Reader, Tx } from '../db/tx.ts'
import { dueAtOf, isAllowed, isFree, type WorkRows, joinTeam, servedTeam } from './rows.ts'

/** SQL: some row is leased, so that more work may follow. */
export const isLeased = (all: readonly WorkRows[], nowMs: number): Condition =>
  sql<boolean>`(${sql.join(
    all
      .filter((rows) => rows.fence !== 'unleased')
      .map(
        (rows) =>
          sql`exists (select 1 from ${sql.table(rows.table)} w
            where ${rows.open} and w.lease_until_ms > ${nowMs})`,
      ),
    sql` or `,
  )})`

/** `waiting` is counted up to a bound. */
type Waiting = { readonly kind: JobKind; readonly oldest: Date; readonly waiting: number }

/** Due rows without a lease, by kind, of served teams only; reads at most `most` rows per table. */
export async function readWaiting(
  db: Reader,
  all: readonly WorkRows[],
  at: { readonly now: Date; readonly nowMs: number; readonly most: number },
): Promise<Waiting[]> {
  const { now, nowMs, most } = at
  const each = all.map((rows) => {
    // A computed due date has no index to read in its order.
    const order = rows.dueAt ? sql`` : sql`order by w.due_at`
    return sql`
      select ${rows.kind}::text as kind, w._due as due_at from (
        select w.*, ${dueAtOf(rows)} as _due from ${sql.table(rows.table)} w
        where ${rows.open} and ${dueAtOf(rows)} <= ${now} and ${isFree(rows, nowMs)} ${order} limit ${most}) w
      ${joinTeam()} where ${isAllowed(rows, now)} and ${servedTeam(now)}`
  })
  return queryAll<Waiting>(db)`
    select kind, min(due_at) as oldest, count(*)::integer as waiting from (${sql.join(each, sql` union all `)}) due
    group by kind`
}

/** A row that has failed unexpectedly; it is retried at `nextTryAt`, or at once by an operator. */
type FailingWork = {
  readonly kind: JobKind
  readonly teamId: string
  readonly id: string
  readonly failures: number
  readonly nextTryAt: Date | null
}

const leased = (all: readonly WorkRows[]): readonly WorkRows[] =>
  all.filter((rows) => rows.fence !== 'unleased' && rows.dueAt === undefined)

/** Rows that failed unexpectedly, most failures first; reads at most `most` rows per table. */
export async function listFailingWork(db: Reader, all: readonly WorkRows[], most: number): Promise<FailingWork[]> {
  const each = leased(all).map(
    (rows) => sql`
      (select ${rows.kind}::text as kind, w.team_id as "teamId", w.${sql.ref(rows.key)}::text as id,
          w.unexpected_failures as failures, w.due_at as "nextTryAt"
      from ${sql.table(rows.table)} w
      where ${rows.open} and w.unexpected_failures > 0 and ${isOfTeamHere(sql`w.team_id`)} limit ${most})`,
  )
  return queryAll<FailingWork>(db)`
    select * from (${sql.join(each, sql` union all `)}) p
    order by p.failures desc, p."nextTryAt", p.id limit ${most}`
}

/** Makes such a row due now, keeping its count of failures; false when it is leased, finished or has not failed. */
export async function retryFailingWork(
  tx: Tx,
  all: readonly WorkRows[],
  work: { readonly kind: string; readonly teamId: string; readonly id: string; readonly nowMs: number },
): Promise<boolean> {
  for (const rows of leased(all).filter(({ kind }) => kind === work.kind)) {
    const { rows: found } = await sql`
      update ${sql.table(rows.table)} w set due_at = ${tx.now}
      where w.team_id = ${work.teamId}::uuid and w.${sql.ref(rows.key)}::text = ${work.id} and ${rows.open}
        and w.unexpected_failures > 0
        and ${isFree(rows, work.nowMs)} returning 1`.execute(tx.db)
    if (found.length === 0) continue
    tx.enqueue(rows.kind, work.teamId)
    return true
  }
  return false
}
