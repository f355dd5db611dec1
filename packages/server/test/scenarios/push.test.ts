import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, ok, routes, sentTo, trackWith, type Route, type Tracked } from './fit-stage.ts'
import { stuckEnrichment } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const none = { pending: 0, sending: 0, delivered: 0, failed: 0, held: 0, excluded: 0 }
const progress = (team: Team, pushId: string) => ok(team.get(`/push/${pushId}`))
const hook = (team: Team, source: Tracked, body: Record<string, unknown>) =>
  ok(team.put(`${source.path}/webhook`, body))
/** Ids of all seeded people's leads, or of those with one job title; fails if somebody is missing from the list. */
const idsOf = async (team: Team, source: Tracked, only?: string) => {
  const leads = await leadsOf(team, source)
  expect(leads.map((lead) => lead.jobTitle).sort()).toEqual(source.titles.toSorted())
  return leads
    .filter((lead) => only === undefined || lead.jobTitle === only)
    .map((lead) => lead.id)
    .sort()
}
const tracked = (team: Team, titles: readonly string[], options: Parameters<typeof trackWith>[3] = {}) =>
  trackWith(
    world,
    team,
    titles.map((title) => ({ title })),
    options,
  )

async function pushable(titles: readonly string[], settings: object = { autoSend: false }, route: Route = 'profile') {
  const [team, inbox] = [await world.team(), await world.inbox()]
  const source = await tracked(team, titles, { route })
  await hook(team, source, { webhookUrl: inbox.url, ...settings })
  return { team, inbox, source }
}

describe.each(routes)('a push of a %s', (route) => {
  it('delivers what was captured before, once, and tells how far it has come [WHK-17, WHK-21, WHK-22, WHK-24, POS-25]', async () => {
    const { team, inbox, source } = await pushable(['CTO', 'CTO', 'Baker'], { autoSend: false }, route)
    await world.drain()
    expect(inbox.received).toEqual([])
    expect((await leadsOf(team, source)).map((lead) => lead.webhookStatus)).toEqual([
      'no_webhook',
      'no_webhook',
      'no_webhook',
    ])
    const pushed = await ok(team.post(`${source.path}/push`))
    expect(pushed).toEqual({ pushId: expect.any(String), sourceId: source.id, queued: 3, considered: 3, excluded: 0 })
    await world.drain()
    expect(sentTo(inbox)).toEqual(await idsOf(team, source))
    expect(await progress(team, pushed.pushId)).toMatchObject({
      pushId: pushed.pushId,
      sourceId: source.id,
      counts: { ...none, delivered: 3 },
      total: 3,
      finished: true,
    })
    expect((await leadsOf(team, source)).map((lead) => lead.webhookStatus)).toEqual(['sent', 'sent', 'sent'])
    const again = await ok(team.post(`/sources/${source.id}/push`))
    expect(again).toMatchObject({ queued: 0, considered: 3 })
    expect(await progress(team, again.pushId)).toMatchObject({ counts: none, total: 0, finished: true })
    await world.drain()
    expect(inbox.received).toHaveLength(3)
  })

  it('is refused without a URL, and 404 once the source is untracked, also with includeInactive [WHK-23, WHK-26, TRK-31]', async () => {
    const team = await world.team()
    const source = await tracked(team, ['CTO'], { route })
    const refused = await refusedWithoutTrace(world, () => team.post(`${source.path}/push`, {}))
    expect([refused.status, refused.body.code]).toEqual([400, 'no_webhook'])
    const inbox = await world.inbox()
    await hook(team, source, { webhookUrl: inbox.url })
    await ok(team.del(route === 'post' ? `/post/${source.username}` : source.path))
    for (const path of [source.path, `/sources/${source.id}`]) {
      const push = () => team.post(`${path}/push?includeInactive=true`, {})
      expect((await refusedWithoutTrace(world, push)).status).toBe(404)
      const save = () => team.put(`${path}/webhook?includeInactive=true`, { autoSend: false })
      expect((await refusedWithoutTrace(world, save)).status).toBe(404)
    }
    await world.drain()
    expect(inbox.received).toEqual([])
  })
})

