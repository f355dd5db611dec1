/**
 * Turns: one engagement read of a team at a time, over all processes (JOB-09, G138).
 *
 *   ticket taken (at most 21 per team) --no older live ticket--> served --> ticket deleted
 *      |-- 20 wait already --> 429, no ticket               `-- waited for 30 s --> 429, ticket deleted
 *
 * A ticket is a lease in system time, renewed while its holder waits or works, so that a dead process blocks nobody for long. A
 * holder that was overtaken only reads the network once too often; what it writes is complete by itself.
 */
import type { WorkDeps } from '../../../platform/work/index.ts'
import { sql } from 'kysely'
import { queryValue } from '../../../platform/db/query.ts'
import { Refusal } from '../../../platform/refusal.ts'

type TurnDeps = Pick<WorkDeps, 'db' | 'unitOfWork' | 'system'>

const turnBounds = { waiting: 20, waitMs: 30_000, leaseMs: 20_000 }
const pollMs = { next: 25, most: 200 }
const retryAfterSeconds = 5

const tooMany = (message: string) =>
  new Refusal('rate_limited', {}, message, { 'retry-after': String(retryAfterSeconds) })

/** Runs `work` in the team's turn; refuses `rate_limited`, without running it, when too many wait or for too long. */
export async function inTurn<T>(
  { db, unitOfWork, system }: TurnDeps,
  { teamId, work, bounds = turnBounds }: { teamId: string; work: () => Promise<T>; bounds?: typeof turnBounds },
): Promise<T> {
  const { waiting, waitMs, leaseMs } = bounds
  const number = await unitOfWork(async (tx) => {
    const nowMs = system.nowMs()
    // The lock orders numbers as tickets become visible; starting at the time, no number is used twice.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`engagement|${teamId}`}, 0))`.execute(tx.db)
    await sql`delete from engagement_ticket
      where team_id = ${teamId} and (until_ms < ${nowMs} or until_ms > ${nowMs + 2 * leaseMs})`.execute(tx.db)
    return queryValue<number>(tx.db)`
      insert into engagement_ticket (team_id, number, until_ms)
      select ${teamId}, greatest(max(number) + 1, ${nowMs}::bigint), ${nowMs + leaseMs}::bigint
      from engagement_ticket where team_id = ${teamId} having count(*) <= ${waiting}
      returning number`
  })
  if (number === undefined) throw tooMany(`${waiting} engagement reads of the team are waiting already: call again`)
  const isOurs = sql`team_id = ${teamId} and number = ${number}`
  const renew = () =>
    unitOfWork((tx) =>
      sql`update engagement_ticket set until_ms = ${system.nowMs() + leaseMs} where ${isOurs}`.execute(tx.db),
    )
  // When the database fails, the renewal fails too, and the ticket expires as intended.
  const stop = system.every(leaseMs / 3, () => void renew().catch(() => {}))
  try {
    const sinceMs = system.nowMs()
    for (;;) {
      const ahead = (await queryValue<number>(db)`
        select count(*)::bigint as ahead from engagement_ticket
        where team_id = ${teamId} and number < ${number} and until_ms >= ${system.nowMs()}`)!
      if (ahead === 0) return await work()
      if (system.nowMs() - sinceMs >= waitMs)
        throw tooMany('The engagement reads of the team took too long to make room: call again')
      await system.sleep(Math.min(pollMs.most, pollMs.next * ahead, waitMs))
    }
  } finally {
    stop()
    await unitOfWork((tx) => sql`delete from engagement_ticket where ${isOurs}`.execute(tx.db))
  }
}
