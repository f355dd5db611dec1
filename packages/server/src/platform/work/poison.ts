/** Work that has failed unexpectedly and waits for its next try: listed for operators, and made due by one of them. */
import { sql } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Reader, Tx } from '../db/unit-of-work.ts'
import { isFree, type WorkRows } from './rows.ts'

/** One piece of it. */
export type PoisonWork = {
  readonly kind: JobKind
  readonly teamId: string
  readonly id: string
  readonly failures: number
  readonly nextTryAt: Date | null
}

const leased = (all: readonly WorkRows[]): readonly WorkRows[] =>
  all.filter((rows) => rows.fence !== 'unleased' && rows.dueAt === undefined)

/** Rows that have failed unexpectedly, those that failed most often first; of each table at most `most` are looked at. */
export async function listPoison(db: Reader, all: readonly WorkRows[], most: number): Promise<PoisonWork[]> {
  const each = leased(all).map(
    (rows) => sql`
      (select ${rows.kind}::text as kind, w.team_id as "teamId", w.${sql.ref(rows.key)}::text as id,
          w.unexpected_failures as failures, w.due_at as "nextTryAt"
      from ${sql.table(rows.table)} w where ${rows.open} and w.unexpected_failures > 0 limit ${most})`,
  )
  const { rows } = await sql<PoisonWork>`
    select * from (${sql.join(each, sql` union all `)}) p
    order by p.failures desc, p."nextTryAt", p.id limit ${most}`.execute(db)
  return rows
}

/** Makes one of them due now; false when it is under way, over, or has not failed. It keeps its count of failures. */
export async function retryPoison(
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
