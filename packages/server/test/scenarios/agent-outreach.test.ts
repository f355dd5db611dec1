/** An agent's outreach: checked before anything is written, and fed by the agent's sources (AGT-17, AGT-18). */
import { beforeAll, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { connect, handlesIn, seedCampaign } from './outreach-stage.ts'
import { agentOf, ok, put, running, seedTopicPost, topicsOf } from './agent-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

beforeAll(() => void world.network.seedSearch({ generated: false }))

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

it('sends new leads that pass, past ones once when asked to, and null stops it [AGT-17, AGT-18]', async () => {
  const { team, key, campaignId } = await connect(world)
  const [topic] = topicsOf(world, 1)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  const seed = (engagers: Parameters<typeof seedTopicPost>[2]) =>
    seedTopicPost(world, `About ${topic}`, engagers, { company: page })
  const [past] = seed([{}, { title: 'Clerk' }, { country: 'FR' }])
  await running(world, team, { titles: ['CMO'], countries: ['Germany'], topics: [topic] })
  const rows = [{ column: 'icp', operator: 'at_least', value: 90 }]
  const { agent, outreachHistoric } = await ok(
    team.put('/agent', { outreach: { campaignId, filters: rows, pushHistoric: true } }),
  )
  expect(agent.outreach).toMatchObject({ campaignId, autoSend: true, filters: rows, state: 'active' })
  expect(outreachHistoric).toEqual({ matched: 1, queued: 1 })
  await world.drain()
  expect(handlesIn(world, key, campaignId)).toEqual([past])
  const [fresh] = seed([{}, { country: 'FR' }])
  await world.advance('24h')
  await world.advance('1h')
  expect(handlesIn(world, key, campaignId)).toEqual([past, fresh].sort())
  const stopped = await ok(team.put('/agent', { outreach: null }))
  expect([stopped.agent.outreach, stopped.outreachHistoric]).toEqual([null, undefined])
})
