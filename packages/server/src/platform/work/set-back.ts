/**
 * What a clock that was ahead has put off is found again once it is set back: leases end as those of now do, and what it made due in
 * its own future is due. A bounded part at a time; what somebody has locked just now is being written anew anyway.
 */
import { sql } from 'kysely'
import type { Tx } from '../db/unit-of-work.ts'
import type { SetBack } from '../rules/clock-mark.ts'
import { leaseMs, type WorkRows } from './rows.ts'

const some = 5_000

/** Rows whose lease lasts longer than one can, at most 5,000: they end in a minute, unless their holder lives. */
async function shortenLeases(tx: Tx, rows: WorkRows, nowMs: number): Promise<readonly string[]> {
  if (rows.fence === 'unleased') return []
  const untilMs = nowMs + leaseMs
  const { rows: found } = await sql<{ teamId: string }>`
    update ${sql.table(rows.table)} set lease_until_ms = ${untilMs} where ctid in (
      select w.ctid from ${sql.table(rows.table)} w where ${rows.open} and w.lease_until_ms > ${untilMs} limit ${some}
      for update of w skip locked)
    returning team_id as "teamId"`.execute(tx.db)
  return found.map(({ teamId }) => teamId)
}

/** Rows that their own column, or what stands for it where it is empty, makes due at `from` or later, at most 5,000, are due now. */
async function pullDue(tx: Tx, rows: WorkRows, from: Date): Promise<readonly string[]> {
  const column = rows.dueColumn ?? 'due_at'
  const own = sql`w.${sql.ref(column)}`
  const later = (due: typeof own) => sql`${due} >= ${from} and ${due} > ${tx.now}`
  const { rows: found } = await sql<{ teamId: string }>`
    update ${sql.table(rows.table)} set ${sql.ref(column)} = ${tx.now} where ctid in (
      select w.ctid from ${sql.table(rows.table)} w
      where ${rows.open} and (${later(own)} ${
        rows.dueAt
          ? sql`or ${own} is null
            and ${later(sql`(${rows.dueAt})`)}`
          : sql``
      })
      limit ${some} for update of w skip locked)
    returning team_id as "teamId"`.execute(tx.db)
  return found.map(({ teamId }) => teamId)
}

/** Pulls some rows of a table back; answers how many. Their teams are marked. */
export async function pullBack(tx: Tx, rows: WorkRows, back: SetBack, nowMs: number): Promise<number> {
  const teams = [...(await shortenLeases(tx, rows, nowMs)), ...(await pullDue(tx, rows, back.from))]
  for (const teamId of new Set(teams)) tx.mark(rows.kind, teamId)
  return teams.length
}

/** Teams at rest that were to be looked at by the time of the wrong clock are looked at now, some of them; answers how many. */
export async function pullTurnsBack(tx: Tx, back: SetBack, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update work_turn set ready = true, due_at = null, look_ms = null where (kind, team_id) in (
      select kind, team_id from work_turn where not ready and (due_at >= ${back.from} or look_ms > ${nowMs + leaseMs})
      limit ${some} for no key update skip locked)`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** Periodic tasks that a team was left out of until a time that the wrong clock gave; answers how many. */
export async function pullTasksBack(tx: Tx, back: SetBack): Promise<number> {
  const { numAffectedRows } = await sql`update task_put_off set until = ${tx.now} where until >= ${back.from}`.execute(
    tx.db,
  )
  return Number(numAffectedRows ?? 0)
}
