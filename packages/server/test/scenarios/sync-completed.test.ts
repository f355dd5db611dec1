import { describe, expect, it } from 'vitest'
import { syncCompleted } from '@les/contract'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { ok, trackWith } from './fit-stage.ts'
import { search, topic } from './keyword-run-stage.ts'
import { stuckEnrichment, workThrough } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const hook = (inbox: Inbox) => ({ webhookUrl: inbox.url, syncEvents: true, autoSend: false })
const syncs = (inbox: Inbox) =>
  inbox.received.filter(({ body }) => body.event.startsWith('sync.')).map(({ body }) => body)
const statusOf = (team: Team, id: string) => ok(team.get(`/sources/${id}/sync`))

/** Checks that there is one event and that it contains the current status. */
async function expectFinal(team: Team, inbox: Inbox, id: string) {
  const [event, ...more] = syncs(inbox)
  expect(more).toEqual([])
  expect(syncCompleted.parse(event)).toEqual(event)
  const status = await statusOf(team, id)
  expect(status).toMatchObject({ state: 'completed', isFinal: true, enrichment: { pending: 0 } })
  expect(event.sync).toMatchObject({
    syncId: status.syncId,
    state: status.state,
    creditsSpent: status.capture.creditsSpent,
    leadRowsCaptured: status.capture.leadRowsCaptured,
    finishedAt: status.finishedAt,
    errorCode: status.errorCode,
  })
  expect(event.sentAt).toBe((await world.now()).toISOString())
  return status
}

async function enriching(titles: readonly string[] = ['CTO', 'Baker']) {
  const [team, inbox] = [await world.team(), await world.inbox()]
  stuckEnrichment(world)
  const source = await trackWith(
    world,
    team,
    titles.map((title) => ({ title })),
    { hook: hook(inbox) },
  )
  expect(await statusOf(team, source.id)).toMatchObject({ state: 'enriching', isFinal: false })
  expect(syncs(inbox)).toEqual([])
  return { team, inbox, source }
}

