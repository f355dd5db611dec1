import { sql } from 'kysely'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { machineIds } from '../../src/platform/random.ts'
import { moveTeam, oldRowsStayMs, removeOldRows, undoMove, type MoveParts } from '../../src/platform/shards/move.ts'
import { readShardTables } from '../../src/platform/shards/tables.ts'
import type { Team, World } from '../world/world.ts'

/** How many rows of a team a table has, by shard; empty shards are left out. */
export async function rowsByShard(world: World, table: string, teamId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const shard of world.service.shards.names) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(`${shard}.${table}`)} where team_id = ${teamId}`.execute(
      world.database.root,
    )
    if (rows[0]!.count > 0) found[shard] = rows[0]!.count
  }
  return found
}

/** The tables in which a team has rows in a shard, with their counts. */
export async function contentsOf(world: World, teamId: string, shard: string): Promise<Record<string, number>> {
  const names = [...(await readShardTables(world.database.root, shard)).map(({ name }) => name), 'work_turn']
  const each = names.map(
    (name) =>
      sql`select ${name}::text as name, count(*)::integer as count
        from ${sql.table(`${shard}.${name}`)} where team_id = ${teamId}`,
  )
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(each, sql` union all `)}`.execute(
    world.database.root,
  )
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}

/** All rows of a team in its shard as text, to compare before and after a move. */
export async function rowsOf(world: World, teamId: string): Promise<Record<string, readonly string[]>> {
  const shard = await world.shardOf({ id: teamId })
  const all: Record<string, readonly string[]> = {}
  for (const { name } of await readShardTables(world.database.root, shard)) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(r)::text as row from ${sql.table(`${shard}.${name}`)} r where team_id = ${teamId} order by 1`.execute(
      world.database.root,
    )
    if (rows.length > 0) all[name] = rows.map(({ row }) => row)
  }
  return all
}

/** The same without rows that its own calls add. */
export async function rowsButCalls(world: World, teamId: string): Promise<Record<string, readonly string[]>> {
  const { request_log: _calls, idempotency_flight: _flights, ...rows } = await rowsOf(world, teamId)
  return rows
}

/** A process that moves teams of a world. */
export type Mover = {
  readonly parts: MoveParts
  readonly said: string[]
  move(team: Pick<Team, 'id'>, to: string, more?: Partial<MoveParts>): Promise<number>
  undo(team: Pick<Team, 'id'>): Promise<void>
  /** Removes what moves have left, as the clock does ten minutes later. */
  clean(): Promise<number>
  close(): Promise<void>
}

export function openMover(world: World): Mover {
  const database = openDatabase(world.database.connection, { poolSize: 4, isSharded: true, onError: () => {} })
  const said: string[] = []
  const parts: MoveParts = {
    db: database.bare,
    system: systemClock,
    processId: machineIds().uuid(new Date(0)),
    say: (line) => said.push(line),
  }
  const later = { ...systemClock, nowMs: () => systemClock.nowMs() + oldRowsStayMs + 1_000 }
  return {
    parts,
    said,
    move: ({ id }, to, more = {}) => moveTeam({ ...parts, ...more }, id, to),
    undo: ({ id }) => undoMove(parts, id),
    clean: () => removeOldRows({ ...parts, system: later }),
    close: () => database.close(),
  }
}

/** The state and reason of a team's last move. */
export async function lastMove(world: World, teamId: string) {
  const { rows } = await sql<{ state: string; reason: string | null; passes: number; sealed: number | null }>`
    select state, reason, passes, sealed_for_ms as sealed from team_move
    where team_id = ${teamId} order by begun_at desc limit 1`.execute(world.database.root)
  return rows[0]
}

/** The shard after the team's own one. */
export async function otherShard(world: World, team: Pick<Team, 'id'>): Promise<string> {
  const { names } = world.service.shards
  return names[(names.indexOf(await world.shardOf(team)) + 1) % names.length]!
}
