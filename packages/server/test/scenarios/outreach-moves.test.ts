/** A rule whose campaign or automatic sending changes while people wait for it: who is still sent, and to which campaign. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { put, running, seedTopicPost, topicsOf } from './agent-stage.ts'
import {
  add,
  capture,
  connect,
  expectSentOnce,
  fans,
  handlesIn,
  ok,
  queuedFor,
  seedCampaign,
  timesSent,
  type Connected,
} from './outreach-stage.ts'
import { stuckEnrichment } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

/** The platform refuses calls, so queued people stay queued and are retried. */
const busy = () => world.network.fault({ ...add, kind: 'status_429' })
const save = ({ team }: Connected, sourceId: string, rule: Record<string, unknown>) =>
  ok(team.put(`/sources/${sourceId}/outreach`, rule))
const queued = (ownerId: string) => queuedFor(world, ownerId)

const waiting = (stage: Connected, count: number) =>
  capture(world, stage.team, fans(count), {
    before: async (id) => {
      await save(stage, id, { campaignId: stage.campaignId })
      busy()
    },
  })

/** An agent with a lead that waits for campaign A; the returned function makes one more person engage. */
async function waitingAgent(stage: Connected): Promise<() => string> {
  const [topic] = topicsOf(world, 1)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  const engageOnce = () => seedTopicPost(world, `About ${topic}`, [{}], { company: page })[0]!
  engageOnce()
  await put(stage.team, { outreach: { campaignId: stage.campaignId } })
  busy()
  const { agent } = await running(world, stage.team, { titles: ['CMO'], topics: [topic] })
  expect(await queued(agent.id)).toBe(1)
  return engageOnce
}

async function engage(username: string): Promise<string> {
  const fan = world.handle('fan')
  world.network.seedPerson({ handle: fan, title: 'Engineer', country: 'DE' })
  world.network.seedPost({ author: username, reactions: [{ person: fan }] })
  await world.advance('25h')
  await world.advance('1h')
  return fan
}

