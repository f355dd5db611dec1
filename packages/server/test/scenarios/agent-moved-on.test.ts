import { beforeAll, describe, expect, it, vi } from 'vitest'
import { prepare, saveLaunch } from '../../src/modules/agent/launch.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { agentOf, ok, put, seedTopicPost, sourcesOf, start, topicsOf, trackOwn } from './agent-stage.ts'
import { seedWriters } from './discover-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

const watchedOf = async (team: Team) =>
  (await sourcesOf(team, 'person')).filter((source) => source.status === 'active').map((source) => source.username)

function writers(topic: string): string[] {
  const handles = [world.handle('writer'), world.handle('writer')]
  for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
  return seedWriters(
    world,
    topic,
    handles.map((handle) => ({ handle, engagements: [30] })),
  )
}

describe('people found for an agent', () => {
  it('that is started again are not watched once that start has stopped what they belong to [AGT-32, AGT-42]', async () => {
    const [one, two] = topicsOf(world, 2)
    const team = await world.team()
    writers(one!)
    const wanted = writers(two!)
    await put(team, { topics: [one], dailyCredits: 100 })
    await ok(start(team))
    // Makes the agent watch its people a minute later, as after a failure.
    await world.database.pool.query(
      `update agent set follow_due_at = launched_at + interval '1 minute' where team_id = $1`,
      [team.id],
    )
    await world.drain()
    expect(await agentOf(team)).toMatchObject({ status: 'active', peopleAdded: false })
    await put(team, { topics: [two] })
    const caller = { teamId: team.id, keyId: '', plan: 'free', status: 'active', captureAllowed: true } as const
    const faultPoint = async () => {}
    const request = { confirmSpend: true }
    const prepared = await world.unit(team, (tx) => prepare(tx, { faultPoint, caller, request }))
    // The worker runs between the two units of work of the start.
    await world.advance('1m')
    expect(await watchedOf(team)).toEqual([])
    await world.unit(team, (tx) => saveLaunch(tx, { faultPoint, caller, prepared }))
    await world.drain()
    expect(await agentOf(team)).toMatchObject({ peopleAdded: true, plan: { people: 2 } })
    expect((await watchedOf(team)).sort()).toEqual(wanted.sort())
  })
  it('of a free trial are swept at nobody’s cost once the team has subscribed, until the next start [AGT-30, AGT-43]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    const author = world.handle('writer')
    world.network.seedPerson({ handle: author, posts: [] })
    seedTopicPost(world, `About ${topic}`, [{}, {}, {}], author)
    await put(team, { topics: [topic] })
    await ok(start(team))
    await team.change({ status: 'active' })
    const before = await team.balance()
    await world.drain()
    await world.advance('24h')
    expect(await agentOf(team)).toMatchObject({ peopleAdded: true, dailyCredits: null })
    expect(await watchedOf(team)).toEqual([author])
    // The running search's results are charged to the team.
    expect(before - (await team.balance())).toBe(1)
    expect((await ok(team.get('/credits/usage'))).bySource).toMatchObject([{ type: 'discover', credits: 1 }])
    expect((await ok(start(team, { dailyCredits: 100 }))).launch).toMatchObject({ stopped: 2, created: 1 })
    await world.drain()
    expect(before - (await team.balance())).toBeGreaterThan(4)
  })
})

describe('a search of the agent of a free trial', () => {
  it('that the team tracks after it has subscribed sweeps on, and is the team’s to pay [AGT-43, KEY-02]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    const page = { company: world.handle('page') }
    seedTopicPost(world, `About ${topic}`, [{}, {}], page)
    await put(team, { topics: [topic] })
    await ok(start(team))
    await world.drain()
    await team.change({ status: 'active' })
    const before = await team.balance()
    seedTopicPost(world, `More about ${topic}`, [{}, {}, {}], page)
    expect((await ok(trackOwn(team, topic!, { creditCap: 20, datePosted: 'PAST_WEEK' }))).resumed).toBe(true)
    await world.advance('24h')
    expect(before - (await team.balance())).toBe(3)
    expect((await sourcesOf(team, 'keyword'))[0].lastRun).toMatchObject({ creditsSpent: 3 })
  })
})
