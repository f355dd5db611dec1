/** A country is the same under all names that vendors and customers use (G149; ICP-05, LED-08, DIS-18). */
import { afterEach, describe, expect, it } from 'vitest'
import { openInbox } from '../world/inbox.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { type Engager, leadsOf, trackWith } from './fit-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
afterEach(() => world.network.clearFaults())

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
  it('are of one country under one name: in lists, criteria and webhooks, however asked for [ICP-05, LED-08, LED-16] [G149]', async () => {
    if (vendor === 'the fallback')
      world.network.fault({ kind: 'status', status: 402, vendor: 'harvestapi', operation: 'profile' })
    const box = await openInbox()
    const { team, source } = await tracked({ hook: box.url })
    const leads = await leadsOf(team, source)
    expect(leads.map((lead) => lead.country).sort()).toEqual(['Ukraine', 'United Kingdom', 'United States'])
    const delivered = box.received.map(({ body }) => body.lead.country)
    expect(delivered.sort()).toEqual(['Ukraine', 'United Kingdom', 'United States'])
    await box.close()
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
})
