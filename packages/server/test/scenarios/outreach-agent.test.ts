/** The auto-push of an agent: whom it sends, with which facts, and its place among the team's other auto-pushes. */
import { beforeAll, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { agentOf, ok, put, running, seedTopicPost, topicsOf, trackOwn, type Engager } from './agent-stage.ts'
import { capture, connect, handlesIn, membersOf, seedCampaign } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => void world.network.seedSearch({ generated: false }))

const filters = [{ column: 'icp', operator: 'at_least', value: 70 }]
function seed(topic: string, engagers: readonly Engager[]): string[] {
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  return seedTopicPost(world, `About ${topic}`, engagers, { company: page })
}

it('a campaign that is not there, takes no leads, or a team that is not connected: nothing of the change is written [AGT-17]', async () => {
  const { team, key } = await connect(world)
  await put(team, { website: 'before.example' })
  const cases = [
    [{ campaignId: '999999999' }, 404, undefined],
    [{ campaignId: seedCampaign(world, key, { status: 'FINISHED' }) }, 400, 'campaign_closed'],
  ] as const
  for (const [outreach, status, code] of cases) {
    const answer = await refusedWithoutTrace(world, () => team.put('/agent', { website: 'after.example', outreach }))
    expect([answer.status, answer.body.code]).toEqual([status, code])
  }
  const loose = await world.team()
  await put(loose, { website: 'before.example' })
  expect(
    (
      await refusedWithoutTrace(world, () =>
        loose.put('/agent', { website: 'after.example', outreach: { campaignId: '1' } }),
      )
    ).body.code,
  ).toBe('not_connected')
  expect((await agentOf(team)).website).toBe('before.example')
})

it('sends past and new leads of its own sources that pass, with ICP % and signal [AGT-17, AGT-18, OUT-11, OUT-25, OUT-26]', async () => {
  const { team, key, campaignId } = await connect(world)
  const [topic, given] = topicsOf(world, 2) as [string, string]
  expect((await trackOwn(team, given)).status).toBe(201)
  const other = await capture(world, team, [{ title: 'CMO' }])
  const [past] = seed(topic, [{}, { title: 'Clerk' }])
  seed(given, [{}])
  const { agent } = await running(world, team, { titles: ['CMO'], topics: [topic, given] })
  const { outreachHistoric } = await put(team, { outreach: { campaignId, filters, pushHistoric: true } })
  expect(outreachHistoric).toEqual({ matched: 1, queued: 1 })
  await world.drain()
  expect(membersOf(world, key, campaignId)).toMatchObject([
    { customFields: { icp_percent: '100', signal: 'strong', source_name: `Agent: ${topic}` } },
  ])
  const [fresh] = seed(topic, [{}])
  seed(given, [{}])
  for (const wait of ['24h', '1h']) await world.advance(wait)
  expect(handlesIn(world, key, campaignId)).toEqual([past, fresh].sort())
  const autoPush = async () => (await ok(team.get('/integrations/outreach'))).autoPush
  expect(await autoPush()).toMatchObject([
    {
      ownerKind: 'agent',
      agentId: agent.id,
      sourceId: null,
      type: null,
      username: null,
      campaignId,
      state: 'active',
    },
  ])
  await ok(team.put(`/sources/${other.id}/outreach`, { campaignId }))
  expect((await autoPush()).map((one: { ownerKind: string }) => one.ownerKind).sort()).toEqual(['agent', 'source'])
})
