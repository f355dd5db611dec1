/** Periodic tasks, one unit of work per team. After failures a team is skipped for 1, 5, 30 minutes, then 2 hours each time. */
import { sql, type RawBuilder } from 'kysely'
import { TeamNotInShard } from '../db/fence.ts'
import { workingFor } from '../db/shards.ts'
import type { Reader, Tx, UnitOfWork } from '../db/tx.ts'
import type { Log } from '../log.ts'
import { sampleTeamId } from '../sample-team.ts'
import { listClosedTeams } from './rows.ts'
import { isFailureOfTheRow, longestWaitMs, unexpectedRetryAt } from '../task-context.ts'

/** What a periodic task needs. */
export type RoundDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly log: Log
}

type Round<T extends { readonly teamId: string }> = {
  readonly task: string
  /** Some of what is due at `now`, bounded, without the given teams. */
  readonly find: (now: Date, without: readonly string[]) => Promise<readonly T[]>
  /** Returns how much was done. */
  readonly forTeam: (teamId: string, its: readonly T[]) => Promise<number>
  /** Takes each team once per run; what becomes due meanwhile is the next run's. */
  readonly onceEach?: boolean
}

/** SQL: the task does not skip the team at `now`. */
export const takesPart = (task: string, teamId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from task_put_off left_out
      where left_out.team_id = ${teamId} and left_out.task = ${task} and left_out.until > ${now})`

/** Runs over all open teams but the sample team until a pass achieves nothing; returns how much was done. */
export async function eachTeam<T extends { readonly teamId: string }>(
  deps: RoundDeps,
  round: Round<T>,
): Promise<number> {
  const now = await deps.serviceNow(deps.db)
  // Most runs find nothing, and then this is their only query.
  if ((await round.find(now, [sampleTeamId])).length === 0) return 0
  const earlier = await listFailures(deps.db, round.task)
  const without = new Set([
    sampleTeamId,
    ...(await listClosedTeams(deps.db)),
    ...[...earlier].filter(([, { until }]) => until > now).map(([teamId]) => teamId),
  ])
  let total = 0
  for (;;) {
    const found = await round.find(now, [...without])
    let [done, failed] = [0, 0]
    for (const [teamId, its] of Map.groupBy(found, (one) => one.teamId)) {
      const failures = earlier.get(teamId)?.failures ?? 0
      if (round.onceEach) without.add(teamId)
      try {
        done += await workingFor(teamId, () => round.forTeam(teamId, its))
        if (failures > 0) await deps.unitOfWork((tx) => forget(tx, teamId, round.task))
        earlier.delete(teamId)
      } catch (error) {
        if (error instanceof TeamNotInShard) {
          // A copy of another shard's team, or a team being moved there.
          without.add(teamId)
          failed += 1
          continue
        }
        if (!isFailureOfTheRow(error)) throw error
        failed += 1
        without.add(teamId)
        await deps.unitOfWork((tx) => reschedule(tx, { teamId, task: round.task }, failures))
        deps.log.error('a periodic task failed for one team', {
          task: round.task,
          teamId,
          failures: failures + 1,
          error,
        })
      }
    }
    total += done
    // After failures go on: `find` is bounded and skips those teams next time. A pass that found something, but did nothing and
    // failed nowhere, met rows that another process has locked and does.
    if (found.length === 0 || done + failed === 0) return total
  }
}

type Failure = { readonly failures: number; readonly until: Date }

async function listFailures(db: Reader, task: string): Promise<Map<string, Failure>> {
  const { rows } = await sql<Failure & { teamId: string }>`
    select team_id as "teamId", failures, until from task_put_off where task = ${task}`.execute(db)
  return new Map(rows.map(({ teamId, ...failure }) => [teamId, failure]))
}

async function reschedule(tx: Tx, { teamId, task }: { teamId: string; task: string }, failures: number): Promise<void> {
  const until = unexpectedRetryAt(failures, tx.now) ?? new Date(tx.now.getTime() + longestWaitMs)
  await sql`
    insert into task_put_off as t (team_id, task, failures, until)
    values (${teamId}, ${task}, ${failures + 1}, ${until})
    on conflict (team_id, task) do update set failures = excluded.failures, until = excluded.until`.execute(tx.db)
  tx.count('unexpected_failures', 'clock')
}

async function forget(tx: Tx, teamId: string, task: string): Promise<void> {
  await sql`delete from task_put_off where team_id = ${teamId} and task = ${task}`.execute(tx.db)
}