describe('sync.completed', () => {
  it.each(['profile', 'post'] as const)(
    'of a %s is sent once, when the enrichment of its leads has ended [FIX-01, G157, WHK-12]',
    async (route) => {
      const [team, inbox] = [await world.team(), await world.inbox()]
      stuckEnrichment(world)
      const source = await trackWith(world, team, [{ title: 'CTO' }, { title: 'Baker' }], { route, hook: hook(inbox) })
      expect(await statusOf(team, source.id)).toMatchObject({ state: 'enriching', enrichment: { pending: 2 } })
      expect(syncs(inbox)).toEqual([])
      world.network.clearFaults()
      await world.advance('10m')
      const status = await expectFinal(team, inbox, source.id)
      expect(status).toMatchObject({ progress: { leadsEnriched: 2 }, enrichment: { completed: 2 } })
    },
  )

  it('of a keyword search is sent once, when the enrichment of its leads has ended [FIX-01, G157, WHK-12]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const word = topic(world)
    const reactions = [{ person: world.handle('fan') }, { person: world.handle('fan') }]
    world.network.seedSearch({
      posts: [{ text: `On ${word}`, author: world.handle('writer'), reactions }],
      generated: false,
    })
    world.network.hold()
    const { id } = await search(team, { keywords: [word], enrichLeads: true })
    await ok(team.put(`/keyword/${id}/webhook`, hook(inbox)))
    stuckEnrichment(world)
    world.network.release()
    await world.drain()
    expect(await statusOf(team, id)).toMatchObject({ state: 'enriching' })
    expect(syncs(inbox)).toEqual([])
    world.network.clearFaults()
    await world.advance('10m')
    await expectFinal(team, inbox, id)
    expect(syncs(inbox)[0].sync.stoppedBy).toBe('exhausted')
  })

  it.each([
    ['of posts only', { mode: 'posts_only', postsPerSync: 10, confirmSpend: true }],
    ['in raw mode', { enrichLeads: false }],
  ])('of a source %s, where nothing is enriched, is sent at once [FIX-01, G157]', async (_what, settings) => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const source = await trackWith(world, team, [{ title: 'CTO' }], { settings, hook: hook(inbox) })
    await expectFinal(team, inbox, source.id)
  })

  it('of a sync that found nobody new is sent at once, and each sync is told once [FIX-01, G157]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: hook(inbox) })
    await expectFinal(team, inbox, source.id)
    await world.advance('24h')
    expect(syncs(inbox).map(({ sync }) => sync.leadRowsCaptured)).toEqual([1, 0])
    expect(new Set(syncs(inbox).map(({ sync }) => sync.syncId)).size).toBe(2)
  })

  it('is sent when enrichment fails for good [FIX-01, G157]', async () => {
    const { team, inbox, source } = await enriching()
    for (const later of ['1h', '6h', '24h', '24h', '24h', '24h', '48h']) {
      await world.advance(later)
      if ((await statusOf(team, source.id)).enrichment.pending === 0) break
    }
    expect(await statusOf(team, source.id)).toMatchObject({ enrichment: { failed: 2, pending: 0 } })
    // The syncs of the days between were reported once no lead was waiting.
    expect(syncs(inbox).length).toBeGreaterThanOrEqual(1)
    expect(syncs(inbox).every(({ event }) => event === 'sync.completed')).toBe(true)
    expect(new Set(syncs(inbox).map(({ sync }) => sync.syncId)).size).toBe(syncs(inbox).length)
  })

  it('is sent for both syncs, once each, where the second was captured while people of the first still waited [FIX-01, G157]', async () => {
    const { team, inbox, source } = await enriching()
    const first = (await statusOf(team, source.id)).syncId
    const second = (await ok(team.post(`/sources/${source.id}/sync`))).syncId
    await world.drain()
    expect(syncs(inbox)).toEqual([])
    world.network.clearFaults()
    await world.advance('10m')
    expect(
      syncs(inbox)
        .map(({ sync }) => sync.syncId)
        .sort(),
    ).toEqual([first, second].sort())
  })

  it('is sent when a request enriches the last person that waited [FIX-01, G157]', async () => {
    const { team, inbox, source } = await enriching(['CTO'])
    const [lead] = (await ok(team.get(`/leads?profileId=${source.id}`))).leads
    world.network.clearFaults()
    await ok(team.post('/enrich/profile', { username: lead.linkedinUrl.split('/in/')[1] }))
    await world.drain()
    await expectFinal(team, inbox, source.id)
  })

  it('is never sent for a sync cut off by untracking, also when tracked again [FIX-01, G157, TRK-32]', async () => {
    const { team, inbox, source } = await enriching()
    const cutOff = (await statusOf(team, source.id)).syncId
    await ok(team.del(source.path))
    world.network.clearFaults()
    await world.advance('10m')
    expect(syncs(inbox)).toEqual([])
    expect(await statusOf(team, source.id)).toMatchObject({ state: 'untracked' })
    const { syncId } = await ok(team.post('/enrich/profile', { username: source.username, saveTrackedProfile: true }))
    expect(syncId).not.toBe(cutOff)
    await world.drain()
    expect(syncs(inbox).map(({ sync }) => sync.syncId)).toEqual([syncId])
    expect(await statusOf(team, source.id)).toMatchObject({ state: 'completed', syncId })
  })

  it.each([
    ['syncEvents is switched off', { syncEvents: false }],
    ['the URL is cleared', { webhookUrl: '' }],
  ])('is not sent where %s while people wait [FIX-01, G157, WHK-12]', async (_what, change) => {
    const { team, inbox, source } = await enriching()
    await ok(team.put(`${source.path}/webhook`, change))
    world.network.clearFaults()
    await world.advance('10m')
    expect(await statusOf(team, source.id)).toMatchObject({ state: 'completed' })
    expect(inbox.received).toEqual([])
  })

  it('is sent where syncEvents comes on while people wait, not for a final sync [FIX-01, G157, WHK-12]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    stuckEnrichment(world)
    const source = await trackWith(world, team, [{ title: 'CTO' }])
    await ok(team.put(`${source.path}/webhook`, hook(inbox)))
    await world.drain()
    expect(syncs(inbox)).toEqual([])
    world.network.clearFaults()
    await world.advance('10m')
    await expectFinal(team, inbox, source.id)
    await ok(team.put(`${source.path}/webhook`, { syncEvents: false }))
    await ok(team.put(`${source.path}/webhook`, { syncEvents: true }))
    await world.advance('1h')
    expect(syncs(inbox)).toHaveLength(1)
  })

  it.each(['enrichment.before-commit', 'capture.closed'] as const)(
    'is sent once where a process dies at %s [FIX-01, G157, WHK-17]',
    async (point) => {
      const [team, inbox] = [await world.team(), await world.inbox()]
      world.network.hold()
      const source = await trackWith(world, team, [{ title: 'CTO' }, { title: 'Baker' }], {
        hook: hook(inbox),
        drain: false,
      })
      await world.arm(point)
      world.network.release()
      await workThrough(world, point, 1)
      await world.advance('10m')
      await expectFinalState(team, source.id)
      expect(syncs(inbox)).toHaveLength(1)
    },
  )
})

const expectFinalState = async (team: Team, id: string) =>
  expect(await statusOf(team, id)).toMatchObject({ state: 'completed', enrichment: { pending: 0, completed: 2 } })
