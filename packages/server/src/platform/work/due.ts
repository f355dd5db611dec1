/** What is due of every kind of work, under way, and waiting: read from the same declarations as claims. */
import { sql } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Condition } from '../db/conditions.ts'
import type { Reader } from '../db/unit-of-work.ts'
import { dueAtOf, isAllowed, isFree, type WorkRows } from './rows.ts'
import { joinTeam, servedTeam } from './served.ts'

/** True while somebody has a lease on some row: what is worked on may make more work. */
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

/** What waits of a kind: how much (counted to a bound) and since when. */
export type Waiting = { readonly kind: JobKind; readonly oldest: Date; readonly waiting: number }

/**
 * Due rows that nobody works on, of teams that are served, by kind; of each table at most `most` are looked at. The
 * work of other teams waits on purpose.
 */
export async function readWaiting(
  db: Reader,
  all: readonly WorkRows[],
  at: { readonly now: Date; readonly nowMs: number; readonly most: number },
): Promise<Waiting[]> {
  const { now, nowMs, most } = at
  const each = all.map((rows) => {
    // Where the due date is no column there is no index to read in its order.
    const order = rows.dueAt ? sql`` : sql`order by w.due_at`
    return sql`
      select ${rows.kind}::text as kind, w._due as due_at from (
        select w.*, ${dueAtOf(rows)} as _due from ${sql.table(rows.table)} w
        where ${rows.open} and ${dueAtOf(rows)} <= ${now} and ${isFree(rows, nowMs)} ${order} limit ${most}) w
      ${joinTeam} where ${isAllowed(rows, now)} and ${servedTeam(now)}`
  })
  const { rows } = await sql<Waiting>`
    select kind, min(due_at) as oldest, count(*)::integer as waiting from (${sql.join(each, sql` union all `)}) due
    group by kind`.execute(db)
  return rows
}
