/**
 * Ends the background work of teams whose test is over: the file's clock would sync, rank and purge them to its end, which
 * doubled the database work, and the oracle has checked their data. In the long run all teams stay active (decision 0025).
 */
import { sql } from 'kysely'
import type { Team, World } from './world.ts'

/** Excludes teams from background work, as the end of a subscription does, and from retention. */
export async function suspendTeams(world: World, teams: readonly Team[]): Promise<void> {
  if (teams.length === 0) return
  const ids = teams.map(({ id }) => id)
  const { root } = world.database
  await sql`update team set status = 'expired' where id = any(${ids}::uuid[])`.execute(root)
  await sql`delete from retention_turn where team_id = any(${ids}::uuid[])`.execute(root)
  await sql`
    insert into retention_turn (team_id, checked_at, places)
    select id, '9999-01-01', '{}' from team where id = any(${ids}::uuid[])`.execute(root)
}

/** Makes teams active again, so that their lists can be read. */
export async function resumeTeams(world: World, teams: readonly Team[]): Promise<void> {
  const ids = teams.map(({ id }) => id)
  await sql`update team set status = 'active' where id = any(${ids}::uuid[])`.execute(world.database.root)
}
