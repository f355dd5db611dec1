/** The seal: for some seconds nothing of a team is written, while it is switched. It expires when the mover fails or dies. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SystemClock } from '../clock.ts'
import type { Database } from '../db/schema.ts'
import { bringUpToDate, type Route } from './copy.ts'
import { changeMove } from './moves.ts'
import { turns, type ShardTable } from './tables.ts'

type Handle = Kysely<Database>

/** Steps of a move at which tests interrupt it. */
export type MoveStep = 'begun' | 'copied' | 'caught up' | 'sealed' | 'compared' | 'switching' | 'switched' | 'removing'

export type MoveParts = {
  readonly db: Handle
  readonly system: SystemClock
  readonly processId: string
  readonly say: (line: string) => void
  /** Called at each step; a test throws here. */
  readonly passed?: (step: MoveStep) => Promise<void>
  /** The longest seal in milliseconds. */
  readonly sealedMs?: number
}

export const longestSealMs = 5_000
/** Added to the seal's recorded end, for clock differences between machines. */
const marginMs = 10_000
/** `lastWorkMs`: how long to wait for claimed work before it has to be repeated; `lockMs`: for running units of work. */
const lastWorkMs = 1_500
const lockMs = 2_000
const lookMs = 25

class TooSlow extends Error {}

/** SQLSTATEs after which another pass is worth it: timeouts, conflicts, and rows whose keys changed meanwhile. */
const retryableStates = new Set(['57014', '55P03', '40001', '40P01', '23503', '23505'])

/** Whether another pass may succeed. */
export const isWorthAnotherPass = (error: unknown): boolean =>
  error instanceof TooSlow || retryableStates.has(String((error as { code?: unknown }).code))

/** Waits briefly until no worker holds a lease of the team. */
async function awaitWork(
  { db, system }: MoveParts,
  { teamId, from }: Route,
  tables: readonly ShardTable[],
): Promise<void> {
  const endMs = system.nowMs() + lastWorkMs
  for (;;) {
    const nowMs = system.nowMs()
    const each = tables
      .filter(({ leased }) => leased)
      .map(
        ({ name }) => sql`exists (select 1 from ${sql.table(`${from}.${name}`)}
        where team_id = ${teamId} and lease_until_ms > ${nowMs})`,
      )
    const { rows } = await sql<{ busy: boolean }>`select (${sql.join(each, sql` or `)}) as busy`.execute(db)
    if (!rows[0]!.busy || nowMs >= endMs) return
    await system.sleep(lookMs)
  }
}

const lockTeam = async (tx: Transaction<Database>, teamId: string): Promise<void> => {
  await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(tx)
  await sql`select 1 from public.team where id = ${teamId} for update`.execute(tx)
}

/** Brings all tables up to date in one snapshot; gives up after `ms`. */
export const catchUp = (
  { db, system }: MoveParts,
  route: Route,
  tables: readonly ShardTable[],
  ms?: number,
): Promise<Readonly<Record<string, number>>> => {
  const endMs = ms === undefined ? Number.POSITIVE_INFINITY : system.nowMs() + ms
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (ms !== undefined)
        await sql`select set_config('statement_timeout', ${String(Math.max(1, ms))}, true)`.execute(tx)
      return bringUpToDate(tx, route, tables, () => {
        if (system.nowMs() > endMs) throw new TooSlow('the difference took too long')
      })
    })
}

async function moveTurns(tx: Transaction<Database>, { teamId, from, to }: Route): Promise<void> {
  const [old, next] = [sql.table(`${from}.${turns}`), sql.table(`${to}.${turns}`)]
  await sql`
    insert into ${next} (team_id, kind, served, ready) select team_id, kind, 0, true from ${old} where team_id = ${teamId}
    on conflict (team_id, kind) do update set ready = true, due_at = null, look_ms = null`.execute(tx)
  await sql`delete from ${old} where team_id = ${teamId}`.execute(tx)
}

/** Ends all leases of the team: their workers lose them, and the rows can be claimed at once. */
async function endLeases(
  tx: Transaction<Database>,
  teamId: string,
  schema: string,
  tables: readonly ShardTable[],
): Promise<void> {
  for (const { name } of tables.filter(({ leased }) => leased))
    await sql`
      update ${sql.table(`${schema}.${name}`)} set lease_owner = null, lease_until_ms = null, fence = fence + 1
      where team_id = ${teamId} and lease_until_ms is not null`.execute(tx)
}

/** Seals the team, copies the rest and switches; returns the milliseconds. Throws, nothing changed, when it takes too long. */
export async function sealAndSwitch(parts: MoveParts, route: Route, tables: readonly ShardTable[]): Promise<number> {
  const { db, system, processId, sealedMs = longestSealMs } = parts
  const { teamId, from, to } = route
  const beganMs = system.nowMs()
  await changeMove(db, teamId, processId, sql`sealed_until_ms = ${beganMs + sealedMs + marginMs}`)
  try {
    await parts.passed?.('sealed')
    await awaitWork(parts, route, tables)
    // Units that began before the seal hold the team's row: once it is locked they are over. Ending leases voids slower workers,
    // whose writes would not be copied; their work is repeated.
    await db.transaction().execute(async (tx) => {
      await lockTeam(tx, teamId)
      await endLeases(tx, teamId, from, tables)
    })
    const counts = await catchUp(parts, route, tables, sealedMs - (system.nowMs() - beganMs))
    await parts.passed?.('compared')
    await db.transaction().execute(async (tx) => {
      await lockTeam(tx, teamId)
      const nowMs = system.nowMs()
      if (nowMs > beganMs + sealedMs) throw new TooSlow('the seal lasted too long')
      const switched = sql`state = 'switched', switched_at = ${new Date(nowMs)}, sealed_until_ms = null,
        sealed_for_ms = ${nowMs - beganMs}, counts = ${JSON.stringify(counts)}::jsonb`
      await changeMove(tx, teamId, processId, switched)
      await sql`update public.team set shard = ${to} where id = ${teamId} and shard = ${from}`.execute(tx)
      await moveTurns(tx, route)
      // Claims made just before their units saw the seal.
      for (const schema of [from, to]) await endLeases(tx, teamId, schema, tables)
      await parts.passed?.('switching')
    })
    return system.nowMs() - beganMs
  } catch (error) {
    await changeMove(db, teamId, processId, sql`sealed_until_ms = null`).catch(() => {})
    throw error
  }
}