describe('a push', () => {
  it('takes only the leads it names, of this source, and never raw ones [WHK-19, WHK-21]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const [source, other] = [await tracked(team, ['CTO', 'Baker']), await tracked(team, ['CTO'])]
    await hook(team, source, { webhookUrl: inbox.url })
    const [wanted] = await idsOf(team, source, 'Baker')
    const [foreign] = await idsOf(team, other)
    expect(
      await ok(team.post(`${source.path}/push`, { leadIds: [wanted.toUpperCase(), foreign, randomUUID()] })),
    ).toMatchObject({ queued: 1, considered: 1 })
    expect(await ok(team.post(`${source.path}/push`, { leadIds: [] }))).toMatchObject({ queued: 0, considered: 0 })
    await world.drain()
    expect(sentTo(inbox)).toEqual([wanted])
    const raw = await tracked(team, ['CTO'], { settings: { enrichLeads: false } })
    await hook(team, raw, { webhookUrl: inbox.url })
    expect(await ok(team.post(`${raw.path}/push`))).toMatchObject({ queued: 0, considered: 0 })
    await world.drain()
    expect(inbox.received).toHaveLength(1)
  })

  it('takes leads that match only under icpOnly, by its own word or the stored one [WHK-21, WHK-28, ICP-11]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await tracked(team, ['CTO', 'Baker'])
    await ok(team.put(`${source.path}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'cto' }] }))
    await hook(team, source, { webhookUrl: inbox.url, icpOnly: true, autoSend: false })
    expect(await ok(team.post(`${source.path}/push`))).toMatchObject({ queued: 1, considered: 2 })
    await world.drain()
    expect(sentTo(inbox)).toEqual(await idsOf(team, source, 'CTO'))
    expect(await ok(team.post(`${source.path}/push`, { icpOnly: true }))).toMatchObject({ queued: 0, considered: 2 })
    expect(await ok(team.post(`${source.path}/push`, { icpOnly: false }))).toMatchObject({ queued: 1, considered: 2 })
    await world.drain()
    expect(sentTo(inbox)).toEqual(await idsOf(team, source))
  })

  it('retries what failed, also what no longer matches, under the id and with the bytes of before [WHK-18, WHK-21, WHK-24]', async () => {
    const { team, inbox, source } = await pushable(['CTO'])
    inbox.answer(500)
    const first = await ok(team.post(`${source.path}/push`))
    await world.drain()
    expect(await progress(team, first.pushId)).toMatchObject({ counts: { ...none, pending: 1 }, finished: false })
    await world.database.pool.query(`update delivery set attempts = 9, due_at = $1`, [await world.now()])
    await world.drain()
    expect(await progress(team, first.pushId)).toMatchObject({ counts: { ...none, failed: 1 }, finished: true })
    expect((await leadsOf(team, source)).map((lead) => lead.webhookStatus)).toEqual(['failed'])
    await ok(team.put(`${source.path}/icp`, { rules: [{ column: 'jobTitle', operator: 'equals', value: 'baker' }] }))
    inbox.answer(200)
    const second = await ok(team.post(`${source.path}/push`, { icpOnly: true }))
    expect(second).toMatchObject({ queued: 1, considered: 1 })
    await world.drain()
    expect(await progress(team, second.pushId)).toMatchObject({ counts: { ...none, delivered: 1 }, finished: true })
    expect(inbox.received).toHaveLength(3)
    expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(inbox.received.map(({ raw }) => raw.toString('hex'))).size).toBe(1)
    expect((await leadsOf(team, source)).map((lead) => lead.webhookStatus)).toEqual(['sent'])
  })

  it('at the same moment as others sends nothing twice: each lead is queued by one of them [WHK-17, WHK-21]', async () => {
    const { team, inbox, source } = await pushable(Array.from({ length: 12 }, () => 'CTO'))
    const pushes = await Promise.all(Array.from({ length: 8 }, () => ok(team.post(`${source.path}/push`))))
    expect(pushes.reduce((sum, { queued }) => sum + queued, 0)).toBe(12)
    await world.drain()
    expect(inbox.received).toHaveLength(12)
    expect(sentTo(inbox)).toEqual(await idsOf(team, source))
    const totals = await Promise.all(
      pushes.map(async ({ pushId }) => (await progress(team, pushId)).counts.delivered as number),
    )
    expect(totals).toEqual(pushes.map(({ queued }) => queued))
  })

  it('holds a lead that is still being enriched, also one captured before the URL, and lets it go then [WHK-07, WHK-24]', async () => {
    stuckEnrichment(world)
    const { team, inbox, source } = await pushable(['CTO', 'Baker'])
    const pushed = await ok(team.post(`${source.path}/push`))
    expect(pushed).toMatchObject({ queued: 2, considered: 2 })
    await world.drain()
    expect(await progress(team, pushed.pushId)).toMatchObject({
      counts: { ...none, held: 2 },
      total: 2,
      finished: true,
    })
    expect(await ok(team.post(`${source.path}/push`))).toMatchObject({ queued: 0 })
    await hook(team, source, { webhookUrl: inbox.url })
    await world.drain()
    expect(inbox.received).toEqual([])
    world.network.clearFaults()
    await world.advance('5m')
    expect(await progress(team, pushed.pushId)).toMatchObject({ counts: { ...none, delivered: 2 }, finished: true })
    expect(inbox.received.map(({ body }) => `${body.lead.jobTitle} ${body.lead.enrichmentStatus}`).sort()).toEqual([
      'Baker completed',
      'CTO completed',
    ])
  })

  it('at the very moment of enrichment leaves no lead behind [WHK-17, WHK-21, WHK-24]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    for (const operation of ['profile', 'profile/full']) world.network.hold({ operation })
    const source = await tracked(
      team,
      Array.from({ length: 10 }, () => 'CTO'),
      { drain: false },
    )
    // The author is looked up too, by a separate unit.
    world.beginDrain()
    world.beginDrain()
    await world.network.untilWaiting(4)
    await hook(team, source, { webhookUrl: inbox.url })
    world.network.release()
    const pushes = []
    for (let round = 0; round < 6; round++)
      pushes.push(...(await Promise.all([ok(team.post(`${source.path}/push`)), ok(team.post(`${source.path}/push`))])))
    await world.drain()
    pushes.push(await ok(team.post(`${source.path}/push`)))
    await world.drain()
    expect(pushes.reduce((sum, { queued }) => sum + queued, 0)).toBe(10)
    expect(sentTo(inbox)).toEqual(await idsOf(team, source))
  })

  it('lets a held lead go also when its enrichment fails for good [WHK-24]', async () => {
    stuckEnrichment(world)
    const { team, inbox, source } = await pushable(['CTO'], { autoSend: true })
    const pushed = await ok(team.post(`${source.path}/push`))
    world.network.clearFaults()
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'not_found', operation })
    await world.advance('5m')
    expect(await progress(team, pushed.pushId)).toMatchObject({ counts: { ...none, delivered: 1 } })
    expect(inbox.received[0]!.body.lead).toMatchObject({ enrichmentStatus: 'failed', jobTitle: null })
  })

  it('of ICP leads only judges a held lead once enriched: without a match it leaves the push, not another one [WHK-28, ICP-11]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    stuckEnrichment(world)
    const [source, both] = [await tracked(team, ['CTO', 'Baker']), await tracked(team, ['CTO', 'Baker'])]
    const pushes = []
    for (const one of [source, both]) {
      await ok(team.put(`${one.path}/icp`, { rules: [{ column: 'jobTitle', operator: 'equals', value: 'cto' }] }))
      await hook(team, one, { webhookUrl: inbox.url, icpOnly: true })
      pushes.push(await ok(team.post(`${one.path}/push`)))
    }
    expect(await ok(team.post(`${both.path}/push`, { icpOnly: false }))).toMatchObject({ queued: 0 })
    expect(pushes.map(({ queued }) => queued)).toEqual([2, 2])
    world.network.clearFaults()
    await world.advance('5m')
    expect(sentTo(inbox)).toEqual([...(await idsOf(team, source, 'CTO')), ...(await idsOf(team, both))].sort())
    expect(await progress(team, pushes[0].pushId)).toMatchObject({
      counts: { ...none, delivered: 1 },
      total: 1,
      finished: true,
    })
    expect((await leadsOf(team, source)).map((lead) => `${lead.jobTitle} ${lead.webhookStatus}`).sort()).toEqual([
      'Baker pending',
      'CTO sent',
    ])
    expect(await ok(team.post(`${source.path}/push`, { icpOnly: false }))).toMatchObject({ queued: 1 })
    await world.drain()
    expect(inbox.received).toHaveLength(4)
  })

  it('of ICP leads only keeps nothing from autoSend [WHK-08, WHK-28]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    stuckEnrichment(world)
    const source = await tracked(team, ['Baker'], { hook: { webhookUrl: inbox.url } })
    await ok(team.put(`${source.path}/icp`, { rules: [{ column: 'jobTitle', operator: 'equals', value: 'cto' }] }))
    expect(await ok(team.post(`${source.path}/push`, { icpOnly: true }))).toMatchObject({ queued: 1 })
    world.network.clearFaults()
    await world.advance('5m')
    expect(sentTo(inbox)).toEqual(await idsOf(team, source))
  })

  it('that nobody knows, of another team or malformed, is 404 [WHK-25]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const source = await tracked(team, ['CTO'])
    await hook(team, source, { webhookUrl: (await world.inbox()).url })
    const { pushId } = await ok(team.post(`${source.path}/push`))
    for (const answer of [
      await stranger.get(`/push/${pushId}`),
      await team.get(`/push/${randomUUID()}`),
      await team.get('/push/nonsense'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, undefined])
    // Finishes the push first, because its own writes would look like effects of the refusal.
    await world.drain()
    expect((await refusedWithoutTrace(world, () => stranger.post(`/sources/${source.id}/push`, {}))).status).toBe(404)
  })
})
