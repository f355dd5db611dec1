/**
 * Moves a team to another shard while it works (docs/decisions/0031). Its rows are copied, then brought up to date once more while it
 * works, then under a seal of some seconds, at whose end the directory names the new shard; the old rows go later. Every step is noted in
 * `team_move`: where a mover is killed, the one that begins the same move again goes on. Until the switch it can be undone.
 */
import { sql } from 'kysely'
import { copyCompanies, copyTable, countRows, removeRows, type Route } from './copy.ts'
import {
  changeMove,
  claimMove,
  findOpenMove,
  insertMove,
  listOpenMoves,
  MoveRefused,
  ownedMs,
  releaseMove,
  type OpenMove,
} from './moves.ts'
import { catchUp, longestSealMs, mayPass, sealAndSwitch, type MoveParts } from './seal.ts'
import { readTablesOfBoth } from './tables.ts'

export type { MoveParts, MoveStep } from './seal.ts'

/** How often it is tried to be done with the rest within one seal. */
const maxPasses = 3

/** Old rows stay so long, for reads that are under way. */
export const oldRowsStayMs = 10 * 60_000

/** Where a team is; refuses one that is unknown. */
export async function findTeamPlace(
  { db }: Pick<MoveParts, 'db'>,
  teamId: string,
): Promise<{ shard: string; name: string; ends: boolean }> {
  const { rows } = await sql<{ shard: string; name: string; ends: boolean }>`
    select shard, name, ends_at is not null as ends from public.team where id::text = ${teamId}`.execute(db)
  if (rows.length === 0) throw new MoveRefused(`there is no team ${teamId}`)
  return rows[0]!
}

/** Works on a move that is claimed for this process, and releases it at the end, however that comes. */
async function claimed<T>(parts: MoveParts, teamId: string, work: () => Promise<T>): Promise<T> {
  const { db, system, processId } = parts
  await claimMove(db, teamId, processId, system.nowMs())
  const renewing = system.every(ownedMs / 4, () => {
    changeMove(db, { teamId, processId }, sql`owner_until_ms = ${system.nowMs() + ownedMs}`).catch(() => {})
  })
  try {
    return await work()
  } finally {
    renewing()
    await releaseMove(db, teamId, processId).catch(() => {})
  }
}

/** Finds the move that goes on, or begins one. */
async function findOrBegin(parts: MoveParts, teamId: string, to: string): Promise<OpenMove> {
  const { db, system } = parts
  const place = await findTeamPlace(parts, teamId)
  const open = await findOpenMove(db, teamId)
  if (open?.state === 'copying' && open.to === to) return open
  if (open?.state === 'copying')
    throw new MoveRefused(
      `the team is on its way to ${open.to}: finish that move, or undo it (--undo), before another one`,
    )
  if (place.shard === to) throw new MoveRefused(`the team is in ${to} already`)
  if (place.ends) throw new MoveRefused('the team is closed and will be deleted: restore it before it is moved')
  // What an earlier move has left to be removed.
  if (open) await claimed(parts, teamId, () => removeLeftOvers(parts, open))
  await readTablesOfBoth(db, place.shard, to)
  await insertMove(db, { teamId, from: place.shard, to, at: new Date(system.nowMs()) })
  return (await findOpenMove(db, teamId))!
}

/** Moves a team; answers for how many milliseconds it was sealed. Refuses in words, and gives up after three passes, undone. */
export async function moveTeam(parts: MoveParts, teamId: string, to: string): Promise<number> {
  const move = await findOrBegin(parts, teamId, to)
  return claimed(parts, teamId, () => carryOn(parts, move))
}

async function carryOn(parts: MoveParts, move: OpenMove): Promise<number> {
  const { db, system, processId, say } = parts
  const { teamId, from, to } = move
  const route: Route = { teamId, from, to }
  const tables = await readTablesOfBoth(db, from, to)
  await parts.passed?.('begun')
  let copied = move.rowsCopied
  const note = async (rows: number): Promise<void> => {
    copied += rows
    await changeMove(
      db,
      { teamId, processId },
      sql`rows_copied = rows_copied + ${rows}, owner_until_ms = ${system.nowMs() + ownedMs}`,
    )
  }
  for (const table of tables) await copyTable(db, route, table, note)
  say(`copied ${copied} rows while the team worked`)
  await parts.passed?.('copied')
  let last: unknown
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    try {
      await changeMove(db, { teamId, processId }, sql`passes = passes + 1`)
      await catchUp(parts, route, tables)
      await copyCompanies(db, route)
      await parts.passed?.('caught up')
      const sealedForMs = await sealAndSwitch(parts, route, tables)
      await copyCompanies(db, route)
      say(`switched to ${to}; the team was sealed for ${sealedForMs} ms`)
      await parts.passed?.('switched')
      return sealedForMs
    } catch (error) {
      if (!mayPass(error)) throw error
      last = error
      say(`pass ${pass} was not done in time (${(error as Error).message})`)
    }
  }
  const reason = `what changed meanwhile was not copied and compared within ${(parts.sealedMs ?? longestSealMs) / 1_000} s in ${maxPasses} passes`
  await undoCopy(parts, move, reason)
  throw new MoveRefused(
    `the team stays in ${from}: ${reason} (${(last as Error).message}). Try again when it has less to do, or the database has`,
  )
}

