/** The webhook pages: endpoints, delivery log with payloads and attempts, replay, test event and signature debugger. */
import { verifyWebhook } from '@les/contract'
import { describe, expect, it } from 'vitest'
import type { Inbox, ReceivedRequest } from '../world/inbox.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'
import { nameOfPerson } from './source-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Scene = {
  readonly team: Team
  readonly member: MemberBrowser
  readonly inbox: Inbox
  readonly source: string
  readonly username: string
}

async function scene(people = 3, status = 200): Promise<Scene> {
  const [team, inbox, username] = [await world.team(), await world.inbox(), world.handle('author')]
  inbox.answer(status)
  world.network.seedPost({
    author: username,
    reactions: Array.from({ length: people }, () => ({ person: world.handle('engager') })),
  })
  await team.post('/enrich/profile', { username, saveTrackedProfile: true })
  await world.drain()
  const source = (await team.get('/sources')).body.sources[0].id
  await team.put(`/sources/${source}/webhook`, { webhookUrl: inbox.url })
  await team.post(`/sources/${source}/push`)
  await world.drain()
  return { team, member: await memberOf(world, team, 'member'), inbox, source, username }
}

const verify = async (team: Team, { raw, headers }: ReceivedRequest) =>
  await verifyWebhook({
    body: raw,
    headers: headers as Record<string, string>,
    secret: team.signingSecret,
    now: new Date(Number(headers['x-service-timestamp']) * 1_000),
  })

