/** A unit of work locks its team's row `for key share`; a mover locks it `for update`, so waits for units (decision 0031). */
import { sql, type RawBuilder, type Transaction } from 'kysely'
import { currentStepContext } from '../task-context.ts'
import type { Database } from './schema.ts'
import { currentShard, currentTeam, onlyShard } from './shards.ts'
import { queryColumn, queryOne } from './query.ts'
import type { Reader } from './tx.ts'

/** A team that is being moved, or just was: the caller should retry. Has the code of an unavailable lock (`trouble.ts`). */
export class TeamNotInShard extends Error {
  override readonly name = 'TeamNotInShard'
  readonly code = '55P03'
  constructor() {
    super('the team is being moved to another shard, or was just now')
  }
}

const isSealed = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(m.ended_at is null and m.sealed_until_ms > ${nowMs})`

const isSealedTeam = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from team_move m where m.team_id = t.id and ${isSealed(nowMs)})`

/** Throws if the current team may not be written here. Claimed work may be settled under the seal: the mover waits for it. */
export async function requireTeamInShard(tx: Transaction<Database>, nowMs: number): Promise<void> {
  const teamId = currentTeam()?.id ?? currentStepContext()?.work?.teamId
  if (teamId === undefined) return
  const sealed = currentTeam()?.asked ? isSealedTeam(nowMs) : sql`false`
  const found = await queryOne<{ shard: string; sealed: boolean }>(tx)`
    select t.shard, ${sealed} as sealed from team t where t.id = ${teamId} for key share of t skip locked`
  if (found === undefined || found.sealed || found.shard !== currentShard()) throw new TeamNotInShard()
}

/** Locks the teams that may be written here `for key share`; returns their ids. */
export async function shareTeamsHere(
  tx: Transaction<Database>,
  teamIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select t.id from team t where t.id = any(${[...new Set(teamIds)]}::uuid[]) and t.shard = ${currentShard()}
      and not ${isSealedTeam(nowMs)}
    order by t.id for key share of t skip locked`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Teams being moved away, whose work is not claimed. Asked separately: Citus cannot join a shard's table with `public`. */
export async function listSealedTeams(db: Reader, nowMs: number): Promise<string[]> {
  if (currentShard() === onlyShard) return []
  return queryColumn<string>(db)`
    select m.team_id as id from team_move m where ${isSealed(nowMs)}`
}
