import { beforeAll, describe, expect, it, vi } from 'vitest'
import { prepare, saveLaunch } from '../../src/modules/agent/launch.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { seedWriters } from './discover-stage.ts'
import { workThrough } from './sync-stage.ts'
import { agentOf, labelsOf, ok, put, running, sourcesOf, start, topicsOf } from './agent-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

// Moving a day syncs every agent source of this file.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

/** People who write only about this topic, the best first; only their own posts count. */
function writers(topic: string, count: number): string[] {
  const handles = Array.from({ length: count }, () => world.handle('writer'))
  for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
  return seedWriters(
    world,
    topic,
    handles.map((handle, at) => ({ handle, engagements: [300 - at] })),
  )
}

const watchedOf = async (team: Team) => (await sourcesOf(team, 'person')).filter((source) => source.status === 'active')

describe('the people that the search finds', () => {
  it('are watched when it is over, as many as the plan says: 25 credits a sync, the first of 5 posts [AGT-36, AGT-38]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const handles = writers(topic!, 6)
    const { agent } = await running(world, team, { topics: [topic], dailyCredits: 200 })
    expect(agent).toMatchObject({ peopleAdded: true, plan: { people: 4 } })
    const watched = await watchedOf(team)
    expect(watched.map((source) => source.username).sort()).toEqual(handles.slice(0, 4).sort())
    for (const source of watched)
      expect(source).toMatchObject({
        creditCapPerSync: 25,
        firstSyncPosts: 5,
        firstSyncDays: null,
        mode: 'engagers',
        enrichLeads: true,
      })
    expect(labelsOf(agent, 'person').sort()).toEqual(handles.slice(0, 4).sort())
    expect(await team.balance()).toBe(10_000 - 4)
  })
  it('are taken as they are where the team watches them already, and a stop leaves those [AGT-36, AGT-45]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const [known, taken, fresh] = writers(topic!, 3)
    await ok(team.post('/enrich/profile', { username: known, saveTrackedProfile: true, creditCapPerSync: 3 }))
    world.network.seedCompany({ slug: taken!, posts: [] })
    await ok(team.post('/enrich/company', { username: taken, saveTrackedProfile: true }))
    const { agent } = await running(world, team, { topics: [topic], dailyCredits: 200 })
    expect(agent).toMatchObject({ peopleAdded: true, plan: { people: 4 } })
    expect(labelsOf(agent, 'person').sort()).toEqual([known, fresh].sort())
    const settings = new Map((await watchedOf(team)).map((source) => [source.username, source.creditCapPerSync]))
    expect([settings.get(known!), settings.get(fresh!)]).toEqual([3, 25])
    expect((await ok(team.post('/agent/stop', {}))).stop.stopped).toBe(2)
    expect((await watchedOf(team)).map((source) => source.username)).toEqual([known])
  })
  it('of a search still running when the agent is stopped are not added, though it finishes [AGT-47]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    writers(topic!, 2)
    await put(team, { topics: [topic], dailyCredits: 100 })
    const { launch } = await ok(start(team))
    await ok(team.post('/agent/stop', {}))
    await world.drain()
    expect((await ok(team.get(`/discover/${launch.discoverRun}`))).state).toBe('done')
    expect(await agentOf(team)).toMatchObject({ status: 'draft', peopleAdded: false, sources: [{ active: false }] })
    expect(await watchedOf(team)).toEqual([])
  })
  it('are added by the next start when the one before died, each once, whenever the worker dies [AGT-36]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const handles = writers(topic!, 4)
    await put(team, { topics: [topic], dailyCredits: 200 })
    await world.arm('agent.person-watched', 1)
    await ok(start(team))
    // The fault may hit a worker of the service or the drain, whichever is first.
    await workThrough(world, 'agent.person-watched', 1)
    await world.advance('1m')
    expect(await agentOf(team)).toMatchObject({ peopleAdded: true })
    expect((await watchedOf(team)).map((source) => source.username).sort()).toEqual([...handles].sort())
  })
  it('that is started again are not watched once that start has stopped what they belong to [AGT-32, AGT-42]', async () => {
    const [one, two] = topicsOf(world, 2)
    const team = await world.team()
    writers(one!, 2)
    const wanted = writers(two!, 2)
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
    expect((await watchedOf(team)).map((source) => source.username).sort()).toEqual(wanted.sort())
  })
})
