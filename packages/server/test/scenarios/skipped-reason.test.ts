/** Skipped enrichment says its reason, on the lead and in the sync status (States «Lead enrichment»; TRK-33, TRK-39). */
import { expect, it } from 'vitest'
import { useWorld, workedByDrain, type Team } from '../world/world.ts'
import { ok, routes, trackWith } from './fit-stage.ts'
import { search, topic } from './keyword-run-stage.ts'
import { hastyMachine } from './sync-stage.ts'

const world = useWorld({ config: workedByDrain, overrides: { system: hastyMachine } })

const stuckEnrichment = () => {
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
}
const leadsOf = async (team: Team, id: string) =>
  (await ok(team.get(`/leads?profileId=${id}&includeInactive=true`))).leads
const statusOf = (team: Team, id: string) => ok(team.get(`/sources/${id}/sync`))

async function expectSkipped(team: Team, id: string) {
  const [lead] = await leadsOf(team, id)
  expect(lead).toMatchObject({ enrichmentStatus: 'skipped', skippedReason: 'source_untracked' })
  expect(await statusOf(team, id)).toMatchObject({
    enrichment: { pending: 0, completed: 0, failed: 0, skipped: 1 },
    skippedReason: 'source_untracked',
  })
}

it.each(routes)(
  'untracking a %s says so of the leads that were not enriched [FIX-06, TRK-33, TRK-35]',
  async (route) => {
    const team = await world.team()
    stuckEnrichment()
    const source = await trackWith(world, team, [{ title: 'CTO' }], { route })
    expect((await leadsOf(team, source.id))[0]).not.toHaveProperty('skippedReason')
    expect(await statusOf(team, source.id)).not.toHaveProperty('skippedReason')
    await ok(team.del(route === 'post' ? `/post/${encodeURIComponent(source.username)}` : source.path))
    await expectSkipped(team, source.id)
  },
)

it('deleting a keyword search says so of the leads that were not enriched [FIX-06, TRK-33, TRK-35]', async () => {
  const team = await world.team()
  const word = topic(world)
  const reactions = [{ person: world.handle('fan') }]
  world.network.seedSearch({ posts: [{ text: word, author: world.handle('writer'), reactions }], generated: false })
  stuckEnrichment()
  const { id } = await search(team, { keywords: [word], enrichLeads: true })
  await world.drain()
  await ok(team.del(`/keyword/${id}`))
  await expectSkipped(team, id)
})

it('what waits again or is enriched says nothing of it any more [FIX-06, TRK-39]', async () => {
  const team = await world.team()
  stuckEnrichment()
  const source = await trackWith(world, team, [{ title: 'CTO' }])
  await ok(team.del(source.path))
  await ok(team.post('/enrich/profile', { username: source.username, saveTrackedProfile: true }))
  await expectSkipped(team, source.id)
  world.network.clearFaults()
  await world.drain()
  await world.advance('10m')
  const [lead] = await leadsOf(team, source.id)
  expect([lead.enrichmentStatus, lead.skippedReason]).toEqual(['completed', undefined])
  const status = await statusOf(team, source.id)
  expect([status.enrichment.completed, status.enrichment.skipped, status.skippedReason]).toEqual([1, 0, undefined])
})
