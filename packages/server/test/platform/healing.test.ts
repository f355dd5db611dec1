/** Due work of teams whose turn was never marked is found, however many teams there are. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { leadsOf, track } from '../world/tracking.ts'
import { insertTeams } from '../world/team-rows.ts'
import { useWorld, drainOnly } from '../world/world.ts'

const world = useWorld({ config: drainOnly })

it('goes round all teams, a thousand at a time', async () => {
  const team = await world.team({ credits: 10 })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 1, comments: 0 })
  await track(team, author)
  const { bare } = world.database
  await sql`update work_turn set ready = false, due_at = null, look_ms = null`.execute(bare)
  // Their ids sort before those of all other teams.
  const teams = Array.from({ length: 1_000 }, (_, n) => `00000000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`)
  const { rows } = await sql<{ shard: string }>`select shard from team where id = ${team.id}`.execute(bare)
  await insertTeams(bare, teams, new Date(), rows[0])
  const round = () => world.runTask('find due work that nobody marked')
  expect([await round(), await leadsOf(team, author)]).toEqual([0, []])
  expect(await round()).toBeGreaterThan(0)
  await world.drain()
  expect(await leadsOf(team, author)).toHaveLength(1)
})
