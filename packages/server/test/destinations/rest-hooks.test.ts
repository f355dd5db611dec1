import { verifyWebhook } from '@les/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookOperations } from '../../src/modules/delivery/index.ts'
import { answer, openInbox, openStage, type Inbox as StageInbox, type Stage } from '../delivery/stage.ts'
import { addDestination } from './stage.ts'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function subscribe(team: Team, event: string, inbox?: Inbox) {
  const to = inbox ?? (await world.inbox())
  const made = await team.post('/hooks', { targetUrl: to.url, event })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_/) })
  return { inbox: to, ...(made.body as { id: string; secret: string }) }
}

describe('a REST hook', () => {
  it('gets its own event of every source, signed by its own secret, which is shown once [DST-16]', async () => {
    const team = await world.team()
    const leads = await subscribe(team, 'lead.detected')
    const twin = await subscribe(team, 'lead.detected')
    const syncs = await subscribe(team, 'sync.completed')
    const failures = await subscribe(team, 'sync.failed')
    const posts = await subscribe(team, 'post.detected')
    const stranger = await world.team()
    const foreign = await subscribe(stranger, 'lead.detected')
    expect(new Set([leads, twin, syncs].map(({ secret }) => secret)).size).toBe(3)
    const source = await capture(world, team, fans(2))
    for (const { inbox } of [leads, twin])
      expect(inbox.received.map(({ body }) => body.lead.id).toSorted()).toEqual(source.leadIds.toSorted())
    expect(syncs.inbox.received.map(({ body }) => [body.event, body.source.id])).toEqual([
      ['sync.completed', source.id],
    ])
    for (const { inbox } of [failures, posts, foreign]) expect(inbox.received).toEqual([])
    const now = await world.now()
    for (const { inbox, secret } of [leads, twin, syncs])
      for (const { raw, headers } of inbox.received) {
        expect(await verifyWebhook({ body: raw, headers, secret, now })).toMatchObject({ ok: true })
        for (const wrong of [team.signingSecret, secret === leads.secret ? twin.secret : leads.secret])
          expect(await verifyWebhook({ body: raw, headers, secret: wrong, now })).toMatchObject({ ok: false })
      }
    const listed = await team.get('/hooks')
    expect(listed.body.hooks).toHaveLength(5)
    expect(listed.body.hooks[0]).toEqual({
      id: leads.id,
      targetUrl: leads.inbox.url,
      event: 'lead.detected',
      state: 'active',
      createdAt: expect.any(String),
    })
    expect(listed.text).not.toContain('whsec_')
  })

  it('is unsubscribed by a 410, with what waits for it; others go on [DST-16]', async () => {
    const team = await world.team()
    const gone = await subscribe(team, 'lead.detected')
    const stays = await subscribe(team, 'lead.detected')
    gone.inbox.answer(410)
    await capture(world, team, fans(3))
    await world.drain()
    expect((await team.get('/hooks')).body.hooks.map(({ id }: { id: string }) => id)).toEqual([stays.id])
    const { deliveries } = (await team.get('/deliveries?state=cancelled')).body
    expect(deliveries).toHaveLength(3)
    const tried = gone.inbox.received.length
    gone.inbox.answer(200)
    await capture(world, team, fans(1))
    await world.advance('3h')
    expect(gone.inbox.received).toHaveLength(tried)
    expect(stays.inbox.received).toHaveLength(4)
  })

  it('is unsubscribed by a DELETE of its team, and of no other [DST-16]', async () => {
    const team = await world.team()
    const stranger = await world.team()
    const hook = await subscribe(team, 'lead.detected')
    expect((await stranger.del(`/hooks/${hook.id}`)).status).toBe(404)
    expect((await stranger.get('/hooks')).body.hooks).toEqual([])
    expect((await team.del(`/hooks/${hook.id}`)).body).toEqual({ ok: true, id: hook.id, deleted: true })
    expect((await team.del(`/hooks/${hook.id}`)).status).toBe(404)
    await capture(world, team, fans(1))
    expect(hook.inbox.received).toEqual([])
  })

  it('gets nothing about who is excluded [DST-16, EXC-07]', async () => {
    const team = await world.team()
    const hook = await subscribe(team, 'lead.detected')
    const handle = world.handle('excluded')
    await team.post('/exclusions', { entries: [{ kind: 'person', value: handle }] })
    await capture(world, team, [{ handle }])
    expect(hook.inbox.received).toEqual([])
  })

  it('and a webhook of the team are told of an erasure, each signed as it knows us [DST-13, DST-16, PRV-07]', async () => {
    const team = await world.team()
    const to = await world.inbox()
    const own = await world.inbox()
    await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: to.url } })
    const hook = await subscribe(team, 'lead.detected', own)
    // A source has the same address: deliveries signed with its secret would not verify at the hook.
    const { handles, leadIds } = await capture(world, team, fans(1), {
      before: async (source) => void (await team.put(`/sources/${source}/webhook`, { webhookUrl: own.url })),
    })
    const profileUrl = `https://www.linkedin.com/in/${handles[0]}`
    expect((await team.post('/privacy/erasures', { profileUrl })).status).toBe(201)
    await world.drain()
    const told = (inbox: Inbox) => inbox.received.filter(({ body }) => body.event === 'person.erased')
    expect(told(to).map(({ body }) => body.person.externalKeys)).toEqual([leadIds])
    expect(told(own)).toHaveLength(2)
    const now = await world.now()
    const verified = async (inbox: Inbox, secret: string) =>
      (
        await Promise.all(told(inbox).map(({ raw: body, headers }) => verifyWebhook({ body, headers, secret, now })))
      ).filter(({ ok }) => ok).length
    expect([
      await verified(to, team.signingSecret),
      await verified(own, team.signingSecret),
      await verified(own, hook.secret),
    ]).toEqual([1, 1, 1])
  })

  it('has a sample of each event, a list of one marked event [DST-16]', async () => {
    const team = await world.team()
    for (const event of ['lead.detected', 'post.detected', 'sync.completed', 'sync.failed']) {
      const sample = await team.get(`/hooks/sample?event=${event}`)
      expect([sample.status, sample.body]).toEqual([200, [expect.objectContaining({ event, sample: true })]])
    }
  })

  it('is refused with words about the field [DST-16]', async () => {
    const team = await world.team()
    for (const [body, words] of [
      [{ targetUrl: 'http://localhost:1/x', event: 'person.erased' }, 'event'],
      [{ targetUrl: 'gopher://example.com', event: 'lead.detected' }, '`targetUrl` must be a public https URL'],
      [{ event: 'lead.detected' }, 'targetUrl'],
      [{ targetUrl: 'https://example.com/x', event: 'lead.detected', secret: 'mine' }, 'secret'],
    ] as const) {
      const { status, body: said } = await team.post('/hooks', body)
      expect([status, said.error]).toEqual([400, expect.stringContaining(words)])
    }
    expect((await team.get('/hooks')).body.hooks).toEqual([])
  })

  it('is one of a hundred at most [DST-16]', async () => {
    const team = await world.team()
    const targetUrl = (await world.inbox()).url
    for (let made = 0; made < 100; made++)
      expect((await team.post('/hooks', { targetUrl, event: 'sync.failed' })).status).toBe(201)
    const refused = await team.post('/hooks', { targetUrl, event: 'sync.failed' })
    expect([refused.status, refused.body.code]).toEqual([403, 'hook_limit_reached'])
  })
})

