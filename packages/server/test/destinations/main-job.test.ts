/** The main job with destinations: people who engage and fit arrive in the CRM and the channel, and results show their cost. */
import { describe, expect, it } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { happens, post, urlOf } from '../results/stage.ts'
import { onlySeeded, search, topic } from '../scenarios/keyword-run-stage.ts'
import { connect, ok } from '../scenarios/outreach-stage.ts'
import { likes } from '../scenarios/sync-stage.ts'
import { long } from '../world/amount.ts'
import { skippingClock } from '../world/fast-clock.ts'
import { useWorld, drainOnly, type Answer } from '../world/world.ts'
import { dieAt, forgetLeases, kinds, place } from './kinds.ts'

const world = useWorld({ config: drainOnly, overrides: { system: skippingClock() } })

type Dying = 'nowhere' | FaultPoint

const inDestinations: readonly Dying[] = ['destination.begun', 'destination.sent', 'destination.recorded']
const inPosts: readonly Dying[] = ['results.leased', 'results.applied']
const inReading: readonly Dying[] = ['results.read']
/** The fault points of the usual run; other files cover the rest separately. */
const usual: readonly Dying[] = ['nowhere', 'destination.sent', 'results.received', 'results.applied', 'results.read']
const tried = (places: readonly Dying[]) => (long ? places : places.filter((place) => usual.includes(place)))

/** Does due work; if the process is to die at one of these points, another finishes. */
async function work(dies: Dying, among: readonly Dying[]): Promise<void> {
  if (dies !== 'nowhere' && among.includes(dies)) await dieAt(world, dies)
  else await world.drain()
  for (let more = 0; more < 3; more += 1) {
    await forgetLeases(world)
    await world.drain()
  }
}

async function captured(dies: Dying) {
  const stage = await connect(world)
  const { team } = stage
  onlySeeded(world)
  const [hubspot, channel] = [
    await place(world, team, kinds.find(({ kind }) => kind === 'hubspot')!, { icpOnly: true }),
    await place(world, team, kinds.find(({ kind }) => kind === 'slack')!, { icpOnly: true }),
  ]
  const word = topic(world)
  const strong = [world.handle('strong'), world.handle('strong')] as const
  const weak = world.handle('weak')
  for (const handle of strong) world.network.seedPerson({ handle, title: 'Head of Growth', country: 'DE' })
  world.network.seedPerson({ handle: weak, title: 'Engineer', country: 'DE' })
  const author = world.handle('author')
  world.network.seedPerson({ handle: author, title: 'Engineer', country: 'DE' })
  world.network.seedPost({ author, text: `${word} today`, reactions: likes([...strong, weak]), comments: [] })
  const { id } = await search(team, { keywords: [word], captureEngagers: true, enrichLeads: true })
  const rules = [{ column: 'jobTitle', operator: 'contains', value: 'Growth' }]
  await ok(team.put(`/keyword/${id}/icp`, { rules }))
  await work(dies, inDestinations)
  for (const there of [hubspot, channel]) {
    expect(there.people()).toHaveLength(2)
    for (const handle of strong) expect(there.people().filter((text) => text.includes(handle))).toHaveLength(1)
  }
  const { leads } = await ok(team.get('/leads?limit=100'))
  const leadIds = leads
    .filter((lead: Answer['body']) => strong.some((handle) => lead.linkedinUrl === urlOf(handle)))
    .map((lead: Answer['body']) => lead.id)
  const { campaignId } = stage
  expect((await ok(team.post('/integrations/outreach/send', { campaignId, leadIds }))).sent).toBe(2)
  const { resultsUrl } = await ok(team.get('/integrations/outreach'))
  return { stage, team, id, strong, resultsUrl }
}

async function expectCost({ team, id }: Awaited<ReturnType<typeof captured>>): Promise<void> {
  const { rows } = await ok(team.get('/results/summary?groupBy=source'))
  const row = rows.find((one: Answer['body']) => one.key === id)
  expect(row).toMatchObject({ replied: 1, fitPeople: 2 })
  expect(row.credits).toBeGreaterThanOrEqual(3)
  expect(row.costPerReply).toBe(row.credits)
}

describe('a search whose strong leads go to HubSpot, Slack and a campaign', () => {
  it.each(tried(['nowhere', ...inDestinations, 'results.received', ...inPosts]))(
    'shows what a posted reply has cost, once, when the service dies at: %s [DST-06, DST-07, RSL-02, RSL-04]',
    async (dies) => {
      const scene = await captured(dies)
      const body = happens(world, scene.stage, scene.strong[0], 'replied')
      if (dies === 'results.received') {
        await world.arm('results.received')
        expect(await post(scene.resultsUrl, body)).toBeGreaterThanOrEqual(500)
      }
      expect(await post(scene.resultsUrl, body)).toBe(200)
      await work(dies, inPosts)
      await expectCost(scene)
      await world.move('2h')
      await work('nowhere', [])
      await expectCost(scene)
    },
  )

  it.each(tried(inReading))(
    'shows what a reply has cost that is found by asking, once, when the service dies at: %s [RSL-02, RSL-04]',
    async (dies) => {
      const scene = await captured('nowhere')
      happens(world, scene.stage, scene.strong[0], 'replied')
      await world.move('2h')
      await work(dies, inReading)
      await expectCost(scene)
    },
  )
})
