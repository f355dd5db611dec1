/** Deletes all rows of a closed team in batches. All state is in the database; the team's row, with its data key, goes last. */
import { sql, type RawBuilder } from 'kysely'
import { currentShard, isInThisShard, onlyShard } from '../../platform/db/shards.ts'
import { beginEnding, deleteTeam } from '../../modules/accounts/index.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import { countAffected, queryExists } from '../../platform/db/query.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Log } from '../../platform/log.ts'
import { isFailureOfTheRow } from '../../platform/task-context.ts'
import { teamTables, type TeamTable } from './tables.ts'

type TeamEndDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly log: Log
  readonly faultPoint: FaultPointHook
}

const rowsAUnit = 1_000
const unitsALook = 100
const teamsALook = 100

const due = (now: Date): RawBuilder<unknown> => sql`team t where t.ends_at <= ${now} and ${isInThisShard()}`

/** SQL: some team is to be deleted. */
export const teamsEnded = (now: Date): Condition => sql<boolean>`exists (select 1 from ${due(now)})`

/** Deletes rows of teams whose time has come; returns how many. A failure for one team leaves it for the next run. */
export async function endTeams(deps: TeamEndDeps): Promise<number> {
  const now = await deps.serviceNow(deps.db)
  const { rows } = await sql<{ id: string }>`
    select t.id from ${due(now)} order by t.ends_at, t.id limit ${teamsALook}`.execute(deps.db)
  let removed = 0
  for (const { id } of rows) {
    try {
      removed += (await endTeam(deps, id)).removed
    } catch (error) {
      if (!isFailureOfTheRow(error)) throw error
      deps.log.error('the rows of a team that has ended could not be removed', { teamId: id, error })
    }
  }
  return removed
}

/** Deletes rows of one team, a bounded number per call; `gone`: nothing is left. */
export async function endTeam(
  deps: Pick<TeamEndDeps, 'unitOfWork' | 'faultPoint'>,
  teamId: string,
): Promise<{ readonly removed: number; readonly gone: boolean }> {
  let removed = 0
  for (let units = 0; units < unitsALook; units += 1) {
    const batch = await deps.unitOfWork(async (tx) => {
      // The move first removes the team's rows in the other shard.
      if (await isBeingMoved(tx, teamId)) return 'later'
      if (!(await beginEnding(tx, teamId))) return null
      const count = await removeSome(tx, teamId)
      if (count > 0) await deps.faultPoint('team-end.removed')
      return count
    })
    if (batch === null) return { removed, gone: true }
    if (batch === 'later') break
    removed += batch
    if (batch < rowsAUnit && (await deps.unitOfWork((tx) => removeTeam(tx, deps, teamId))))
      return { removed: removed + 1, gone: true }
  }
  return { removed, gone: false }
}

async function isBeingMoved(tx: Tx, teamId: string): Promise<boolean> {
  if (currentShard() === onlyShard) return false
  return queryExists(tx.db)`select 1 from team_move where team_id = ${teamId} and ended_at is null`
}

async function removeSome(tx: Tx, teamId: string): Promise<number> {
  let removed = 0
  for (const table of teamTables) {
    removed += await removeFrom(tx, table, teamId, rowsAUnit - removed)
    if (removed >= rowsAUnit) break
  }
  if (removed > 0) tx.count('rows_purged', 'ended-teams', removed)
  return removed
}

async function removeFrom(tx: Tx, { name: table, teamColumn }: TeamTable, teamId: string, most: number) {
  const name = sql.table(table)
  const ofTeam = sql`${sql.ref(teamColumn)} = ${teamId}`
  return countAffected(tx.db)`
    delete from ${name} where ctid = any(array(select ctid from ${name} where ${ofTeam} limit ${most}))`
}

/** Deletes the team itself; false when a late worker has written a row meanwhile. */
async function removeTeam(tx: Tx, { faultPoint }: Pick<TeamEndDeps, 'faultPoint'>, teamId: string): Promise<boolean> {
  // Until this unit ends, nobody can write a row that references the team.
  await sql`select 1 from team t where t.id = ${teamId} for update`.execute(tx.db)
  if ((await removeSome(tx, teamId)) > 0) return false
  await deleteTeam(tx, teamId)
  tx.count('rows_purged', 'ended-teams', 1)
  await faultPoint('team-end.team-removed')
  return true
}
