/**
 * Closing a team. At once nobody is let in and nothing is worked on for it, and everything stays as it is; 30 days later its rows go
 * (`worker/team-end`). Until then it can be restored, and goes on where it stood.
 */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { findTeam, lockTeam, updateTeam, type Team } from './team.ts'

/** Days in which a closed team can be restored. */
const restorableDays = 30
const dayMs = 86_400_000

/** Closes a team; one that is closed stays so. `now`: its rows go at once. Null for an unknown team. */
export async function closeTeam(tx: Tx, id: string, { now }: { now: boolean }): Promise<Team | null> {
  const team = await lockTeam(tx, id)
  if (!team) return null
  const closedAt = team.closedAt ?? tx.now
  const endsAt = team.endsAt ?? new Date(closedAt.getTime() + restorableDays * dayMs)
  await updateTeam(tx, id, { closed_at: closedAt, ends_at: now && endsAt > tx.now ? tx.now : endsAt })
  return await findTeam(tx.db, id)
}

/** Opens a closed team again, and marks all its work; one that is open stays so. Null for a team that is unknown, or whose rows go already. */
export async function restoreTeam(tx: Tx, id: string): Promise<Team | null> {
  const team = await lockTeam(tx, id)
  if (!team || (team.endsAt !== null && team.endsAt <= tx.now)) return null
  await updateTeam(tx, id, { closed_at: null, ends_at: null })
  tx.markAll(id)
  return await findTeam(tx.db, id)
}

/** Notes that the rows of a team begin to go, which lets its ledger go as well; false when there is no team whose time has come. */
export async function beginEnding(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update team t set ending = true where t.id = ${id} and t.ends_at <= ${tx.now} returning 1`.execute(tx.db)
  return rows.length > 0
}

/** Deletes a team whose other rows have gone: its keys to everything that was sealed for it go with it. */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await sql`delete from team t where t.id = ${id} and t.ending`.execute(tx.db)
}
