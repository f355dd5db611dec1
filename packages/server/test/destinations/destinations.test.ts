/** Destinations as a team sets up, pauses and repairs them, with a Slack channel. */
import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { skippingClock } from '../world/fast-clock.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { addDestination, deliveriesOf, slackAddress, slackDestination } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: skippingClock() } })

describe('a destination', () => {
  it('is checked, stored without showing its credentials, and gets who is captured from then on [DST-01, DST-02, DST-06, DST-11]', async () => {
    const team = await world.team()
    const before = await capture(world, team, fans(1))
    const { destination, webhookUrl, messages, texts } = await slackDestination(world, team)
    expect(destination).toMatchObject({
      kind: 'slack',
      name: 'Sales channel',
      active: true,
      state: 'active',
      pausedReason: null,
      credentialsHint: webhookUrl.slice(-4),
      sources: 'all',
      counts: { delivered: 0, waiting: 0, refused: 0, excluded: 0 },
    })
    expect(JSON.stringify((await team.get('/destinations')).body)).not.toContain(webhookUrl)
    await world.drain()
    expect(texts()).not.toContain(before.handles[0])
    const source = await capture(world, team, fans(2, { name: 'Ada <!channel> & Co' }))
    await world.drain()
    // A burst is one message, and strangers' texts mention nobody.
    expect(messages().filter(({ texts: said }) => said.join().includes('Ada'))).toHaveLength(1)
    expect(messages().flatMap(({ pings }) => pings)).toEqual([])
    const delivered = await deliveriesOf(team, destination.id)
    expect(delivered.map(({ state, leadId }) => [state, leadId]).toSorted()).toEqual(
      source.leadIds.map((id) => ['delivered', id]).toSorted(),
    )
    expect((await team.get(`/destinations/${destination.id}`)).body).toMatchObject({
      counts: { delivered: 2, waiting: 0 },
      lastDeliveredAt: expect.any(String),
    })
  })

  it('is refused when the platform refuses its credentials, and nothing is stored [DST-01]', async () => {
    const team = await world.team()
    const refused = await team.post('/destinations', {
      kind: 'slack',
      name: 'Gone',
      settings: {},
      credentials: { webhookUrl: slackAddress('revoked').webhookUrl },
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'credentials_rejected'])
    expect((await team.get('/destinations')).body.destinations).toEqual([])
  })

  it('is refused with words about the field [DST-01]', async () => {
    const team = await world.team()
    const slack = { kind: 'slack', name: 'x', settings: {} }
    const mapping = [{ field: 'city', from: 'town', mode: 'always' }]
    for (const [body, code, words] of [
      [{ ...slack, kind: 'fax' }, undefined, '`kind`'],
      [{ ...slack, credentials: { webhookUrl: 'https://example.com/x' } }, undefined, 'webhookUrl'],
      [{ ...slack, settings: { channel: 'x' }, credentials: slackAddress() }, 'unknown_field', 'channel'],
      [{ ...slack, credentials: { webhookURL: 'x' } }, 'unknown_field', 'did you mean `webhookUrl`?'],
      [{ ...slack, colour: 'red' }, 'unknown_field', 'colour'],
      [{ ...slack, kind: 'hubspot', mapping }, undefined, '`mapping[0].from` must be a field of a lead'],
      [{ ...slack, name: '' }, undefined, '`name`'],
    ] as const) {
      const { status, body: said } = await team.post('/destinations', body)
      expect([status, said.error], JSON.stringify(body)).toEqual([400, expect.stringContaining(words)])
      if (code !== undefined) expect(said.code).toBe(code)
    }
  })

  it('records what was on its way when a person paused it [DST-05, DST-07]', async () => {
    const team = await world.team()
    const { destination, messages } = await slackDestination(world, team)
    world.network.hold({ vendor: 'slack', operation: 'webhook' })
    const captured = capture(world, team, fans(1))
    await world.network.untilWaiting(1, { vendor: 'slack', operation: 'webhook' })
    expect((await team.call('PATCH', `/destinations/${destination.id}`, { active: false })).body.state).toBe('paused')
    world.network.release()
    await captured
    expect(await deliveriesOf(team, destination.id)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    const sent = messages().length
    await team.call('PATCH', `/destinations/${destination.id}`, { active: true })
    await world.drain()
    expect(messages().filter((message) => message.texts.join().includes('/in/'))).toHaveLength(1)
    expect(messages().length).toBeGreaterThanOrEqual(sent)
  })

  it('can be paused by a person, sent a sample, changed and deleted [DST-02, DST-03]', async () => {
    const team = await world.team()
    const { destination, texts } = await slackDestination(world, team)
    const at = `/destinations/${destination.id}`
    expect((await team.call('PATCH', at, { active: false })).body).toMatchObject({
      active: false,
      state: 'paused',
      pausedReason: 'by_person',
    })
    await capture(world, team, fans(1))
    await world.drain()
    expect(await deliveriesOf(team, destination.id)).toMatchObject([{ state: 'waiting' }])
    expect((await team.post(`${at}/test`, {})).body).toMatchObject({ delivered: true, error: null })
    expect(texts()).toContain('Test')
    expect((await team.post(`${at}/check`, {})).body).toMatchObject({ missing: [], account: expect.any(String) })
    expect((await team.call('PATCH', at, { name: 'Another', active: true })).body.name).toBe('Another')
    await world.drain()
    expect(await deliveriesOf(team, destination.id)).toMatchObject([{ state: 'delivered' }])
    expect((await team.del(at)).body).toEqual({ ok: true, id: destination.id, deleted: true })
    expect((await team.get(at)).status).toBe(404)
  })

  it('gets leads from before by a push, whose progress can be read [DST-04]', async () => {
    const team = await world.team()
    const source = await capture(world, team, fans(3))
    const { destination } = await slackDestination(world, team)
    const [first] = source.leadIds
    const one = await team.post(`/destinations/${destination.id}/push`, { leadIds: [first] })
    expect(one.body).toMatchObject({ queued: 1, considered: 1, excluded: 0 })
    await world.drain()
    expect((await team.get(`/push/${one.body.pushId}`)).body).toMatchObject({
      destinationId: destination.id,
      counts: { delivered: 1, pending: 0 },
      finished: true,
    })
    expect((await team.post(`/destinations/${destination.id}/push`, {})).body).toMatchObject({
      queued: 3,
      considered: 3,
    })
  })

  it('is seen by its own team alone', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const { destination } = await slackDestination(world, team)
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/check'],
      ['POST', '/push'],
      ['GET', '/deliveries'],
      ['GET', '/fields'],
    ])
      expect(
        (await stranger.call(method!, `/destinations/${destination.id}${path}`, method === 'GET' ? undefined : {}))
          .status,
      ).toBe(404)
    await addDestination(stranger, {
      kind: 'slack',
      name: 'x',
      settings: {},
      credentials: { webhookUrl: slackAddress().webhookUrl },
    })
    await capture(world, team, fans(1))
    await world.drain()
    const [theirs] = (await stranger.get('/destinations')).body.destinations
    expect(theirs.counts).toEqual({ delivered: 0, waiting: 0, refused: 0, excluded: 0 })
  })
})
