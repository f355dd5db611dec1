/** Closing a team stops access and work at once. It can be restored for 30 days; then `worker/team-end` deletes its rows. */
import { sql } from 'kysely'
import { queryExists } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { findTeam, lockTeam, updateTeam, type Team } from './team.ts'

const restorableDays = 30
const dayMs = 86_400_000

/** Closes a team, if still open; `now`: its rows may be deleted at once. Null for an unknown team. */
export async function closeTeam(tx: Tx, id: string, { now }: { now: boolean }): Promise<Team | null> {
  const team = await lockTeam(tx, id)
  if (!team) return null
  const closedAt = team.closedAt ?? tx.now
  const endsAt = team.endsAt ?? new Date(closedAt.getTime() + restorableDays * dayMs)
  await updateTeam(tx, id, { closed_at: closedAt, ends_at: now && endsAt > tx.now ? tx.now : endsAt })
  return await findTeam(tx.db, id)
}

/** Reopens a closed team and marks all its work. Null for a team that is unknown or already being deleted. */
export async function restoreTeam(tx: Tx, id: string): Promise<Team | null> {
  const team = await lockTeam(tx, id)
  if (!team || (team.endsAt !== null && team.endsAt <= tx.now)) return null
  await updateTeam(tx, id, { closed_at: null, ends_at: null })
  tx.markAll(id)
  return await findTeam(tx.db, id)
}

/** Marks a team whose time has come as ending, which permits deleting its ledger; false when there is no such team. */
export const beginEnding = (tx: Tx, id: string) =>
  queryExists(tx.db)`
    update team t set ending = true where t.id = ${id} and t.ends_at <= ${tx.now} returning 1`

/** Deletes an ending team whose other rows are gone, and with it its data key. */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await sql`delete from team t where t.id = ${id} and t.ending`.execute(tx.db)
}