async function undoCopy(parts: MoveParts, move: OpenMove, reason: string): Promise<void> {
  await changeMove(
    parts.db,
    { teamId: move.teamId, processId: parts.processId },
    sql`state = 'undoing', reason = ${reason}`,
  )
  await removeLeftOvers(parts, { ...move, state: 'undoing' })
}

/** Undoes a move that has not switched; what was copied goes. */
export async function undoMove(parts: MoveParts, teamId: string): Promise<void> {
  const place = await findTeamPlace(parts, teamId)
  const move = await findOpenMove(parts.db, teamId)
  if (move === undefined) throw new MoveRefused(`no move of the team is under way: it is in ${place.shard}`)
  if (move.state === 'switched')
    throw new MoveRefused(`the team is in ${move.to} already: move it back with \`shards move ${teamId} ${move.from}\``)
  await claimed(parts, teamId, () => undoCopy(parts, move, 'undone by hand'))
}

/** Removes the rows of a shard that is not the team's, and ends the move. */
async function removeLeftOvers(parts: MoveParts, { teamId, from, to, state, counts }: OpenMove): Promise<void> {
  const { db, system, processId } = parts
  const schema = state === 'switched' ? from : to
  const tables = await readTablesOfBoth(db, from, to)
  const strays = state === 'switched' ? straysOf(await countRows(db, { teamId, schema }, tables), counts ?? {}) : null
  if (strays !== null) await changeMove(db, { teamId, processId }, sql`reason = coalesce(reason, ${strays})`)
  await removeRows(db, { teamId, schema }, tables, async () => {
    await changeMove(db, { teamId, processId }, sql`owner_until_ms = ${system.nowMs() + ownedMs}`)
    await parts.passed?.('removing')
  })
  await changeMove(
    db,
    { teamId, processId },
    sql`state = ${state === 'switched' ? 'done' : 'undone'}, ended_at = ${new Date(system.nowMs())}`,
  )
}

/** What was written to the old place behind the fence, in words; null when nothing was, as it must be. */
function straysOf(found: Readonly<Record<string, number>>, counts: Readonly<Record<string, number>>): string | null {
  const more = Object.entries(found).filter(([table, rows]) => rows > (counts[table] ?? 0))
  if (more.length === 0) return null
  return `written to the old shard after the switch, and gone with it: ${more.map(([table, rows]) => `${table} ${rows - (counts[table] ?? 0)}`).join(', ')}`
}

/**
 * Removes what a move that was broken off has copied: nothing keeps these rows up to date, and somebody who is erased meanwhile would be
 * in them. The move stays, and copies anew when it goes on.
 */
async function removeCopies(parts: MoveParts, { teamId, from, to }: OpenMove): Promise<void> {
  const { db, processId } = parts
  const tables = await readTablesOfBoth(db, from, to)
  await removeRows(db, { teamId, schema: to }, tables, async () => {})
  await changeMove(db, { teamId, processId }, sql`rows_copied = 0`)
}

/** Removes what moves have left behind, once reads that were under way are over; answers how many moves ended. */
export async function removeOldRows(parts: MoveParts): Promise<number> {
  const nowMs = parts.system.nowMs()
  let ended = 0
  for (const move of await listOpenMoves(parts.db)) {
    const isOld = move.switchedAt !== null && move.switchedAt.getTime() + oldRowsStayMs <= nowMs
    const isFree = move.ownerUntilMs === null || move.ownerUntilMs <= nowMs
    if (isFree && move.state === 'copying' && move.rowsCopied > 0 && move.begunAt.getTime() + oldRowsStayMs <= nowMs)
      await claimed(parts, move.teamId, () => removeCopies(parts, move))
    if (!isFree || !(move.state === 'undoing' || (move.state === 'switched' && isOld))) continue
    await claimed(parts, move.teamId, () => removeLeftOvers(parts, move))
    ended += 1
  }
  return ended
}