describe('a process that dies between sending and recording', () => {
  let stage: Stage
  let inbox: StageInbox
  beforeAll(async () => {
    ;[stage, inbox] = [await openStage(), await openInbox()]
  })
  afterAll(async () => {
    await inbox.close()
    await stage.close()
  })

  it('sends the same bytes under the same id again, once [DST-16, WHK-16]', async () => {
    const { createHook } = hookOperations({ vault: stage.vault, ids: stage.ids, allowPrivate: true })
    const input = { targetUrl: inbox.url, event: 'lead.detected' } as const
    const made = await createHook(input as never, stage.context(stage.teamId) as never)
    const { secret } = made as unknown as { secret: string }
    const lead = await stage.detect(await stage.makeSource('crash-of-a-hook'), { webhookStatus: 'no_webhook' })
    stage.armed.set('delivery.sent', 1)
    await expect(stage.step()).rejects.toThrow('armed fault')
    stage.state.skewMs += 60_000
    stage.advance(1_000)
    await stage.drain()
    expect(inbox.received).toHaveLength(2)
    expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(inbox.received[1]!.body.equals(inbox.received[0]!.body)).toBe(true)
    for (const { body, headers } of inbox.received)
      expect(await verifyWebhook({ body, headers, secret, now: stage.state.now })).toMatchObject({ ok: true })
    expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual(['sent', 'no_webhook'])
    inbox.reply = answer(200)
  })
})
