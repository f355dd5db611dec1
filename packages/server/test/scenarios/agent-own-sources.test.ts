import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { seedWriters } from './discover-stage.ts'
import { agentOf, ok, put, running, sourcesOf, start, topicsOf, trackOwn } from './agent-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

const searchOf = async (team: Team, id: string) =>
  (await sourcesOf(team, 'keyword')).find((source) => source.id === id)!

function writers(topic: string, handles: readonly string[]): string[] {
  for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
  return seedWriters(
    world,
    topic,
    handles.map((handle, at) => ({ handle, engagements: [300 - at] })),
  )
}

describe('topics', () => {
  it('that are one search in two spellings have the share of one, and a stop ends it [AGT-33, AGT-42, AGT-45]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    await put(team, { topics: [`${topic} caf\u00e9`, `${topic} cafe\u0301`], dailyCredits: 100 })
    const { launch } = await ok(start(team))
    expect(launch).toMatchObject({ created: 1, reused: 0, plan: { perTopic: 50, people: 2, total: 100 } })
    expect((await ok(team.post('/agent/stop', {}))).stop).toEqual({ stopped: 1, notStopped: [] })
    expect((await ok(team.get('/sources'))).total).toBe(0)
  })
})

describe('a search of the agent that the team has untracked', () => {
  it('and tracked again is theirs: a start takes it as it is, never re-capped, and a stop leaves it [AGT-34, AGT-45]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    await running(world, team, { topics: [topic] })
    const [{ id }] = await sourcesOf(team, 'keyword')
    await ok(team.del(`/keyword/${id}`))
    expect((await agentOf(team)).sources).toMatchObject([{ id, active: false }])
    await ok(trackOwn(team, topic!, { name: 'Ours', confirmChanges: true }))
    expect((await ok(start(team))).launch).toMatchObject({ created: 0, reused: 1, stopped: 0 })
    expect(await searchOf(team, id)).toMatchObject({ status: 'active', name: 'Ours', config: { creditCap: 7 } })
    expect((await ok(team.post('/agent/stop', {}))).stop).toEqual({ stopped: 0, notStopped: [] })
    expect((await searchOf(team, id)).status).toBe('active')
  })
  it('is made anew by the next start, and is its own again [AGT-33, AGT-45]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    await running(world, team, { topics: [topic] })
    const [{ id }] = await sourcesOf(team, 'keyword')
    await ok(team.del(`/keyword/${id}`))
    expect((await ok(start(team))).launch).toMatchObject({ created: 1, reused: 0, stopped: 0 })
    expect((await ok(team.post('/agent/stop', {}))).stop.stopped).toBe(1)
    expect((await searchOf(team, id)).status).toBe('inactive')
  })
})

describe('people whom the search has found', () => {
  it('count once each, also those whom the team tracks under a handle they have given up [AGT-36]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const handles = writers(
      topic!,
      Array.from({ length: 12 }, () => world.handle('writer')),
    )
    const known = handles.slice(0, 2)
    for (const username of known) await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true }))
    await world.drain()
    await world.database.pool.query(
      `update source set username = 'once-' || username, identity = sha256(convert_to('once-' || username, 'UTF8'))
       where team_id = $1 and network_urn is not null`,
      [team.id],
    )
    const { agent } = await running(world, team, { topics: [topic], dailyCredits: 600 })
    expect(agent).toMatchObject({ peopleAdded: true, plan: { people: 12 } })
    expect((await sourcesOf(team, 'person')).map((source) => source.username).sort()).toEqual(
      [...known.map((handle) => `once-${handle}`), ...handles.slice(2)].sort(),
    )
    const watched = agent.sources.filter((source: { type: string }) => source.type === 'person')
    expect(watched).toHaveLength(12)
  })
  it('are watched by member id where they have no handle by which anybody could be named [AGT-36]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const [nameless, named] = writers(topic!, [`two words ${world.handle('writer')}`, world.handle('writer')])
    const { agent } = await running(world, team, { topics: [topic], dailyCredits: 200 })
    expect((await ok(team.get(`/discover/${agent.discoverRun}`))).found).toBe(2)
    expect((await sourcesOf(team, 'person')).map((source) => source.username).sort()).toEqual(
      [world.network.person(nameless!)!.id, named].sort(),
    )
    expect(await team.balance()).toBe(10_000 - 2)
  })
})
