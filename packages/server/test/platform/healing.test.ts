/** Due work of teams whose turn was never marked is found, however many teams there are. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { leadsOf, track } from '../world/tracking.ts'
import { useWorld, workedByDrainAlone } from '../world/world.ts'

const world = useWorld({ config: workedByDrainAlone })

it('goes round all teams, a thousand at a time', async () => {
  const team = await world.team({ credits: 10 })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 1, comments: 0 })
  await track(team, author)
  const { bare } = world.database
  await sql`update work_turn set ready = false, due_at = null, look_ms = null`.execute(bare)
  // Their ids come before those of all teams that are made in our time.
  await sql`
    insert into team (id, name, plan, status, reads_limit, writes_limit, untracked_posts_limit, keyword_daily_ceiling,
      capture_allowed, data_key, signing_secret, created_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'One', 'growth', 'active', 1, 1, 1, 1, true,
      '', '', now() from generate_series(1, 1000) n`.execute(bare)
  const round = () => world.service.tasks.find(({ name }) => name === 'find due work that nobody marked')!.run()
  expect([await round(), await leadsOf(team, author)]).toEqual([0, []])
  expect(await round()).toBeGreaterThan(0)
  await world.drain()
  expect(await leadsOf(team, author)).toHaveLength(1)
})
