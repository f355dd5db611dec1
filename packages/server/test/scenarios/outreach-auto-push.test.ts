/** Auto-push with failures: pausing and resuming, lost answers, dead workers, a busy platform. */
import { describe, expect, it } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  add,
  addsTo,
  capture,
  connect,
  expectSentOnce,
  expireLeases,
  fans,
  handlesIn,
  ok,
  queuedFor,
  seedCampaign,
  storeKey,
  type Captured,
  type Connected,
} from './outreach-stage.ts'
import { armedTimes } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const ruleOf = async ({ team }: Connected, source: { id: string }) =>
  (await ok(team.get(`/sources/${source.id}/outreach`))).outreach
const restart = ({ team, campaignId }: Connected, source: { id: string }) =>
  ok(team.put(`/sources/${source.id}/outreach`, { campaignId }))
const campaignOf = ({ key, campaignId }: Connected) => world.network.outreach.campaign(key, Number(campaignId))!

const captureFor = (stage: Connected, count: number, then: () => void | Promise<void> = () => {}): Promise<Captured> =>
  capture(world, stage.team, fans(count), {
    before: async (id) => {
      await restart(stage, { id })
      await then()
    },
  })

describe('an auto-push', () => {
  it('pauses with all of its team when the key is rejected; saved with a good key it starts, and nobody is lost [OUT-23, OUT-25, OUT-02]', async () => {
    const [stage, neighbour] = [await connect(world), await connect(world)]
    const theirs = await captureFor(neighbour, 1)
    const idle = await captureFor(stage, 1)
    const source = await captureFor(stage, 2, () => world.network.outreach.rejectKey(stage.key))
    for (const one of [source, idle])
      expect(await ruleOf(stage, one)).toMatchObject({
        state: 'paused',
        pausedReason: 'invalid_key',
        campaignId: stage.campaignId,
      })
    expect(await ruleOf(neighbour, theirs)).toMatchObject({ state: 'active', pausedReason: null })
    const connection = await ok(stage.team.get('/integrations/outreach'))
    expect(connection).toMatchObject({
      connected: true,
      keyRejected: true,
      autoPush: [
        { state: 'paused', pausedReason: 'invalid_key', ownerKind: 'source', agentId: null },
        { state: 'paused' },
      ],
    })
    expect((await stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId })).body.code).toBe(
      'invalid_key',
    )
    world.network.outreach.rejectKey(stage.key, false)
    await storeKey(world, stage.team, stage.key)
    await world.advance('1h')
    expect(await ruleOf(stage, source)).toMatchObject({ state: 'paused' })
    expect(await restart(stage, source)).toMatchObject({ outreach: { state: 'active', pausedReason: null } })
    await world.drain()
    expect([
      handlesIn(world, stage.key, stage.campaignId),
      (await ok(stage.team.get('/integrations/outreach'))).keyRejected,
    ]).toEqual([[...source.handles, ...idle.handles].toSorted(), false])
    expect(await ruleOf(stage, idle)).toMatchObject({ state: 'paused' })
  })

  it('pauses as invalid_key when the key was taken away [OUT-23]', async () => {
    const stage = await connect(world)
    const source = await captureFor(stage, 1, () => storeKey(world, stage.team, null))
    expect(await ruleOf(stage, source)).toMatchObject({ state: 'paused', pausedReason: 'invalid_key' })
    await storeKey(world, stage.team, stage.key)
    await restart(stage, source)
    await world.drain()
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([...source.handles])
  })

  it.each(['FINISHED', 'DRAFT'] as const)(
    'pauses as campaign_closed when the campaign is %s, unasked; only saving one that takes leads starts it [OUT-14, OUT-23]',
    async (status) => {
      const stage = await connect(world)
      const elsewhere = await capture(world, stage.team, fans(1))
      await restart({ ...stage, campaignId: seedCampaign(world, stage.key) }, elsewhere)
      const source = await captureFor(stage, 2, () =>
        world.network.outreach.setStatus(stage.key, Number(stage.campaignId), status),
      )
      expect(await ruleOf(stage, source)).toMatchObject({ state: 'paused', pausedReason: 'campaign_closed' })
      expect(await ruleOf(stage, elsewhere)).toMatchObject({ state: 'active', pausedReason: null })
      expect([campaignOf(stage), addsTo(world, stage.campaignId)]).toMatchObject([
        { status, restarts: 0, leads: [] },
        0,
      ])
      expect((await stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId })).body.code).toBe(
        'campaign_closed',
      )
      world.network.outreach.setStatus(stage.key, Number(stage.campaignId), 'IN_PROGRESS')
      await restart(stage, source)
      await world.drain()
      expect(handlesIn(world, stage.key, stage.campaignId)).toEqual(source.handles.toSorted())
    },
  )

  it('pauses as campaign_closed when the platform refuses at the add itself, or has the campaign no more [OUT-23]', async () => {
    const [refused, gone] = [await connect(world), await connect(world)]
    const past = await capture(world, refused.team, fans(1))
    world.network.hold(add)
    await ok(refused.team.put(`/sources/${past.id}/outreach`, { campaignId: refused.campaignId, pushHistoric: true }))
    world.beginDrain()
    await world.network.untilWaiting(1, add)
    world.network.outreach.setStatus(refused.key, Number(refused.campaignId), 'CANCELED')
    world.network.release()
    await world.drain()
    expect(await ruleOf(refused, past)).toMatchObject({ state: 'paused', pausedReason: 'campaign_closed' })
    const source = await captureFor(
      gone,
      1,
      () =>
        world.network.fault({ kind: 'not_found', vendor: 'heyreach', match: { campaignId: gone.campaignId } }) &&
        undefined,
    )
    expect(await ruleOf(gone, source)).toMatchObject({ state: 'paused', pausedReason: 'campaign_closed' })
  })

  it.each([
    ['does not answer the look', { operation: 'GetById', kind: 'status_503' }],
    ['is busy', { ...add, kind: 'status_429', retryAfterS: 30 }],
  ] as const)('waits and tries again when the platform %s [OUT-13, OUT-18]', async (_what, fault) => {
    const stage = await connect(world)
    const source = await captureFor(
      stage,
      2,
      () => world.network.fault({ vendor: 'heyreach', match: { campaignId: stage.campaignId }, ...fault }) && undefined,
    )
    expect([handlesIn(world, stage.key, stage.campaignId), (await ruleOf(stage, source)).state]).toEqual([[], 'active'])
    await world.advance('2m')
    world.network.clearFaults()
    await world.advance('10m')
    expectSentOnce(world, stage, source.handles)
  })

  it.each([
    ['after they were added', { kind: 'lost_reply' }, 1],
    ['before', { kind: 'reset' }, 2],
  ] as const)(
    'whose answer is lost %s looks its people up and sends nobody twice and everybody once [OUT-13]',
    async (_when, fault, calls) => {
      const stage = await connect(world)
      const source = await capture(world, stage.team, fans(3))
      world.network.fault({ ...add, ...fault, times: 1, match: { campaignId: stage.campaignId } })
      await ok(stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId, pushHistoric: true }))
      await world.advance('5m')
      expect(addsTo(world, stage.campaignId)).toBe(1)
      await world.advance('11m')
      await world.advance('11m')
      expectSentOnce(world, stage, source.handles)
      expect(addsTo(world, stage.campaignId)).toBe(calls)
    },
  )

  it.each([
    ['outreach.leased', 0],
    ['outreach.claimed', 0],
    ['outreach.answered', 2],
    ['outreach.before-commit', 2],
  ] as const)(
    'whose worker dies at %s sends everybody once all the same [OUT-13]',
    async (point: FaultPoint, added) => {
      const stage = await connect(world)
      const source = await capture(world, stage.team, fans(2))
      await world.arm(point)
      await ok(stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId, pushHistoric: true }))
      const died = world.drain().catch(() => undefined)
      await expect.poll(() => armedTimes(world, point), { timeout: 20_000 }).toBe(0)
      expect(handlesIn(world, stage.key, stage.campaignId)).toHaveLength(added)
      await expireLeases(world)
      await died
      await world.drain()
      for (let look = 0; look < 3; look++) await world.advance('11m')
      expectSentOnce(world, stage, source.handles)
      expect(await queuedFor(world, source.id)).toBe(0)
    },
  )

  it('and a send by hand at the same time send everybody once between them [OUT-13]', async () => {
    const stage = await connect(world)
    const source = await capture(world, stage.team, fans(40))
    const [saved, sent] = await Promise.all([
      ok(stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId, pushHistoric: true })),
      ok(stage.team.post('/integrations/outreach/send', { campaignId: stage.campaignId, leadIds: source.leadIds })),
      world.drain(),
    ])
    for (let look = 0; look < 2; look++) await world.advance('16m')
    expect([saved.historic.matched, sent.sent + sent.alreadyInCampaign]).toEqual([40, 40])
    expectSentOnce(world, stage, source.handles)
  })

  it('sends by the filters as they are when it sends, and takes turns with other teams [OUT-18]', async () => {
    const [one, two] = [await connect(world), await connect(world)]
    const captured = await capture(world, one.team, [{ title: 'Growth' }, { title: 'Chef' }])
    world.network.hold({ vendor: 'heyreach', operation: 'GetById' })
    const saving = ok(
      one.team.put(`/sources/${captured.id}/outreach`, { campaignId: one.campaignId, pushHistoric: true }),
    )
    await world.network.untilWaiting(1, { operation: 'GetById' })
    world.network.release({ vendor: 'heyreach', operation: 'GetById', count: 1 })
    expect((await saving).historic).toEqual({ matched: 2, queued: 2 })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'GetById' })
    await world.database.pool.query('update outreach_rule set filters = $1 where owner_id = $2', [
      JSON.stringify([{ column: 'jobTitle', operator: 'contains', value: 'growth' }]),
      captured.id,
    ])
    world.network.release()
    const other = await captureFor(two, 1)
    await world.drain()
    expect([handlesIn(world, one.key, one.campaignId), handlesIn(world, two.key, two.campaignId)]).toEqual([
      [captured.handles[0]],
      [...other.handles],
    ])
  })

  it('sends somebody by another lead of theirs when the one they were queued by may not go any more [OUT-13, OUT-18]', async () => {
    const stage = await connect(world)
    const source = await captureFor(stage, 1, () =>
      world.network.outreach.setStatus(stage.key, Number(stage.campaignId), 'CANCELED'),
    )
    world.network.seedPost({
      author: source.username,
      comments: [{ person: source.handles[0]!, text: 'Tell me more' }],
    })
    await world.advance('25h')
    world.network.outreach.setStatus(stage.key, Number(stage.campaignId), 'IN_PROGRESS')
    const filters = [{ column: 'engagementType', operator: 'equals', value: 'Comment' }]
    await ok(stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId, filters }))
    await world.drain()
    expect(campaignOf(stage).leads).toMatchObject([{ times: 1, customFields: { comment_text: 'Tell me more' } }])
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([...source.handles])
  })

  it.each([
    ['with its history, sends them to that one too, as it has promised', { pushHistoric: true }],
    ['without history, sends nobody twice', {}],
  ])('that gets another campaign while its people are being added, %s [OUT-13, OUT-20]', async (_what, history) => {
    const stage = await connect(world)
    const next = { key: stage.key, campaignId: seedCampaign(world, stage.key) }
    const source = await capture(world, stage.team, fans(2))
    const adding = { ...add, match: { campaignId: stage.campaignId } }
    world.network.hold(adding)
    await ok(stage.team.put(`/sources/${source.id}/outreach`, { campaignId: stage.campaignId, pushHistoric: true }))
    world.beginDrain()
    await world.network.untilWaiting(1, adding)
    await world.move('1s')
    const saved = await ok(
      stage.team.put(`/sources/${source.id}/outreach`, { campaignId: next.campaignId, ...history }),
    )
    expect(saved.historic).toEqual('pushHistoric' in history ? { matched: 2, queued: 2 } : undefined)
    world.network.release()
    await world.drain()
    expectSentOnce(world, stage, source.handles)
    expectSentOnce(world, next, 'pushHistoric' in history ? source.handles : [])
  })
})
