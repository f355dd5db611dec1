import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import {
  capture,
  connect,
  fans,
  handlesIn,
  membersOf,
  ok,
  queuedFor,
  refusal,
  seedCampaign,
  storeKey,
  timesSent,
} from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const rulePath = (id: string) => `/sources/${id}/outreach`
const growth = [{ column: 'jobTitle', operator: 'contains', value: 'growth' }]

const queued = (id: string) => queuedFor(world, id)

describe('the rule of a source', () => {
  it('is null at first, set whole with its defaults, read back, and removed without a connection [OUT-17..OUT-19, CON-12]', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Hello' })
    const source = await capture(world, team, fans(1))
    const about = { sourceId: source.id, type: 'person', username: source.username }
    expect(await ok(team.get(rulePath(source.id)))).toEqual({ ...about, outreach: null })
    const saved = await ok(team.put(rulePath(source.id), { campaignId }))
    const updatedAt = (await world.now()).toISOString()
    expect(saved).toEqual({
      ...about,
      outreach: {
        campaignId,
        campaignName: 'Hello',
        autoSend: true,
        filters: [],
        state: 'active',
        pausedReason: null,
        updatedAt,
      },
    })
    expect(await ok(team.get(rulePath(source.id)))).toEqual(saved)
    const other = seedCampaign(world, key, { name: 'Other' })
    await ok(team.put(rulePath(source.id), { campaignId: other, autoSend: false, filters: growth }))
    expect((await ok(team.get(rulePath(source.id)))).outreach).toMatchObject({
      campaignId: other,
      campaignName: 'Other',
      autoSend: false,
      filters: growth,
    })
    // A PUT replaces the whole rule: missing fields get their defaults.
    expect((await ok(team.put(rulePath(source.id), { campaignId: other }))).outreach).toMatchObject({
      autoSend: true,
      filters: [],
    })
    await storeKey(world, team, null)
    expect(await ok(team.call('PUT', rulePath(source.id), undefined, { raw: 'null' }))).toEqual({
      ...about,
      outreach: null,
    })
    expect(await ok(team.get(rulePath(source.id)))).toEqual({ ...about, outreach: null })
    await storeKey(world, team, key)
    await ok(team.put(rulePath(source.id), { campaignId }))
    expect(await ok(team.put(rulePath(source.id), { campaignId: null }))).toEqual({ ...about, outreach: null })
    expect(await ok(team.put(rulePath(source.id), { campaignId: null }))).toEqual({ ...about, outreach: null })
  })

  it('of a tracked post is reached through /sources/{id}/outreach, and its leads go [POS-25]', async () => {
    const { team, key, campaignId } = await connect(world)
    const fan = world.handle('fan')
    world.network.seedPerson({ handle: fan, title: 'Engineer' })
    const post = world.network.seedPost({ author: world.handle('poster'), reactions: [{ person: fan }] })
    expect((await team.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })).status).toBe(201)
    const [source] = (await ok(team.get('/sources?type=post'))).sources
    await world.drain()
    expect(await ok(team.put(rulePath(source.id), { campaignId, pushHistoric: true }))).toMatchObject({
      type: 'post',
      username: `urn:li:activity:${post.id}`,
      historic: { matched: 1, queued: 1 },
    })
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([fan])
  })

  it('needs a body that is an object or null, and a source id [CON-12, OUT-17]', async () => {
    const { team } = await connect(world)
    const source = await capture(world, team, [])
    for (const raw of ['[]', '"x"', '7', 'true', '{bad', 'nul'])
      expect(refusal(await team.call('PUT', rulePath(source.id), undefined, { raw }))).toEqual([400, 'invalid_json'])
    expect(refusal(await team.call('PUT', rulePath(source.id), undefined, { raw: '' }))).toEqual([400, undefined])
    // Only outreach accepts a null body; elsewhere null is invalid JSON.
    expect(refusal(await team.call('PUT', `/sources/${source.id}/icp`, undefined, { raw: 'null' }))).toEqual([
      400,
      'invalid_json',
    ])
    for (const id of ['nope', source.username, `${source.id}0`]) {
      expect(refusal(await team.get(rulePath(id)))).toEqual([400, undefined])
      expect(refusal(await team.put(rulePath(id), { campaignId: '1001' }))).toEqual([400, undefined])
      expect(refusal(await team.call('PUT', rulePath(id), undefined, { raw: 'null' }))).toEqual([400, undefined])
    }
  })

  it("of an unknown, another team's or an untracked source is 404, whatever the body asks [OUT-17, AUT-11]", async () => {
    const { team, campaignId } = await connect(world)
    const [theirs, gone] = [await capture(world, (await connect(world)).team, []), await capture(world, team, [])]
    await ok(team.put(rulePath(gone.id), { campaignId }))
    await ok(team.del(`/profile/${gone.username}`))
    for (const id of [theirs.id, gone.id, '11111111-1111-1111-1111-111111111111']) {
      expect(refusal(await team.get(rulePath(id)))).toEqual([404, undefined])
      for (const body of [{ campaignId }, { campaignId: null }, { campaignId: '99999999' }])
        expect(refusal(await refusedWithoutTrace(world, () => team.put(rulePath(id), body)))).toEqual([404, undefined])
    }
    expect((await ok(team.get('/integrations/outreach'))).autoPush).toEqual([])
  })

  it('needs a connection and a campaign that takes leads; else the rule stays [OUT-22, OUT-16, ERR-11, ERR-20]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, [])
    await ok(team.put(rulePath(source.id), { campaignId, filters: growth }))
    const bad = [
      [seedCampaign(world, key, { status: 'FINISHED' }), 400, 'campaign_closed'],
      [seedCampaign(world, key, { status: 'DRAFT' }), 400, 'campaign_closed'],
      [seedCampaign(world, key, { accountIds: [] }), 400, 'no_senders'],
      ['99999999', 404, undefined],
    ] as const
    for (const [id, status, code] of bad)
      expect(
        refusal(await refusedWithoutTrace(world, () => team.put(rulePath(source.id), { campaignId: id }))),
      ).toEqual([status, code])
    world.network.fault({ kind: 'status_503', vendor: 'heyreach' })
    expect(refusal(await refusedWithoutTrace(world, () => team.put(rulePath(source.id), { campaignId })))).toEqual([
      502,
      undefined,
    ])
    world.network.clearFaults()
    expect((await ok(team.get(rulePath(source.id)))).outreach).toMatchObject({
      campaignId,
      filters: growth,
      state: 'active',
    })
    await storeKey(world, team, null)
    expect(refusal(await refusedWithoutTrace(world, () => team.put(rulePath(source.id), { campaignId })))).toEqual([
      409,
      'not_connected',
    ])
    await storeKey(world, team, 'bad-key')
    expect(refusal(await team.put(rulePath(source.id), { campaignId }))).toEqual([409, 'invalid_key'])
  })
})

