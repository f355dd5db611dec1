/** The agent's webhook: automatic sending, pushes, and what neither sends (specification «Events»; G48, G134, G136). */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  agentOf,
  handleIn,
  leadsOf,
  ok,
  put,
  running,
  seedTopicPost,
  start,
  topicsOf,
  trackOwn,
  webhookStatesOf,
  type Engager,
} from './agent-stage.ts'
import { trackWith } from './fit-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

// Moving a day syncs every agent source of this file.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

const profile = { titles: ['CMO'], countries: ['Germany'] }

async function engaged(
  team: Team,
  engagers: readonly Engager[],
  change: Record<string, unknown> = {},
): Promise<{ topic: string; handles: string[] }> {
  const [topic] = topicsOf(world, 1)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  const handles = seedTopicPost(world, `About ${topic}`, engagers, { company: page })
  await running(world, team, { ...profile, ...change, topics: [topic] })
  return { topic: topic!, handles }
}

const sent = (inbox: { received: readonly { body: any }[] }) =>
  inbox.received.filter(({ body }) => body.event === 'lead.detected').map(({ body }) => body)

describe('leads that go by themselves', () => {
  it('are new ones that the agent lists and that pass its filters, once each, with ICP % and signal [WHK-28, WHK-11, AGT-15, G48]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    await engaged(team, [{ comment: 'yes' }, { country: 'FR' }, { title: 'Clerk' }], {
      webhook: { url: inbox.url, autoSend: true, filters: [{ column: 'icp', operator: 'at_least', value: 80 }] },
    })
    const bodies = sent(inbox)
    expect(bodies).toHaveLength(1)
    expect(bodies[0].lead).toMatchObject({ icp: 100, signal: 'strong', jobTitle: 'CMO', country: 'Germany' })
    expect(bodies[0].source.type).toBe('keyword')
    await world.advance('24h')
    expect(sent(inbox)).toHaveLength(1)
    expect(await webhookStatesOf(team)).toEqual(['pending', 'pending', 'sent'])
  })
  it('come from the sources that the agent has made; a search of the team keeps its own webhook [AGT-75, AGT-34]', async () => {
    const team = await world.team()
    const [agents, own] = [await world.inbox(), await world.inbox()]
    const [mine, theirs] = topicsOf(world, 2)
    const page = world.handle('page')
    world.network.seedCompany({ slug: page, posts: [] })
    for (const topic of [mine, theirs]) seedTopicPost(world, `About ${topic}`, [{}], { company: page })
    const { id } = (await trackOwn(team, theirs!, { datePosted: 'PAST_WEEK' })).body
    await ok(team.put(`/keyword/${id}/webhook`, { webhookUrl: own.url }))
    await running(world, team, { ...profile, topics: [mine, theirs], webhook: { url: agents.url, autoSend: true } })
    expect([sent(agents).length, sent(own).length]).toEqual([1, 1])
    expect(sent(own)[0].lead.icp).toBeUndefined()
    const { queued, considered } = await ok(team.post('/agent/push', {}))
    expect([queued, considered]).toEqual([0, 2])
    await put(team, { webhook: null })
    expect((await ok(team.get(`/keyword/${id}/webhook`))).webhookUrl).toBe(own.url)
    const made = (await agentOf(team)).sources.find((source: { label: string }) => source.label === `Agent: ${mine}`)
    expect((await ok(team.get(`/keyword/${made.id}/webhook`))).webhookUrl).toBeNull()
  })
  it("go on to the address that the team gave one of the agent's sources when the agent's is taken away [AGT-14, WHK-02]", async () => {
    const team = await world.team()
    const [agents, own] = [await world.inbox(), await world.inbox()]
    await engaged(team, [{ title: 'Clerk' }], { webhook: { url: agents.url, autoSend: true } })
    const { id } = (await agentOf(team)).sources.find((source: { type: string }) => source.type === 'keyword')
    await ok(team.put(`/keyword/${id}/webhook`, { webhookUrl: own.url }))
    await put(team, { webhook: null })
    expect((await ok(team.get(`/keyword/${id}/webhook`))).webhookUrl).toBe(own.url)
    const { leads } = await ok(team.get(`/leads?profileId=${id}`))
    expect(leads.map((lead: { webhookStatus: string }) => lead.webhookStatus)).toEqual(['pending'])
  })
})

