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
import { Refusal } from '../../../platform/refusal.ts'

type TurnDeps = Pick<WorkDeps, 'db' | 'unitOfWork' | 'system'>

const turnBounds = { waiting: 20, waitMs: 30_000, leaseMs: 20_000 } as const

type TurnBounds = { readonly waiting: number; readonly waitMs: number; readonly leaseMs: number }

const pollMs = { next: 25, most: 200 }
const retryAfterSeconds = 5

const tooMany = (message: string) =>
  new Refusal('rate_limited', {}, message, { 'retry-after': String(retryAfterSeconds) })

/**
 * Null when the queue is full. The lock orders numbers as tickets become visible; starting at the time, no number is used twice.
 */
async function takeTicket(
  { unitOfWork, system }: TurnDeps,
  teamId: string,
  bounds: TurnBounds,
): Promise<number | null> {
  return unitOfWork(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`engagement|${teamId}`}, 0))`.execute(tx.db)
    await sql`delete from engagement_ticket
      where team_id = ${teamId} and (until_ms < ${system.nowMs()}
          or until_ms > ${system.nowMs() + 2 * bounds.leaseMs})`.execute(tx.db)
    const { rows } = await sql<{ number: number }>`
      insert into engagement_ticket (team_id, number, until_ms)
      select ${teamId}, greatest(max(number) + 1, ${system.nowMs()}::bigint), ${system.nowMs() + bounds.leaseMs}::bigint
      from engagement_ticket where team_id = ${teamId} having count(*) <= ${bounds.waiting}
      returning number`.execute(tx.db)
    return rows[0]?.number ?? null
  })
}

async function ticketsBefore({ db, system }: TurnDeps, teamId: string, number: number): Promise<number> {
  const { rows } = await sql<{
    ahead: number
  }>`select count(*)::bigint as ahead from engagement_ticket
    where team_id = ${teamId} and number < ${number} and until_ms >= ${system.nowMs()}`.execute(db)
  return rows[0]!.ahead
}

async function renew(
  { unitOfWork, system }: TurnDeps,
  { teamId, number, bounds }: { teamId: string; number: number; bounds: TurnBounds },
): Promise<void> {
  await unitOfWork((tx) =>
    sql`update engagement_ticket set until_ms = ${system.nowMs() + bounds.leaseMs}
      where team_id = ${teamId} and number = ${number}`.execute(tx.db),
  )
}

async function waitForTurn(
  deps: TurnDeps,
  { teamId, number, bounds }: { teamId: string; number: number; bounds: TurnBounds },
): Promise<void> {
  const { system } = deps
  const sinceMs = system.nowMs()
  for (;;) {
    const ahead = await ticketsBefore(deps, teamId, number)
    if (ahead === 0) return
    if (system.nowMs() - sinceMs >= bounds.waitMs)
      throw tooMany('The engagement reads of the team took too long to make room: call again')
    await system.sleep(Math.min(pollMs.most, pollMs.next * ahead, bounds.waitMs))
  }
}

/** Runs `work` in the team's turn; refuses `rate_limited`, without running it, when too many wait or for too long. */
export async function inTurn<T>(
  deps: TurnDeps,
  { teamId, work, bounds = turnBounds }: { teamId: string; work: () => Promise<T>; bounds?: TurnBounds | undefined },
): Promise<T> {
  const number = await takeTicket(deps, teamId, bounds)
  if (number === null) throw tooMany(`${bounds.waiting} engagement reads of the team are waiting already: call again`)
  // When the database fails, the renewal fails too, and the ticket expires as intended.
  const stop = deps.system.every(bounds.leaseMs / 3, () => void renew(deps, { teamId, number, bounds }).catch(() => {}))
  try {
    await waitForTurn(deps, { teamId, number, bounds })
    return await work()
  } finally {
    stop()
    await deps.unitOfWork((tx) =>
      sql`delete from engagement_ticket where team_id = ${teamId} and number = ${number}`.execute(tx.db),
    )
  }
}
