import { afterEach, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { connect, membersOf, ok } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
afterEach(() => world.network.clearFaults())

describe.each(['the primary', 'the fallback'])('somebody without a job held now, as %s shows them', (vendor) => {
  it('has no job title: no title criterion matches its headline, no campaign gets it [LED-08, ICP-05, OUT-11]', async () => {
    if (vendor === 'the fallback')
      world.network.fault({ kind: 'status', status: 402, vendor: 'harvestapi', operation: 'profile' })
    const { team, key, campaignId } = await connect(world)
    const [author, dreamer, retired, chief] = [
      world.handle('author'),
      world.handle('dreamer'),
      world.handle('retired'),
      world.handle('chief'),
    ]
    world.network.seedPerson({ handle: dreamer, headline: 'Thinks like a CEO', positions: [], country: 'DE' })
    world.network.seedPerson({
      handle: retired,
      headline: 'Once CEO of many',
      positions: [{ title: 'CEO', companyName: 'Then Ltd', start: { year: 2001 }, end: { year: 2019 } }],
      country: 'DE',
    })
    world.network.seedPerson({
      handle: chief,
      headline: 'Dad, runner',
      positions: [
        { title: 'CEO', companyName: 'Now Ltd', start: { year: 2020 } },
        { title: 'Advisor', companyName: 'Other Ltd', start: { year: 2021 } },
      ],
      country: 'US',
    })
    world.network.seedPost({
      author,
      postedAt: new Date((await world.now()).getTime() - 3_600_000).toISOString(),
      reactions: [dreamer, retired, chief].map((person) => ({ person })),
    })
    await ok(team.post('/enrich/profile', { username: author, saveTrackedProfile: true }))
    await world.drain()
    const { leads } = await ok(team.get('/leads?limit=100'))
    const { sourceId } = leads[0]
    const shown = leads.map(({ jobTitle, headline, company, country }: Record<string, unknown>) => [
      jobTitle,
      headline,
      company,
      country,
    ])
    expect(shown).toHaveLength(3)
    expect(shown).toEqual(
      expect.arrayContaining([
        [null, 'Thinks like a CEO', null, 'Germany'],
        [null, 'Once CEO of many', null, 'Germany'],
        ['CEO', 'Dad, runner', 'Now Ltd', 'United States'],
      ]),
    )
    expect((await ok(team.get('/leads?jobTitle=ceo'))).total).toBe(1)
    await ok(
      team.put(`/sources/${sourceId}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'CEO' }] }),
    )
    expect((await ok(team.get('/leads?isIcp=true'))).leads.map((lead: { headline: string }) => lead.headline)).toEqual([
      'Dad, runner',
    ])
    await ok(
      team.post('/integrations/outreach/send', { campaignId, leadIds: leads.map(({ id }: { id: string }) => id) }),
    )
    const sent = Object.fromEntries(
      membersOf(world, key, campaignId).map(({ summary, position, companyName }) => [summary, [position, companyName]]),
    )
    expect(sent).toEqual({
      'Thinks like a CEO': [null, null],
      'Once CEO of many': [null, null],
      'Dad, runner': ['CEO', 'Now Ltd'],
    })
  })
})