describe('a push', () => {
  it('sends everybody listed who passes the filters of the webhook, who do not go by themselves without autoSend, once each [AGT-14, AGT-73..AGT-76]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const { handles } = await engaged(team, [{}, { comment: 'yes' }, { country: 'FR' }, { title: 'Clerk' }])
    await put(team, { webhook: { url: inbox.url, filters: [{ column: 'icp', operator: 'at_least', value: 80 }] } })
    const agentId = (await agentOf(team)).id
    await world.drain()
    expect(sent(inbox)).toEqual([])
    expect(await ok(team.post('/agent/push', {}))).toEqual({ agentId, queued: 2, considered: 2, excluded: 0 })
    await world.drain()
    expect(
      sent(inbox)
        .map((body) => handleIn(body.lead.linkedinUrl))
        .sort(),
    ).toEqual(handles.slice(0, 2).sort())
    expect(sent(inbox).every((body) => body.lead.icp === 100)).toBe(true)
    expect(await ok(team.post('/agent/push', { agentId }))).toEqual({ agentId, queued: 0, considered: 2, excluded: 0 })
    await world.drain()
    expect(sent(inbox)).toHaveLength(2)
  })
  it('of everybody leaves out whom enrichment has not told of yet, also where anybody is listed [AGT-73, AGT-62]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    await engaged(team, [{}, {}], { titles: [] })
    await put(team, { webhook: { url: inbox.url } })
    const { agentId, ...none } = await ok(team.post('/agent/push', {}))
    expect(none).toMatchObject({ queued: 0, considered: 0 })
    world.network.clearFaults()
    await world.advance('10m')
    expect(await ok(team.post('/agent/push', {}))).toEqual({ agentId, queued: 2, considered: 2, excluded: 0 })
  })
  it("of some leads sends those, whatever the filters say, and only the agent's own [AGT-73, AGT-76]", async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const inbox = await world.inbox()
    await engaged(team, [{}, { country: 'FR' }])
    await engaged(stranger, [{}])
    await put(team, { webhook: { url: inbox.url, filters: [{ column: 'icp', operator: 'at_least', value: 80 }] } })
    const leads = await leadsOf(team)
    // A lead of the same team whose source is not the agent's.
    const own = await trackWith(world, team, [{ title: 'CMO' }])
    const [apart] = (await ok(team.get(`/leads?source=${own.username}`))).leads
    const french = leads.find((lead) => lead.country === 'France').id
    const foreign = (await leadsOf(stranger))[0].id
    expect(await ok(team.post('/agent/push', { leadIds: [french, apart.id, foreign, randomUUID()] }))).toMatchObject({
      queued: 1,
      considered: 1,
    })
    await world.drain()
    expect(sent(inbox).map((body) => body.lead.id)).toEqual([french])
    expect(sent(inbox)[0].lead).toMatchObject({ icp: 57, signal: expect.any(String) })
    expect(await ok(team.post('/agent/push', { leadIds: [] }))).toMatchObject({ queued: 0, considered: 0 })
  })
  it('retries what failed, and leaves what is on its way; two at once queue each lead once [AGT-74]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    await engaged(team, [{}, {}])
    await put(team, { webhook: { url: inbox.url } })
    inbox.answer(500)
    const both = await Promise.all([team.post('/agent/push', {}), team.post('/agent/push', {})])
    expect(both.reduce((sum, answer) => sum + answer.body.queued, 0)).toBe(2)
    expect((await ok(team.post('/agent/push', {}))).queued).toBe(0)
    await world.drain()
    for (const later of ['10s', '7m', '40m', '3h', '7h', '13h', '18h', '25h', '30h']) await world.advance(later)
    expect(await webhookStatesOf(team)).toEqual(['failed', 'failed'])
    const before = inbox.received.length
    inbox.answer(200)
    expect((await ok(team.post('/agent/push', {}))).queued).toBe(2)
    await world.drain()
    const retried = sent(inbox).slice(before)
    expect(new Set(retried.map((body) => body.lead.id)).size).toBe(2)
    expect(await webhookStatesOf(team)).toEqual(['sent', 'sent'])
  }, 120_000)
  it('without a webhook, malformed or with an unknown field is refused [AGT-73, AGT-76, ERR-10]', async () => {
    const team = await world.team()
    await put(team, { summary: 'x' })
    const cases: [Record<string, unknown>, string | undefined][] = [
      [{}, 'no_webhook'],
      [{ leadIds: [randomUUID()] }, 'no_webhook'],
      [{ leadIds: 'all' }, undefined],
      [{ leadIds: ['nonsense'] }, undefined],
      [{ leadIds: Array.from({ length: 5_001 }, () => randomUUID()) }, undefined],
      [{ icpOnly: true }, 'unknown_field'],
      [{ agentId: 'nonsense' }, undefined],
    ]
    for (const [body, code] of cases) {
      const answer = await refusedWithoutTrace(world, () => team.post('/agent/push', body))
      expect([answer.status, answer.body.code]).toEqual([400, code])
    }
    await put(team, { webhook: { url: 'https://example.com/x' } })
    expect(
      (await team.post('/agent/push', { leadIds: Array.from({ length: 5_000 }, () => randomUUID()) })).status,
    ).toBe(200)
  })
  it('of a stopped agent sends nothing: leads of what is untracked stay [AGT-75, WHK-19]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    await engaged(team, [{}], { webhook: { url: inbox.url } })
    await ok(team.post('/agent/stop', {}))
    expect(await ok(team.post('/agent/push', {}))).toMatchObject({ queued: 0, considered: 1 })
    await world.drain()
    expect(sent(inbox)).toEqual([])
    await ok(start(team))
    await world.drain()
    expect((await ok(team.post('/agent/push', {}))).queued).toBe(1)
    await world.drain()
    expect(sent(inbox)).toHaveLength(1)
  })
})
