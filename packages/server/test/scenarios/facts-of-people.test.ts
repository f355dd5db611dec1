/** What both vendors tell of a person: one country under all its names (G149, DIS-18), and no job title but of a job held now. */
import { beforeEach, describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { type Engager, leadsOf, trackWith } from './fit-stage.ts'
import { connect, membersOf, ok } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const people: Engager[] = [
  { title: 'CEO', country: 'US' },
  { title: 'CTO', country: 'GB' },
  { title: 'CFO', country: 'UA' },
]
const country = (operator: string, value: unknown) => [{ column: 'country', operator, value }]

async function tracked(settings: { hook?: string } = {}) {
  const team = await world.team({ credits: 100 })
  const source = await trackWith(
    world,
    team,
    people,
    settings.hook ? { hook: { webhookUrl: settings.hook, icpOnly: false, autoSend: true } } : {},
  )
  return { team, source }
}

const titles = async (team: Team, filter: string): Promise<string[]> =>
  (await team.get(`/leads?${filter}`)).body.leads.map((lead: { jobTitle: string }) => lead.jobTitle).sort()

describe.each(['the primary', 'the fallback'])('people as %s describes them', (vendor) => {
  beforeEach(() => {
    if (vendor === 'the fallback')
      world.network.fault({ kind: 'status', status: 402, vendor: 'harvestapi', operation: 'profile' })
  })

  it('are of one country under one name: in lists, criteria and webhooks, however asked for [ICP-05, LED-08, LED-16] [G149]', async () => {
    const box = await world.inbox()
    const { team, source } = await tracked({ hook: box.url })
    const leads = await leadsOf(team, source)
    expect(leads.map((lead) => lead.country).sort()).toEqual(['Ukraine', 'United Kingdom', 'United States'])
    const delivered = box.received.map(({ body }) => body.lead.country)
    expect(delivered.sort()).toEqual(['Ukraine', 'United Kingdom', 'United States'])
    for (const name of ['United States', 'USA', 'us', 'United States of America', 'Vereinigte Staaten']) {
      expect(await titles(team, `country=${encodeURIComponent(name)}`)).toContain('CEO')
      const { counts } = (await team.put(`${source.path}/icp`, { rules: country('equals', name), dryRun: true })).body
      expect(counts).toEqual({ matching: 1, notMatching: 2 })
    }
    expect(await titles(team, 'country=United%20States')).toEqual(['CEO'])
    expect(await titles(team, 'country=Great%20Britain')).toEqual(['CTO'])
    expect(await titles(team, 'country=united')).toEqual(['CEO', 'CTO'])
    for (const [operator, value, matching] of [
      ['in', ['USA', 'Großbritannien'], 2],
      ['not_in', ['USA', 'Großbritannien'], 1],
      ['not_equals', 'U.S.', 2],
      ['contains', 'kingdom', 1],
      ['contains', 'Britain', 1],
      ['not_contains', 'Britain', 2],
      ['equals', 'UK', 1],
      ['equals', 'Korea', 0],
    ] as const) {
      const { counts } = (await team.put(`${source.path}/icp`, { rules: country(operator, value), dryRun: true })).body
      expect([operator, value, counts.matching]).toEqual([operator, value, matching])
    }
  })

  it('have no job title without a job held now: no title criterion matches their headline, no campaign gets it [LED-08, ICP-05, OUT-11]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [author, dreamer, retired, chief] = ['author', 'dreamer', 'retired', 'chief'].map((name) =>
      world.handle(name),
    )
    world.network.seedPerson({ handle: dreamer!, headline: 'Thinks like a CEO', positions: [], country: 'DE' })
    world.network.seedPerson({
      handle: retired!,
      headline: 'Once CEO of many',
      positions: [{ title: 'CEO', companyName: 'Then Ltd', start: { year: 2001 }, end: { year: 2019 } }],
      country: 'DE',
    })
    world.network.seedPerson({
      handle: chief!,
      headline: 'Dad, runner',
      positions: [
        { title: 'CEO', companyName: 'Now Ltd', start: { year: 2020 } },
        { title: 'Advisor', companyName: 'Other Ltd', start: { year: 2021 } },
      ],
      country: 'US',
    })
    world.network.seedPost({
      author: author!,
      postedAt: new Date((await world.now()).getTime() - 3_600_000).toISOString(),
      reactions: [dreamer, retired, chief].map((person) => ({ person: person! })),
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