describe('the log of deliveries', () => {
  it('shows each delivery with its lead, newest first, page by page, and the bytes that were sent', async () => {
    const { member, inbox, source, username } = await scene(5)
    const all = (await member.get('/deliveries')).body
    expect([all.deliveries.length, all.nextCursor]).toEqual([5, null])
    for (const row of all.deliveries)
      expect(row).toMatchObject({
        event: 'lead.detected',
        state: 'sent',
        ownerId: source,
        ownerLabel: nameOfPerson(world, username),
        attempts: 1,
        lastStatus: 200,
        lastOutcome: 'delivered',
        nextAttemptAt: null,
      })
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = (await member.get(`/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)).body as {
        deliveries: { id: string }[]
        nextCursor: string | null
      }
      ids.push(...page.deliveries.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(ids).toEqual(all.deliveries.map(({ id }: { id: string }) => id))
    const [newest, second] = all.deliveries
    const ofTwo = await member.get(`/deliveries?leadIds=${newest.leadId},${second.leadId}`)
    expect(ofTwo.body.deliveries).toEqual([newest, second])
    expect((await member.get('/deliveries?leadIds=1,2')).status).toBe(400)
    const one = (await member.get(`/deliveries/${ids[0]}`)).body
    const received = inbox.received.find(({ headers }) => headers['webhook-id'] === ids[0])!
    expect(one).toMatchObject({
      delivery: { id: ids[0], url: inbox.url },
      payload: received.raw.toString(),
      attempts: [{ number: 1, status: 200, outcome: 'delivered', response: 'ok' }],
    })
    expect(one.delivery.leadName).toBe(received.body.lead.name)
  })

  it('is filtered by state, event, endpoint and lead, and knows no other team', async () => {
    const { team, member, source, inbox } = await scene(2)
    const [other] = [await memberOf(world, await world.team(), 'owner')]
    const lead = (await team.get('/leads')).body.leads[0].id
    const count = async (query: string) => (await member.get(`/deliveries?${query}`)).body.deliveries.length
    expect(await count('state=sent')).toBe(2)
    expect(await count('state=failed')).toBe(0)
    expect(await count('event=lead.detected')).toBe(2)
    expect(await count('event=sync.failed')).toBe(0)
    expect(await count(`ownerId=${source}`)).toBe(2)
    expect(await count(`leadId=${lead}`)).toBe(1)
    expect(await count(`ownerId=${lead}`)).toBe(0)
    expect((await other.get('/deliveries')).body.deliveries).toEqual([])
    const { id } = (await member.get('/deliveries')).body.deliveries[0]
    const sent = inbox.received.length
    expect((await other.get(`/deliveries/${id}`)).status).toBe(404)
    expect((await other.post(`/deliveries/${id}/replay`)).status).toBe(404)
    expect(
      (await other.post('/deliveries/replay', { ownerId: source, states: ['sent'], since: '2026-01-01T00:00:00Z' }))
        .status,
    ).toBe(404)
    expect((await other.post('/webhooks/test', { sourceId: source })).status).toBe(404)
    await world.drain()
    expect(inbox.received.length).toBe(sent)
  })

  it('refuses a filter that is none with 400', async () => {
    const member = await memberOf(world, await world.team(), 'viewer')
    for (const query of ['cursor=nonsense', 'cursor=W10', 'state=lost', 'event=x', 'ownerId=1', 'limit=0', 'limit=201'])
      expect([query, (await member.get(`/deliveries?${query}`)).status]).toEqual([query, 400])
  })

  it('never has a raw lead in it [DSH-05]', async () => {
    const { team, member, source } = await scene(1)
    const raw = world.handle('raw')
    world.network.seedPost({ author: raw, reactions: 3 })
    await team.post('/enrich/profile', { username: raw, saveTrackedProfile: true, enrichLeads: false })
    await world.drain()
    const rawSource = (await team.get('/sources')).body.sources.find(({ id }: { id: string }) => id !== source).id
    expect((await member.get('/v1/leads/raw')).body.leads.length).toBeGreaterThan(0)
    const webhook = await world.inbox()
    await team.put(`/sources/${rawSource}/webhook`, { webhookUrl: webhook.url })
    await team.post(`/sources/${rawSource}/push`)
    await world.drain()
    expect((await member.get(`/deliveries?ownerId=${rawSource}`)).body.deliveries).toEqual([])
    expect(webhook.received).toEqual([])
  })
})

describe('endpoints', () => {
  it('show their address, health and counts', async () => {
    const { team, member, source, inbox, username } = await scene(3)
    expect((await member.get('/webhooks')).body.endpoints).toMatchObject([
      {
        ownerId: source,
        ownerKind: 'source',
        type: 'person',
        label: nameOfPerson(world, username),
        url: inbox.url,
        icpOnly: false,
        autoSend: true,
        failingSince: null,
        disabledAt: null,
        counts: { sent: 3, waiting: 0, failed: 0, held: 0 },
        lastSentAt: expect.any(String) as string,
      },
    ])
    // Counts cover seven days; the time of the last delivery is kept longer.
    const { lastSentAt } = (await member.get('/webhooks')).body.endpoints[0]
    await world.move('8d')
    expect((await member.get('/webhooks')).body.endpoints).toMatchObject([
      { counts: { sent: 0, waiting: 0, failed: 0, held: 0 }, lastSentAt },
    ])
    await team.put(`/sources/${source}/webhook`, { webhookUrl: '' })
    expect((await member.get('/webhooks')).body.endpoints).toEqual([])
  })
})

describe('a replay', () => {
  it('sends the same bytes under the same id, with a fresh timestamp and a signature that fits [WHK-14, WHK-15]', async () => {
    const { team, member, inbox } = await scene(1)
    const first = inbox.received[0]!
    const { id } = (await member.get('/deliveries')).body.deliveries[0]
    await world.move('2h')
    const answer = await member.post(`/deliveries/${id}/replay`)
    expect([answer.status, answer.body.delivery.id, answer.body.delivery.state, answer.body.delivery.attempts]).toEqual(
      [200, id, 'pending', 0],
    )
    await world.drain()
    const [, second, ...more] = inbox.received
    expect(more).toEqual([])
    expect(second!.raw.equals(first.raw)).toBe(true)
    expect(second!.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(Number(second!.headers['x-service-timestamp']) - Number(first.headers['x-service-timestamp'])).toBe(7_200)
    expect(await verify(team, second!)).toMatchObject({ ok: true, deliveryId: id })
    expect(
      (await member.get(`/deliveries/${id}`)).body.attempts.map(
        ({ number, outcome }: { number: number; outcome: string }) => [number, outcome],
      ),
    ).toEqual([
      [2, 'delivered'],
      [1, 'delivered'],
    ])
    expect((await team.get('/leads')).body.leads[0].webhookStatus).toBe('sent')
  })

  it('is refused without a URL, for an untracked source, and for a viewer; nothing is sent', async () => {
    const { team, member, source, inbox, username } = await scene(1)
    const viewer = await memberOf(world, team, 'viewer')
    const { id } = (await member.get('/deliveries')).body.deliveries[0]
    const sent = inbox.received.length
    expect((await viewer.post(`/deliveries/${id}/replay`)).body.code).toBe('role_required')
    expect((await member.post('/deliveries/00000000-0000-4000-8000-000000000000/replay')).status).toBe(404)
    await team.put(`/sources/${source}/webhook`, { webhookUrl: null })
    expect((await member.post(`/deliveries/${id}/replay`)).body.code).toBe('no_webhook')
    expect((await member.post('/webhooks/test', { sourceId: source })).body.code).toBe('no_webhook')
    await team.put(`/sources/${source}/webhook`, { webhookUrl: inbox.url })
    expect((await team.del(`/profile/${username}`)).status).toBe(200)
    expect((await member.post(`/deliveries/${id}/replay`)).body.code).toBe('not_replayable')
    await world.drain()
    expect(inbox.received.length).toBe(sent)
  })
})

describe('the signature debugger', () => {
  const asLines = ({ headers }: ReceivedRequest) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\r\n')
  it("knows the team's own delivery, a changed body, and what was signed for another team", async () => {
    const [{ team, member, inbox }, other] = [await scene(1), await scene(1)]
    const received = inbox.received[0]!
    const good = await member.post('/webhooks/verify', { headers: asLines(received), body: received.raw.toString() })
    expect([good.status, good.body.valid]).toEqual([200, true])
    const changed = (
      await member.post('/webhooks/verify', {
        headers: asLines(received),
        body: JSON.stringify(received.body, null, 2),
      })
    ).body
    expect([changed.valid, changed.findings[0]]).toMatchObject([
      false,
      { ok: false, text: expect.stringContaining('parsed and written again') as string },
    ])
    const foreign = other.inbox.received[0]!
    expect(
      (await member.post('/webhooks/verify', { headers: asLines(foreign), body: foreign.raw.toString() })).body.valid,
    ).toBe(false)
    expect(
      (
        await member.post('/webhooks/verify', {
          headers: asLines(foreign),
          body: foreign.raw.toString(),
          secret: other.team.signingSecret,
        })
      ).body.valid,
    ).toBe(true)
    for (const answer of [good, changed]) expect(JSON.stringify(answer)).not.toContain(team.signingSecret.slice(6, 30))
  })
})