describe('a rule that gets another campaign', () => {
  it('sends it what is captured from then on, and nothing that waited for the earlier one [FIX-08, G159]', async () => {
    const stage = await connect(world)
    const [a, b] = [stage.campaignId, seedCampaign(world, stage.key)]
    const source = await waiting(stage, 2)
    expect(await queued(source.id)).toBe(2)
    await world.move('1m')
    await save(stage, source.id, { campaignId: b })
    world.network.clearFaults()
    await world.advance('7h')
    expect([handlesIn(world, stage.key, a), handlesIn(world, stage.key, b)]).toEqual([[], []])
    const fresh = await engage(source.username)
    expect([handlesIn(world, stage.key, a), handlesIn(world, stage.key, b)]).toEqual([[], [fresh]])
    const { historic } = await save(stage, source.id, { campaignId: b, pushHistoric: true })
    expect(historic).toEqual({ matched: 3, queued: 2 })
    await world.drain()
    expect(handlesIn(world, stage.key, b)).toEqual([...source.handles, fresh].sort())
  })

  it('and goes back to the first one: what was captured before goes to neither, by history alone [FIX-08, G159]', async () => {
    const stage = await connect(world)
    const [a, b] = [stage.campaignId, seedCampaign(world, stage.key)]
    const source = await waiting(stage, 2)
    for (const campaignId of [b, a]) {
      await world.move('1m')
      await save(stage, source.id, { campaignId })
    }
    world.network.clearFaults()
    await world.advance('7h')
    expect([handlesIn(world, stage.key, a), handlesIn(world, stage.key, b)]).toEqual([[], []])
    const fresh = await engage(source.username)
    expect([handlesIn(world, stage.key, a), handlesIn(world, stage.key, b)]).toEqual([[fresh], []])
  })

  it('while a lead captured before is being enriched does not send it either [FIX-08, G159]', async () => {
    const stage = await connect(world)
    const b = seedCampaign(world, stage.key)
    const [username, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPerson({ handle: fan, title: 'Engineer' })
    world.network.seedPost({ author: username, reactions: [{ person: fan }] })
    world.network.hold({ operation: 'post-reactions' })
    await ok(stage.team.post('/enrich/profile', { username, saveTrackedProfile: true }))
    const { id } = (await ok(stage.team.get('/sources'))).sources[0]
    await save(stage, id, { campaignId: stage.campaignId })
    stuckEnrichment(world)
    world.network.release()
    await world.drain()
    await world.move('1m')
    await save(stage, id, { campaignId: b })
    world.network.clearFaults()
    await world.advance('1h')
    expect((await ok(stage.team.get(`/leads?username=${username}`))).leads[0].enrichmentStatus).toBe('completed')
    expect([handlesIn(world, stage.key, stage.campaignId), handlesIn(world, stage.key, b)]).toEqual([[], []])
  })

  it('by being removed and set again sends nothing from before [FIX-08, G159, OUT-19]', async () => {
    const stage = await connect(world)
    const b = seedCampaign(world, stage.key)
    const source = await waiting(stage, 2)
    await world.move('1m')
    await save(stage, source.id, { campaignId: null })
    await save(stage, source.id, { campaignId: b })
    world.network.clearFaults()
    await world.advance('7h')
    expect([handlesIn(world, stage.key, stage.campaignId), handlesIn(world, stage.key, b)]).toEqual([[], []])
  })

  it('while nobody knows who was added sends the new one history alone, and all of it [FIX-08, G159, OUT-13]', async () => {
    const stage = await connect(world)
    const b = seedCampaign(world, stage.key)
    const source = await capture(world, stage.team, fans(2), {
      before: async (id) => {
        await save(stage, id, { campaignId: stage.campaignId })
        world.network.fault({ ...add, kind: 'lost_reply', times: 1 })
      },
    })
    expect([handlesIn(world, stage.key, stage.campaignId).length, await queued(source.id)]).toEqual([2, 2])
    await save(stage, source.id, { campaignId: b })
    for (const wait of ['11m', '1h', '7h']) await world.advance(wait)
    expect(handlesIn(world, stage.key, b)).toEqual([])
    // Without time passing: a call for one campaign must not settle people waiting for the other.
    const next = seedCampaign(world, stage.key)
    await save(stage, source.id, { campaignId: b, pushHistoric: true })
    world.network.hold({ ...add, match: { campaignId: b } })
    world.beginDrain()
    await world.network.untilWaiting(1, add)
    await save(stage, source.id, { campaignId: next, pushHistoric: true })
    world.network.release()
    await world.drain()
    for (const campaignId of [stage.campaignId, b, next])
      expectSentOnce(world, { key: stage.key, campaignId }, source.handles)
  })

  it('of an agent, the same [FIX-08, G159, AGT-17]', async () => {
    const stage = await connect(world)
    const b = seedCampaign(world, stage.key)
    const engageAgain = await waitingAgent(stage)
    await world.move('1m')
    await put(stage.team, { outreach: { campaignId: b } })
    world.network.clearFaults()
    const fresh = engageAgain()
    await world.advance('24h')
    await world.advance('1h')
    expect([handlesIn(world, stage.key, stage.campaignId), handlesIn(world, stage.key, b)]).toEqual([[], [fresh]])
  })
})

describe('autoSend false', () => {
  it('stops what is being tried again; a push of history that waits beside it goes on [FIX-08, G160, OUT-18]', async () => {
    const stage = await connect(world)
    const source = await waiting(stage, 2)
    await save(stage, source.id, { campaignId: stage.campaignId, autoSend: false })
    world.network.clearFaults()
    await world.advance('7h')
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([])
    // After switching on again, they count as past leads.
    await save(stage, source.id, { campaignId: stage.campaignId })
    await world.advance('7h')
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([])
    busy()
    await save(stage, source.id, { campaignId: stage.campaignId, pushHistoric: true })
    await world.drain()
    await save(stage, source.id, { campaignId: stage.campaignId, autoSend: false })
    world.network.clearFaults()
    await world.advance('7h')
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual(source.handles.toSorted())
  })

  it('while people are being added, whose answer is lost: who was not added is not sent again [FIX-08, G160, OUT-13]', async () => {
    const stage = await connect(world)
    const source = await capture(world, stage.team, fans(2), {
      before: async (id) => {
        await save(stage, id, { campaignId: stage.campaignId })
        world.network.fault({ ...add, kind: 'status_500', times: 1 })
      },
    })
    expect(await queued(source.id)).toBe(2)
    await save(stage, source.id, { campaignId: stage.campaignId, autoSend: false })
    for (const wait of ['11m', '1h', '7h']) await world.advance(wait)
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(0)
  })
})
