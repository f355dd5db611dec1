/** One address for the signed events of all sources of a team: a destination of the kind `webhook`. */
import { events, verifyWebhook, type EventName } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { addDestination, deliveriesOf } from './stage.ts'

const world = useWorld({ config: drainOnly })

async function webhook(team: Team, more: Record<string, unknown> = {}) {
  const inbox = await world.inbox()
  const { id } = await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: inbox.url }, ...more })
  return { id, inbox, at: `/destinations/${id}` }
}

const leadsAt = (inbox: Inbox): string[] =>
  inbox.received.flatMap(({ body }) => (body.event === 'lead.detected' ? [body.lead.id] : []))

const eventsAt = (inbox: Inbox): string[] => [...new Set(inbox.received.map(({ body }) => body.event as string))].sort()

describe('a webhook of the team', () => {
  it('gets the signed events of every source from then on, and a source with its own webhook sends to both [DST-13]', async () => {
    const team = await world.team()
    const before = await capture(world, team, fans(1))
    const { id, inbox, at } = await webhook(team)
    const own = await world.inbox()
    const one = await capture(world, team, fans(2), {
      before: async (source) => void (await team.put(`/sources/${source}/webhook`, { webhookUrl: own.url })),
    })
    const other = await capture(world, team, fans(1))
    expect(leadsAt(own).toSorted()).toEqual(one.leadIds.toSorted())
    expect(leadsAt(inbox).toSorted()).toEqual([...one.leadIds, ...other.leadIds].toSorted())
    expect(leadsAt(inbox)).not.toContain(before.leadIds[0])
    expect(eventsAt(inbox)).toEqual(['lead.detected', 'sync.completed'])
    for (const { raw, headers, body } of inbox.received) {
      const said = await verifyWebhook({ body: raw, headers, secret: team.signingSecret, now: await world.now() })
      expect(said).toMatchObject({ ok: true, deliveryId: body.id, event: body.event })
      expect(events[body.event as EventName].safeParse(body).success).toBe(true)
    }
    // A lead's status refers to its source's webhook only.
    const statusOf = async (source: string) =>
      (await team.get(`/leads?profileId=${source}`)).body.leads.map(
        (lead: { webhookStatus: string }) => lead.webhookStatus,
      )
    expect([...(await statusOf(one.id)), ...(await statusOf(other.id))]).toEqual(['sent', 'sent', 'no_webhook'])
    expect((await team.get(at)).body).toMatchObject({
      kind: 'webhook',
      state: 'active',
      settings: { url: inbox.url },
      credentialsHint: null,
      lastDeliveredAt: expect.any(String),
      counts: { delivered: inbox.received.length, waiting: 0 },
    })
    const log = await deliveriesOf(team, id, 'delivered')
    expect(log).toHaveLength(inbox.received.length)
    const { deliveries } = (await team.get(`/deliveries?leadId=${other.leadIds[0]}`)).body
    expect(deliveries).toMatchObject([{ event: 'lead.detected', sourceId: other.id, state: 'sent', url: inbox.url }])
    const ofSource = (await team.get(`/deliveries?sourceId=${one.id}`)).body.deliveries
    expect(ofSource.filter(({ event }: { event: string }) => event === 'lead.detected')).toHaveLength(4)
  })

  it('gets new posts and failed syncs, of the sources that it is for [DST-13]', async () => {
    const team = await world.team()
    const elsewhere = await capture(world, team, fans(1))
    const { inbox } = await webhook(team)
    const narrow = await webhook(team, { sources: [elsewhere.id] })
    const username = world.handle('watched')
    world.network.seedPost({ author: username, text: 'news', reactions: [], comments: [] })
    const asked = { username, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 5, confirmSpend: true }
    expect((await team.post('/enrich/profile', asked)).status).toBe(200)
    await world.drain()
    expect(inbox.received.filter(({ body }) => body.event === 'post.detected')).toMatchObject([
      { body: { source: { username }, post: { text: 'news' } } },
    ])
    world.network.hold()
    const failing = world.handle('failing')
    world.network.seedPost({ author: failing, reactions: [], comments: [] })
    expect((await team.post('/enrich/profile', { username: failing, saveTrackedProfile: true })).status).toBe(200)
    world.network.fault({ operation: 'profile-posts', kind: 'status', status: 404, times: 50 } as never)
    world.network.release()
    await world.drain()
    world.network.clearFaults()
    expect(eventsAt(inbox)).toContain('sync.failed')
    expect(narrow.inbox.received).toEqual([])
  })

  it('gets nobody who is excluded, and only who passes its filters and ICP [DST-13, EXC-07]', async () => {
    const team = await world.team()
    const { inbox } = await webhook(team)
    const filtered = await webhook(team, { filters: [{ column: 'jobTitle', operator: 'contains', value: 'Baker' }] })
    const own = await world.inbox()
    const excluded = world.handle('excluded')
    await team.post('/exclusions', { entries: [{ kind: 'person', value: excluded }] })
    const { leadIds } = await capture(world, team, [{ handle: excluded }, { title: 'Baker' }, { title: 'CTO' }], {
      before: async (source) => void (await team.put(`/sources/${source}/webhook`, { webhookUrl: own.url })),
    })
    expect(leadIds).toHaveLength(3)
    expect(leadsAt(inbox)).toHaveLength(2)
    expect(leadsAt(own).toSorted()).toEqual(leadsAt(inbox).toSorted())
    expect(filtered.inbox.received.flatMap(({ body }) => body.lead?.jobTitle ?? [])).toEqual(['Baker'])
    const stranger = await world.team()
    await capture(world, stranger, fans(1))
    expect(leadsAt(inbox)).toHaveLength(2)
  })

  it('ends as excluded who is excluded while it waits; its lead keeps its status, and a retry after all sends it [DST-13, EXC-10]', async () => {
    const team = await world.team()
    const { id, inbox, at } = await webhook(team, { active: false })
    const { handles, leadIds } = await capture(world, team, fans(1))
    const added = await team.post('/exclusions', { entries: [{ kind: 'person', value: handles[0] }] })
    expect(added.status).toBe(201)
    await team.call('PATCH', at, { active: true })
    await world.drain()
    expect(leadsAt(inbox)).toEqual([])
    const [ended] = await deliveriesOf(team, id, 'excluded')
    expect(ended).toMatchObject({ leadId: leadIds[0], state: 'excluded' })
    expect((await team.get('/leads?excluded=only')).body.leads[0].webhookStatus).toBe('no_webhook')
    const { entries } = (await team.get('/exclusions')).body
    await team.del(`/exclusions/${entries[0].id}`)
    expect((await team.post(`${at}/deliveries/${ended.id}/retry`, {})).body.state).toBe('waiting')
    await world.drain()
    expect(leadsAt(inbox)).toEqual(leadIds)
  })

  it('keeps what comes while it is paused, and sends it in order when it resumes [DST-02, DST-13]', async () => {
    const team = await world.team()
    const { inbox, at } = await webhook(team)
    expect((await team.call('PATCH', at, { active: false })).body).toMatchObject({
      state: 'paused',
      pausedReason: 'by_person',
    })
    const order: string[] = []
    for (let round = 0; round < 3; round++) {
      order.push(...(await capture(world, team, fans(1))).leadIds)
      await world.move('1m')
    }
    expect(inbox.received).toEqual([])
    expect((await team.get(at)).body.counts.waiting).toBeGreaterThanOrEqual(3)
    expect((await team.call('PATCH', at, { active: true })).body).toMatchObject({ state: 'active', pausedReason: null })
    await world.drain()
    expect(leadsAt(inbox).toSorted()).toEqual(order.toSorted())
    const sent = inbox.received.map(({ body }) => body.id as string)
    expect(new Set(sent).size).toBe(sent.length)
  })

  it('pauses when its address is gone; mending the address and resuming delivers what was held [DST-02, DST-13]', async () => {
    const team = await world.team()
    const { inbox, at } = await webhook(team)
    inbox.answer(410)
    const { leadIds } = await capture(world, team, fans(2))
    await world.drain()
    expect((await team.get(at)).body).toMatchObject({
      active: true,
      state: 'paused',
      pausedReason: 'setup_missing',
      counts: { delivered: 0, waiting: 3 },
    })
    const mended = await world.inbox()
    await team.call('PATCH', at, { settings: { url: mended.url } })
    await world.drain()
    expect(mended.received).toEqual([])
    await team.call('PATCH', at, { active: true })
    await world.drain()
    expect(leadsAt(mended).toSorted()).toEqual(leadIds.toSorted())
    expect((await team.get(at)).body).toMatchObject({ state: 'active', counts: { waiting: 0, delivered: 3 } })
  })

  it('is checked without sending, sent a marked sample, and pushed who was captured before [DST-03, DST-04, DST-13]', async () => {
    const team = await world.team()
    const { leadIds } = await capture(world, team, fans(2))
    const { inbox, at } = await webhook(team)
    expect((await team.post(`${at}/check`, {})).body).toEqual({
      account: new URL(inbox.url).host,
      scopes: [],
      missing: [],
      findings: [],
    })
    expect((await team.get(`${at}/fields`)).body).toEqual({ fields: [] })
    expect(inbox.received).toEqual([])
    expect((await team.post(`${at}/test`, {})).body).toEqual({
      delivered: true,
      remoteId: null,
      remoteUrl: null,
      error: null,
    })
    expect(inbox.received.map(({ body }) => body.sample)).toEqual([true])
    inbox.answer(500)
    expect((await team.post(`${at}/test`, {})).body).toMatchObject({ delivered: false, error: { code: 'bad_status' } })
    inbox.answer(200)
    const pushed = (await team.post(`${at}/push`, {})).body
    expect(pushed).toMatchObject({ queued: 2, considered: 2, excluded: 0 })
    await world.drain()
    expect(leadsAt(inbox).slice(2).toSorted()).toEqual(leadIds.toSorted())
    expect((await team.get(`/push/${pushed.pushId}`)).body).toMatchObject({
      destinationId: at.split('/').at(-1),
      counts: { delivered: 2 },
      finished: true,
    })
    expect((await team.post(`${at}/push`, {})).body).toMatchObject({ queued: 0, considered: 2 })
  })

  it('goes nowhere any more once it is deleted [DST-02, DST-13]', async () => {
    const team = await world.team()
    const { inbox, at } = await webhook(team, { active: false })
    await capture(world, team, fans(1))
    expect((await team.del(at)).body).toMatchObject({ ok: true, deleted: true })
    await world.drain()
    await capture(world, team, fans(1))
    expect(inbox.received).toEqual([])
    const { deliveries } = (await team.get('/deliveries')).body
    expect(deliveries.map(({ state, url }: { state: string; url: null }) => [state, url])).toEqual([
      ['cancelled', null],
      ['cancelled', null],
    ])
  })

  it('is refused with words about the field [DST-01, DST-13]', async () => {
    const team = await world.team()
    for (const [body, words] of [
      [{ settings: { url: 'ftp://example.com/x' } }, 'must be a public https URL'],
      [{ settings: {} }, 'settings.url'],
      [{ settings: { url: 'https://example.com/x', secret: 'x' } }, 'settings.secret'],
      [{ settings: { url: 'https://example.com/x' }, credentials: { key: 'x' } }, 'credentials.key'],
    ] as const) {
      const { status, body: said } = await team.post('/destinations', { kind: 'webhook', name: 'x', ...body })
      expect([status, said.error]).toEqual([400, expect.stringContaining(words)])
    }
    expect((await team.get('/destinations')).body.destinations).toEqual([])
  })
})
