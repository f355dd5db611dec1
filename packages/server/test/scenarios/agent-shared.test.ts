/** Sources shared by agents or with the team, and topics and people named twice: who has them, and what a stop ends. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { seedWriters } from './discover-stage.ts'
import {
  agentOf,
  leadsSent,
  ok,
  put,
  running,
  seedTopicPost,
  sourcesOf,
  start,
  topicsOf,
  trackOwn,
} from './agent-stage.ts'
import { connect, handlesIn } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

async function twoAgents(
  team: Team,
  topics: readonly [string[], string[]],
  change: Record<string, unknown> = {},
): Promise<[string, string]> {
  const ids: string[] = []
  for (const [at, its] of topics.entries()) {
    const { agent } = await put(team, {
      dailyCredits: 100,
      website: `agent-${at}.example`,
      ...change,
      topics: its,
      ...(at === 0 ? {} : { create: true }),
    })
    ids.push(agent.id)
    await ok(start(team, { agentId: agent.id }))
    await world.drain()
  }
  return ids as [string, string]
}

const stop = async (team: Team, agentId: string) => (await ok(team.post('/agent/stop', { agentId }))).stop
const statusOf = async (team: Team, type: 'keyword' | 'person') =>
  Object.fromEntries((await sourcesOf(team, type)).map((source) => [source.username, source.status]))

describe('a stop of one of two agents', () => {
  it('leaves the search that the other uses, says so, and the stop of the other ends it [FIX-08, AGT-45, AGT-46, G97]', async () => {
    const [shared, alone] = topicsOf(world, 2) as [string, string]
    const team = await world.team()
    const [first, second] = await twoAgents(team, [[shared, alone], [shared]])
    const [id] = (await sourcesOf(team, 'keyword')).flatMap((source) => (source.username === shared ? [source.id] : []))
    expect(await stop(team, first)).toEqual({
      stopped: 1,
      notStopped: [{ id, label: `Agent: ${shared}`, error: expect.stringContaining('agent-1.example') }],
    })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'active', [alone]: 'inactive' })
    expect((await agentOf(team, first)).sources.every(({ active }: { active: boolean }) => !active)).toBe(true)
    expect((await agentOf(team, second)).sources).toMatchObject([{ id, active: true }])
    expect(await stop(team, first)).toEqual({ stopped: 0, notStopped: [] })
    expect(await stop(team, second)).toEqual({ stopped: 1, notStopped: [] })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'inactive', [alone]: 'inactive' })
  })

  it('that only uses it leaves it to the agent that has made it [FIX-08, AGT-34, AGT-45]', async () => {
    const [shared] = topicsOf(world, 1) as [string]
    const team = await world.team()
    const [first, second] = await twoAgents(team, [[shared], [shared]])
    expect(await stop(team, second)).toEqual({ stopped: 0, notStopped: [] })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'active' })
    expect(await stop(team, first)).toEqual({ stopped: 1, notStopped: [] })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'inactive' })
  })

  it('leaves the people whom both watch to the other, which ends them in its turn [FIX-08, AGT-36, AGT-45]', async () => {
    const [shared] = topicsOf(world, 1) as [string]
    const team = await world.team()
    const [writer] = [world.handle('writer')]
    world.network.seedPerson({ handle: writer, posts: [] })
    seedWriters(world, shared, [{ handle: writer, engagements: [300] }])
    const [first, second] = await twoAgents(team, [[shared], [shared]])
    expect(await statusOf(team, 'person')).toEqual({ [writer]: 'active' })
    const { stopped, notStopped } = await stop(team, first)
    expect([stopped, notStopped.length]).toEqual([0, 2])
    expect(await statusOf(team, 'person')).toEqual({ [writer]: 'active' })
    expect((await stop(team, second)).stopped).toBe(2)
    expect(await statusOf(team, 'person')).toEqual({ [writer]: 'inactive' })
  })

  it('ends what another agent used before it was stopped, or for topics it has given up [FIX-08, AGT-45]', async () => {
    const [shared, other] = topicsOf(world, 2) as [string, string]
    const team = await world.team()
    const [first, second] = await twoAgents(team, [[shared], [shared]])
    await put(team, { agentId: second, topics: [other] })
    await ok(start(team, { agentId: second }))
    expect(await stop(team, first)).toEqual({ stopped: 1, notStopped: [] })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'inactive', [other]: 'active' })
  })

  it('hands what goes on to the webhook and the campaign of the other alone [FIX-08, G136, AGT-17]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [shared] = topicsOf(world, 1) as [string]
    const page = world.handle('page')
    world.network.seedCompany({ slug: page, posts: [] })
    const [mine, theirs] = [await world.inbox(), await world.inbox()]
    const [first, second] = await twoAgents(team, [[shared], [shared]], { titles: ['CMO'] })
    await put(team, { agentId: first, webhook: { url: mine.url, autoSend: true } })
    await put(team, { agentId: second, webhook: { url: theirs.url, autoSend: true }, outreach: { campaignId } })
    await stop(team, first)
    const [fan] = seedTopicPost(world, `About ${shared}`, [{}], { company: page })
    await world.advance('24h')
    await world.advance('1h')
    expect([leadsSent(mine), leadsSent(theirs), handlesIn(world, key, campaignId)]).toEqual([0, 1, [fan]])
  })
})

describe('a start of one of two agents', () => {
  it('keeps its own search that the other uses, and leaves to it what it wants no more [FIX-08, AGT-32, AGT-38]', async () => {
    const [shared, given] = topicsOf(world, 2) as [string, string]
    const team = await world.team()
    const [first, second] = await twoAgents(team, [
      [shared, given],
      [shared, given],
    ])
    await put(team, { agentId: first, topics: [shared] })
    const { launch } = await ok(start(team, { agentId: first }))
    expect(launch).toMatchObject({ created: 0, reused: 1, stopped: 0 })
    expect(
      launch.notStopped.map(({ label, error }: { label: string; error: string }) => [label, error]).sort(),
    ).toEqual(
      [
        [`Agent: ${given}`, expect.stringContaining("that agent's own")],
        [`Agent: ${shared}`, expect.stringContaining('used by both')],
      ].sort(),
    )
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'active', [given]: 'active' })
    expect((await stop(team, second)).stopped).toBe(1)
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'active', [given]: 'inactive' })
    expect((await stop(team, first)).stopped).toBe(1)
  })
})

function writers(topic: string, handles: readonly string[]): string[] {
  for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
  return seedWriters(
    world,
    topic,
    handles.map((handle, at) => ({ handle, engagements: [300 - at] })),
  )
}

describe('a search of the agent that the team has untracked', () => {
  it('and tracked again is theirs: a start takes it as it is, never re-capped, and a stop leaves it [AGT-34, AGT-45]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    // Nobody was found for it, and so the people are all added.
    const { agent } = await running(world, team, { topics: [topic] })
    expect(agent).toMatchObject({ peopleAdded: true, sources: [{ type: 'keyword' }] })
    const [{ id }] = await sourcesOf(team, 'keyword')
    await ok(team.del(`/keyword/${id}`))
    expect((await agentOf(team)).sources).toMatchObject([{ id, active: false }])
    await ok(trackOwn(team, topic!, { name: 'Ours', confirmChanges: true }))
    expect((await ok(start(team))).launch).toMatchObject({ created: 0, reused: 1, stopped: 0 })
    const [search] = await sourcesOf(team, 'keyword')
    expect(search).toMatchObject({ id, status: 'active', name: 'Ours', config: { creditCap: 7 } })
    expect((await ok(team.post('/agent/stop', {}))).stop).toEqual({ stopped: 0, notStopped: [] })
    expect((await sourcesOf(team, 'keyword'))[0].status).toBe('active')
  })
})

describe('people whom the search has found', () => {
  it('count once each, also those whom the team tracks under a handle they have given up [AGT-36]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const handles = writers(
      topic!,
      Array.from({ length: 4 }, () => world.handle('writer')),
    )
    const known = handles.slice(0, 2)
    for (const username of known) await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true }))
    await world.drain()
    await world.database.pool.query(
      `update source set username = 'once-' || username, identity = sha256(convert_to('once-' || username, 'UTF8'))
       where team_id = $1 and network_urn is not null`,
      [team.id],
    )
    const { agent } = await running(world, team, { topics: [topic], dailyCredits: 200 })
    expect(agent).toMatchObject({ peopleAdded: true, plan: { people: 4 } })
    expect((await sourcesOf(team, 'person')).map((source) => source.username).sort()).toEqual(
      [...known.map((handle) => `once-${handle}`), ...handles.slice(2)].sort(),
    )
    const watched = agent.sources.filter((source: { type: string }) => source.type === 'person')
    expect(watched).toHaveLength(4)
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
