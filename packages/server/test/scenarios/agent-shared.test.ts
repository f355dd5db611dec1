/** Sources shared by agents or with the team: a stop ends what nobody else uses, and says what continues and why. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { seedWriters } from './discover-stage.ts'
import { agentOf, leadsSent, ok, put, seedTopicPost, sourcesOf, start, topicsOf, trackOwn } from './agent-stage.ts'
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

  it('leaves a search that the team has of its own, whoever of them is stopped first [FIX-08, AGT-34, G100]', async () => {
    const [shared] = topicsOf(world, 1) as [string]
    const team = await world.team()
    await trackOwn(team, shared, { datePosted: 'PAST_WEEK' })
    for (const agentId of await twoAgents(team, [[shared], [shared]]))
      expect(await stop(team, agentId)).toEqual({ stopped: 0, notStopped: [] })
    expect(await statusOf(team, 'keyword')).toEqual({ [shared]: 'active' })
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
