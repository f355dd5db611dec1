/**
 * Moves a team to another shard while it works (decision 0031). Its rows are copied, brought up to date once, then again under a
 * seal of some seconds, at whose end `team.shard` changes; the old rows go later. `team_move` records every step: after a crash,
 * starting the same move again continues it. Until the switch it can be undone.
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
import { catchUp, longestSealMs, isWorthAnotherPass, sealAndSwitch, type MoveParts } from './seal.ts'
import { readTablesOfBoth } from './tables.ts'

export type { MoveParts, MoveStep } from './seal.ts'

/** Attempts to finish within one seal. */
const maxPasses = 3

/** Old rows stay this long for running reads. */
export const oldRowsStayMs = 10 * 60_000

/** The team's shard and name, and whether it will be deleted; refuses an unknown team. */
export async function findTeamPlace(
  { db }: Pick<MoveParts, 'db'>,
  teamId: string,
): Promise<{ shard: string; name: string; ends: boolean }> {
  const { rows } = await sql<{ shard: string; name: string; ends: boolean }>`
    select shard, name, ends_at is not null as ends from public.team where id::text = ${teamId}`.execute(db)
  if (rows.length === 0) throw new MoveRefused(`there is no team ${teamId}`)
  return rows[0]!
}

async function claimed<T>(parts: MoveParts, teamId: string, work: () => Promise<T>): Promise<T> {
  const { db, system, processId } = parts
  await claimMove(db, teamId, processId, system.nowMs())
  const renewing = system.every(ownedMs / 4, () => {
    changeMove(db, teamId, processId, sql`owner_until_ms = ${system.nowMs() + ownedMs}`).catch(() => {})
  })
  try {
    return await work()
  } finally {
    renewing()
    await releaseMove(db, teamId, processId).catch(() => {})
  }
}

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
  if (open) await claimed(parts, teamId, () => removeLeftOvers(parts, open))
  await readTablesOfBoth(db, place.shard, to)
  await insertMove(db, teamId, place.shard, to, new Date(system.nowMs()))
  return (await findOpenMove(db, teamId))!
}

/** Moves a team; returns how many milliseconds it was sealed. Throws `MoveRefused`; after three passes it gives up and undoes. */
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
    const counted = sql`rows_copied = rows_copied + ${rows}, owner_until_ms = ${system.nowMs() + ownedMs}`
    await changeMove(db, teamId, processId, counted)
  }
  for (const table of tables) await copyTable(db, route, table, note)
  say(`copied ${copied} rows while the team worked`)
  await parts.passed?.('copied')
  let last: unknown
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    try {
      await changeMove(db, teamId, processId, sql`passes = passes + 1`)
      await catchUp(parts, route, tables)
      await copyCompanies(db, route)
      await parts.passed?.('caught up')
      const sealedForMs = await sealAndSwitch(parts, route, tables)
      await copyCompanies(db, route)
      say(`switched to ${to}; the team was sealed for ${sealedForMs} ms`)
      await parts.passed?.('switched')
      return sealedForMs
    } catch (error) {
      if (!isWorthAnotherPass(error)) throw error
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
  await changeMove(parts.db, move.teamId, parts.processId, sql`state = 'undoing', reason = ${reason}`)
  await removeLeftOvers(parts, { ...move, state: 'undoing' })
}

/** Undoes a move that has not switched, and removes its copies. */
export async function undoMove(parts: MoveParts, teamId: string): Promise<void> {
  const place = await findTeamPlace(parts, teamId)
  const move = await findOpenMove(parts.db, teamId)
  if (move === undefined) throw new MoveRefused(`no move of the team is under way: it is in ${place.shard}`)
  if (move.state === 'switched')
    throw new MoveRefused(`the team is in ${move.to} already: move it back with \`shards move ${teamId} ${move.from}\``)
  await claimed(parts, teamId, () => undoCopy(parts, move, 'undone by hand'))
}

/** Removes rows in the shard that is not the team's, and ends the move. */
async function removeLeftOvers(parts: MoveParts, { teamId, from, to, state, counts }: OpenMove): Promise<void> {
  const { db, system, processId } = parts
  const schema = state === 'switched' ? from : to
  const tables = await readTablesOfBoth(db, from, to)
  const strays = state === 'switched' ? straysOf(await countRows(db, teamId, schema, tables), counts ?? {}) : null
  if (strays !== null) await changeMove(db, teamId, processId, sql`reason = coalesce(reason, ${strays})`)
  await removeRows(db, teamId, schema, tables, async () => {
    await changeMove(db, teamId, processId, sql`owner_until_ms = ${system.nowMs() + ownedMs}`)
    await parts.passed?.('removing')
  })
  const ending = state === 'switched' ? 'done' : 'undone'
  await changeMove(db, teamId, processId, sql`state = ${ending}, ended_at = ${new Date(system.nowMs())}`)
}

/** Describes rows written to the old shard after the switch; null when there are none, as the fence ensures. */
function straysOf(found: Readonly<Record<string, number>>, counts: Readonly<Record<string, number>>): string | null {
  const more = Object.entries(found).filter(([table, rows]) => rows > (counts[table] ?? 0))
  if (more.length === 0) return null
  return `written to the old shard after the switch, and gone with it: ${more.map(([table, rows]) => `${table} ${rows - (counts[table] ?? 0)}`).join(', ')}`
}

/** Removes an abandoned move's copies, which could keep a person who is erased; the move stays open and copies again. */
async function removeCopies(parts: MoveParts, { teamId, from, to }: OpenMove): Promise<void> {
  const { db, processId } = parts
  const tables = await readTablesOfBoth(db, from, to)
  await removeRows(db, teamId, to, tables, async () => {})
  await changeMove(db, teamId, processId, sql`rows_copied = 0`)
}

/** Removes what moves left behind, once old reads are over; returns how many moves ended. */
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
