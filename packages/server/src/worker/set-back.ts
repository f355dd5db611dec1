/**
 * The clock of the machine may be wrong for a while: set ahead by hours or days, and set back. What was put at a time of its future
 * would then wait until that time comes. The latest time that was seen is kept (`clock_mark`, written here and nowhere else), so that
 * a clock that was set back is noticed, also after a restart, and what waits for its time is pulled back.
 */
import { sql } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Reader, Tx, UnitOfWork } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import { judgeClock, type ClockMark, type SetBack } from '../platform/rules/clock-mark.ts'
import { pullBack, pullTasksBack, pullTurnsBack } from '../platform/work/index.ts'
import { allRows } from './works.ts'

/** Pulls back some of what a clock that was ahead has put off; answers how much, 0 when there is no more. */
export type PullBack = (tx: Tx, back: SetBack, nowMs: number) => Promise<number>

/** What it works with. `others`: what is no work of a team, by name. */
export type SetBackParts = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly system: SystemClock
  readonly log: Log
  readonly others: Readonly<Record<string, PullBack>>
}

async function readMark(db: Reader): Promise<ClockMark | null> {
  const { rows } = await sql<{ seen: Date; seenMs: number; leaptTo: Date | null }>`
    select seen, seen_ms as "seenMs", leapt_to as "leaptTo" from clock_mark`.execute(db)
  const [row] = rows
  return row ? { ...row, seenMs: Number(row.seenMs) } : null
}

const saveMark = async (tx: Tx, { seen, seenMs, leaptTo }: ClockMark): Promise<void> => {
  await sql`
    insert into clock_mark (seen, seen_ms, leapt_to) values (${seen}, ${seenMs}, ${leaptTo})
    on conflict (only_row)
    do update set seen = excluded.seen, seen_ms = excluded.seen_ms, leapt_to = excluded.leapt_to`.execute(tx.db)
}

/** Each in units of work of its own, part by part, until nothing is left. */
async function pullAll(parts: SetBackParts, back: SetBack): Promise<number> {
  const nowMs = parts.system.nowMs()
  const pulls: readonly PullBack[] = [
    ...allRows.map(
      (rows): PullBack =>
        (tx) =>
          pullBack(tx, rows, back, nowMs),
    ),
    (tx) => pullTurnsBack(tx, back, nowMs),
    ...Object.values(parts.others),
  ]
  let total = 0
  for (const pull of pulls)
    for (let some = 1; some > 0; total += some) some = await parts.unitOfWork((tx) => pull(tx, back, nowMs))
  await parts.unitOfWork((tx) => pullTasksBack(tx, back))
  return total
}

/** Looks at the clock; answers how much was pulled back. The mark is written last: what fails is done again at the next look. */
export async function watchClock(parts: SetBackParts): Promise<number> {
  const { db, unitOfWork, serviceNow, system, log } = parts
  const { mark, back } = judgeClock(await readMark(db), await serviceNow(db), system.nowMs())
  const pulled = back ? await pullAll(parts, back) : 0
  await unitOfWork((tx) => saveMark(tx, mark))
  if (back) log.warn('the clock was set back: what waited for its time is due now', { ...back, pulled })
  return pulled
}
