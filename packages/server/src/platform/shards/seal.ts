/**
 * The few seconds in which nothing of a team is written: what has changed since the last pass is copied, everything is compared, and the
 * directory says where the team is from then on. A mover that fails or dies here leaves a seal that ends by itself, and a team that works where
 * it was.
 */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SystemClock } from '../clock.ts'
import type { Database } from '../db/schema.ts'
import { bringUpToDate, type Route } from './copy.ts'
import { changeMove } from './moves.ts'
import { turns, type ShardTable } from './tables.ts'

type Handle = Kysely<Database>

/** The steps of a move, where it may be interrupted. */
export type MoveStep = 'begun' | 'copied' | 'caught up' | 'sealed' | 'compared' | 'switching' | 'switched' | 'removing'

/** What a move is made with. */
export type MoveParts = {
  readonly db: Handle
  readonly system: SystemClock
  /** Which process this is. */
  readonly processId: string
  /** Hears of progress, in words. */
  readonly say: (line: string) => void
  /** Passes each step; a test throws here. */
  readonly passed?: (step: MoveStep) => Promise<void>
  /** How long a seal may last, in milliseconds. */
  readonly sealedMs?: number
}

/** How long a seal lasts unless the parts say otherwise. */
export const longestSealMs = 5_000
/** So much longer the seal is marked: what clocks of machines may differ by. */
const marginMs = 10_000
/** How long claimed work is waited for before it is left to be done again, and how long what is under way may hold a lock. */
const lastWorkMs = 1_500
const lockMs = 2_000
const lookMs = 25

/** The difference took too long to be made under the seal. */
class TooSlow extends Error {}

/** Reasons to give the seal up and to copy once more, by SQLSTATE: time limits, conflicts, and rows that changed their names meanwhile. */
const passes = new Set(['57014', '55P03', '40001', '40P01', '23503', '23505'])

/** True of a failure that another pass may not meet. */
export const mayPass = (error: unknown): boolean =>
  error instanceof TooSlow || passes.has(String((error as { code?: unknown }).code))

/** Waits until no worker has claimed anything of the team, for a moment. */
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

/** One pass over everything in a snapshot of its own; with `ms` it gives up when it takes longer. */
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

/** Turns of the team begin anew where it arrives. */
async function moveTurns(tx: Transaction<Database>, { teamId, from, to }: Route): Promise<void> {
  const [old, next] = [sql.table(`${from}.${turns}`), sql.table(`${to}.${turns}`)]
  await sql`
    insert into ${next} (team_id, kind, served, ready) select team_id, kind, 0, true from ${old} where team_id = ${teamId}
    on conflict (team_id, kind) do update set ready = true, due_at = null, look_ms = null`.execute(tx)
  await sql`delete from ${old} where team_id = ${teamId}`.execute(tx)
}

/** Takes every lease on rows of the team away: workers that have one have lost it, and the rows can be claimed at once. */
async function endLeases(
  tx: Transaction<Database>,
  { teamId, schema }: { readonly teamId: string; readonly schema: string },
  tables: readonly ShardTable[],
): Promise<void> {
  for (const { name } of tables.filter(({ leased }) => leased))
    await sql`
      update ${sql.table(`${schema}.${name}`)} set lease_owner = null, lease_until_ms = null, fence = fence + 1
      where team_id = ${teamId} and lease_until_ms is not null`.execute(tx)
}

/** Seals the team, copies what is left and switches; throws, and leaves everything as it was, when that takes too long. */
export async function sealAndSwitch(parts: MoveParts, route: Route, tables: readonly ShardTable[]): Promise<number> {
  const { db, system, processId, sealedMs = longestSealMs } = parts
  const { teamId, from, to } = route
  const move = { teamId, processId }
  const beganMs = system.nowMs()
  await changeMove(db, move, sql`sealed_until_ms = ${beganMs + sealedMs + marginMs}`)
  try {
    await parts.passed?.('sealed')
    await awaitWork(parts, route, tables)
    // Units of work that saw no seal share the team's row: they are over once it was to be had alone. Who is not done by now writes nothing
    // more, which would not be copied: the work is done again.
    await db.transaction().execute(async (tx) => {
      await lockTeam(tx, teamId)
      await endLeases(tx, { teamId, schema: from }, tables)
    })
    const counts = await catchUp(parts, route, tables, sealedMs - (system.nowMs() - beganMs))
    await parts.passed?.('compared')
    await db.transaction().execute(async (tx) => {
      await lockTeam(tx, teamId)
      const nowMs = system.nowMs()
      if (nowMs > beganMs + sealedMs) throw new TooSlow('the seal lasted too long')
      await changeMove(
        tx,
        move,
        sql`state = 'switched', switched_at = ${new Date(nowMs)}, sealed_until_ms = null,
          sealed_for_ms = ${nowMs - beganMs}, counts = ${JSON.stringify(counts)}::jsonb`,
      )
      await sql`update public.team set shard = ${to} where id = ${teamId} and shard = ${from}`.execute(tx)
      await moveTurns(tx, route)
      // What was claimed just before the seal was seen.
      for (const schema of [from, to]) await endLeases(tx, { teamId, schema }, tables)
      await parts.passed?.('switching')
    })
    return system.nowMs() - beganMs
  } catch (error) {
    await changeMove(db, move, sql`sealed_until_ms = null`).catch(() => {})
    throw error
  }
}
