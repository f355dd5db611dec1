/**
 * Teams whose test is over rest. As the tests of a file move one clock, every team of theirs would be synced, ranked and gone through
 * for retention to the end of the file, beside all later ones: half of what such a file asked of the database. What a team's data must
 * be like was judged at the end of its test. The long run rests nobody: there earlier teams go on beside later ones (decision 0025).
 */
import { sql } from 'kysely'
import type { Team, World } from './world.ts'

/** Takes teams out of the work of a world, as the end of a subscription does, and out of retention. */
export async function restTeams(world: World, teams: readonly Team[]): Promise<void> {
  if (teams.length === 0) return
  const ids = teams.map(({ id }) => id)
  const { root } = world.database
  await sql`update team set status = 'expired' where id = any(${ids}::uuid[])`.execute(root)
  await sql`delete from retention_turn where team_id = any(${ids}::uuid[])`.execute(root)
  await sql`
    insert into retention_turn (team_id, checked_at, places)
    select id, '9999-01-01', '{}' from team where id = any(${ids}::uuid[])`.execute(root)
}

/** Serves teams again, so that their lists can be read. */
export async function wakeTeams(world: World, teams: readonly Team[]): Promise<void> {
  const ids = teams.map(({ id }) => id)
  await sql`update team set status = 'active' where id = any(${ids}::uuid[])`.execute(world.database.root)
}
