/** The world itself: a team works on through its own test, and through later ones in the long run alone. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../scenarios/sync-stage.ts'
import { long } from './amount.ts'
import { useWorld, type Team } from './world.ts'

const world = useWorld()

async function syncsOf(team: Team): Promise<number> {
  const { rows } = await world.database.pool.query<{ syncs: number }>(
    'select count(*)::int as syncs from sync where team_id = $1',
    [team.id],
  )
  return rows[0]!.syncs
}

async function tracking(): Promise<Team> {
  const team = await world.team()
  const author = world.handle()
  world.network.seedPost({ author, reactions: [{ person: world.handle() }] })
  await sweep(world, team, author)
  return team
}

describe('teams of a world', () => {
  let lasting: Team
  let passing: Team
  beforeAll(async () => {
    lasting = await tracking()
  })

  it('are worked for through their own test', async () => {
    passing = await tracking()
    await world.advance('48h')
    expect([await syncsOf(lasting), await syncsOf(passing)]).toEqual([2, 2])
  })
  it('rest once it is over, unless the file made them for all its tests', async () => {
    await world.advance('48h')
    expect([await syncsOf(lasting), await syncsOf(passing)]).toEqual([3, long ? 3 : 2])
  })
})