describe('new leads', () => {
  it('go by themselves once enriched, those that pass, in one call, free of charge [OUT-18, OUT-11, OUT-26, CRD-30]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(
      world,
      team,
      [{ title: 'Head of Growth' }, { title: 'Growth lead', comment: 'Nice' }, { title: 'Plumber' }],
      { before: (id) => ok(team.put(rulePath(id), { campaignId, filters: growth })) },
    )
    expect(handlesIn(world, key, campaignId)).toEqual(source.handles.slice(0, 2).toSorted())
    expect(membersOf(world, key, campaignId).find((lead) => lead.customFields.comment_text === 'Nice')).toMatchObject({
      position: 'Growth lead',
      customFields: { source_name: source.username, engaged_post_url: source.postUrl },
    })
    expect(await team.balance()).toBe(5_000 - 3)
    expect(await queued(source.id)).toBe(0)
    // The next sync finds them again; they are already in the campaign.
    await world.advance('25h')
    expect(timesSent(world, key, campaignId)).toBe(2)
  })

  it('captured before the rule are history, also those still being enriched; autoSend false sends none [OUT-18, OUT-20]', async () => {
    const { team, key, campaignId } = await connect(world)
    world.network.hold({ operation: 'profile' })
    world.network.hold({ operation: 'profile/full' })
    const username = world.handle('author')
    const fan = world.handle('fan')
    world.network.seedPerson({ handle: fan, title: 'Engineer' })
    world.network.seedPost({ author: username, reactions: [{ person: fan }] })
    await team.post('/enrich/profile', { username, saveTrackedProfile: true })
    // The author is looked up too, by a separate unit.
    world.beginDrain()
    world.beginDrain()
    await world.network.untilWaiting(2)
    expect((await team.get(`/leads?username=${username}&includeSyncing=true`)).body.total).toBe(1)
    const { id } = (await team.get('/sources')).body.sources[0]
    await world.move('1m')
    await ok(team.put(rulePath(id), { campaignId }))
    world.network.release()
    await world.drain()
    expect((await team.get(`/leads?username=${username}`)).body.leads[0].enrichmentStatus).toBe('completed')
    expect(handlesIn(world, key, campaignId)).toEqual([])
    await capture(world, team, fans(1), {
      before: (other) => ok(team.put(rulePath(other), { campaignId, autoSend: false })),
    })
    expect(handlesIn(world, key, campaignId)).toEqual([])
  })

  it('of a raw source never go, nor those of an untracked one [OUT-26, RAW-06, TRK-35]', async () => {
    const { team, key, campaignId } = await connect(world)
    await capture(world, team, fans(2), {
      settings: { enrichLeads: false },
      before: (id) => ok(team.put(rulePath(id), { campaignId, pushHistoric: true })),
    })
    world.network.hold({ vendor: 'heyreach', operation: 'GetById' })
    const gone = await capture(world, team, fans(1), {
      before: async (id) => {
        world.network.release({ vendor: 'heyreach' })
        await ok(team.put(rulePath(id), { campaignId }))
        world.network.fault({ kind: 'status_503', vendor: 'heyreach' })
      },
    })
    world.network.clearFaults()
    expect(await queued(gone.id)).toBe(1)
    await ok(team.del(`/profile/${gone.username}`))
    await world.advance('2h')
    expect([handlesIn(world, key, campaignId), await queued(gone.id)]).toEqual([[], 0])
  })

  it('of two sources with one campaign go once; with two campaigns to both [OUT-13, OUT-25]', async () => {
    const { team, key, campaignId } = await connect(world)
    const second = seedCampaign(world, key)
    const shared = world.handle('shared')
    for (const to of [campaignId, campaignId, second])
      await capture(world, team, [{ handle: shared }], {
        before: (id) => ok(team.put(rulePath(id), { campaignId: to })),
      })
    expect([timesSent(world, key, campaignId), timesSent(world, key, second)]).toEqual([1, 1])
    const { autoPush } = await ok(team.get('/integrations/outreach'))
    expect(
      autoPush.map((rule: { ownerKind: string; campaignId: string }) => [rule.ownerKind, rule.campaignId]).sort(),
    ).toEqual(
      [
        ['source', campaignId],
        ['source', campaignId],
        ['source', second],
      ].sort(),
    )
  })
})

