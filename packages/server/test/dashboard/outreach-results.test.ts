/** The results of outreach on the dashboard, read from the database without calling the platform. */
import { expect, it } from 'vitest'
import { capture, connect, ok, seedCampaign } from '../scenarios/outreach-stage.ts'
import { useWorld } from '../world/world.ts'
import { memberOf } from './stage.ts'
import { nameOfPerson } from './source-stage.ts'

// Without workers, so that queued people wait for a drain.
const world = useWorld({ config: { roles: ['http'] } })

it('tells each campaign with who was sent to it, and each rule with whom it has yet to send', async () => {
  const { team, key, campaignId } = await connect(world, { name: 'Autumn' })
  const member = await memberOf(world, team, 'viewer')
  expect((await member.get('/outreach/results')).body).toEqual({ campaigns: [], rules: [] })
  const source = await capture(world, team, [{}, {}, {}])
  await ok(team.put(`/sources/${source.id}/outreach`, { campaignId, pushHistoric: true }))
  const calls = () => world.network.calls({ vendor: 'heyreach' }).length
  const before = calls()
  const queued = (await member.get('/outreach/results')).body
  expect(queued.campaigns).toEqual([
    { campaignId, name: 'Autumn', sent: 0, refused: 0, waiting: 3, unknown: 0, lastSentAt: null },
  ])
  expect(queued.rules).toEqual([
    {
      ownerId: source.id,
      ownerKind: 'source',
      type: 'person',
      label: nameOfPerson(world, source.username),
      campaignId,
      autoSend: true,
      filters: 0,
      paused: null,
      queued: 3,
    },
  ])
  expect(calls()).toBe(before)
  await world.drain()
  const byHand = seedCampaign(world, key, {})
  await ok(
    team.post('/integrations/outreach/send', {
      campaignId: byHand,
      leadIds: source.leadIds.slice(0, 1),
      confirmSpend: true,
    }),
  )
  const { campaigns, rules } = (await member.get('/outreach/results')).body
  expect(
    campaigns
      .map(
        ({
          campaignId: id,
          name,
          sent,
          waiting,
        }: {
          campaignId: string
          name: string | null
          sent: number
          waiting: number
        }) => [id, name, sent, waiting],
      )
      .sort(),
  ).toEqual(
    [
      [campaignId, 'Autumn', 3, 0],
      [byHand, null, 1, 0],
    ].sort(),
  )
  for (const one of campaigns) expect(one.lastSentAt).toEqual(expect.any(String))
  expect(rules).toMatchObject([{ queued: 0 }])
})