describe('past leads', () => {
  it('go with pushHistoric, once, those that pass; the reply counts people [OUT-20]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, [{ title: 'Growth' }, { title: 'Growth' }, { title: 'Chef' }])
    const first = source.leadIds.length
    await ok(
      team.post('/integrations/outreach/send', {
        campaignId,
        people: [{ profileUrl: `https://www.linkedin.com/in/${source.handles[0]}`, name: 'Already There' }],
      }),
    )
    const saved = await ok(team.put(rulePath(source.id), { campaignId, filters: growth, pushHistoric: true }))
    expect([first, saved.historic]).toEqual([3, { matched: 2, queued: 1 }])
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual(source.handles.slice(0, 2).toSorted())
    expect(
      (await ok(team.put(rulePath(source.id), { campaignId, filters: growth, pushHistoric: true }))).historic,
    ).toEqual({ matched: 2, queued: 0 })
    expect(await ok(team.put(rulePath(source.id), { campaignId, filters: growth }))).not.toHaveProperty('historic')
    await world.drain()
    expect(timesSent(world, key, campaignId)).toBe(2)
  })

  it('that are queued are dropped when the rule is removed, and do not come back with a new one [OUT-19]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, fans(3))
    world.network.fault({ kind: 'status_503', vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', times: 1 })
    world.network.hold({ vendor: 'heyreach', operation: 'GetById', match: { campaignId } })
    const saving = team.put(rulePath(source.id), { campaignId, pushHistoric: true })
    await world.network.untilWaiting(1, { operation: 'GetById' })
    world.network.release({ vendor: 'heyreach', operation: 'GetById', count: 1 })
    expect((await ok(saving)).historic).toEqual({ matched: 3, queued: 3 })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'GetById' })
    expect(await ok(team.call('PUT', rulePath(source.id), undefined, { raw: 'null' }))).toMatchObject({
      outreach: null,
    })
    world.network.release()
    world.network.clearFaults()
    await world.drain()
    await ok(team.put(rulePath(source.id), { campaignId }))
    await world.advance('1h')
    expect([handlesIn(world, key, campaignId), await queued(source.id)]).toEqual([[], 0])
  })
})
