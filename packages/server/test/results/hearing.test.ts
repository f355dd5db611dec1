/** What HeyReach reports, in posts and in polls: stored at once, applied later, counted once. */
import { describe, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { connect, fans, ok, seedCampaign, storeKey } from '../scenarios/outreach-stage.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { useWorld, drainOnly } from '../world/world.ts'
import { happens, post, resultsOf, sent, urlOf, type Sent } from './stage.ts'

// Without workers: posted results wait until they are drained.
const world = useWorld({ config: drainOnly })
const sql = async (text: string, ...values: unknown[]) => (await world.database.pool.query(text, values)).rows
const storedOf = ({ team }: Pick<Sent, 'team'>) =>
  sql('select outcome, origin, campaign_id from result where team_id = $1 order by outcome', team.id)
const outcomesOf = async (stage: Sent) => (await storedOf(stage)).map(({ outcome }) => outcome)
const nothing = { last: null, lastAt: null, replied: false, meeting: false, won: false }

describe('the address', () => {
  it('is shown once connected, without a key, to whoever may write; it holds 32 random bytes, and only its hash finds it [RSL-02]', async () => {
    const idle = await world.team()
    expect((await ok(idle.get('/integrations/outreach'))).resultsUrl).toBeNull()
    const { team } = await connect(world)
    const { resultsUrl } = await ok(team.get('/integrations/outreach'))
    const secret = resultsUrl.slice(`${world.url}/hooks/outreach/`.length)
    expect(resultsUrl).toBe(`${world.url}/hooks/outreach/${secret}`)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect((await ok(team.get('/integrations/outreach'))).resultsUrl).toBe(resultsUrl)
    const [member, viewer] = [await memberOf(world, team, 'member'), await memberOf(world, team, 'viewer')]
    expect((await member.get('/v1/integrations/outreach')).body.resultsUrl).toBe(resultsUrl)
    expect((await viewer.get('/v1/integrations/outreach')).body.resultsUrl).toBeNull()
    const [row] = await sql('select * from result_feed where team_id = $1', team.id)
    expect(
      Object.values(row!).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
    ).not.toContain(expect.stringContaining(secret))
  })

  it('takes nothing for a wrong secret, another method or path, and nothing for the secret before once it is rotated [RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    const { team, resultsUrl, source } = stage
    const body = happens(world, stage, source.handles[0]!, 'replied')
    expect(await post(`${resultsUrl}x`, body)).toBe(404)
    expect(await post(`${world.url}/hooks/outreach/${'A'.repeat(43)}`, body)).toBe(404)
    expect(await post(`${world.url}/hooks/outreach`, body)).toBe(404)
    expect(await post(`${resultsUrl}/more`, body)).toBe(404)
    expect((await fetch(resultsUrl)).status).toBe(404)
    const rotated = (await ok(team.post('/integrations/outreach/results-secret', {}))).resultsUrl
    expect(rotated).not.toBe(resultsUrl)
    expect((await ok(team.get('/integrations/outreach'))).resultsUrl).toBe(rotated)
    expect(await post(resultsUrl, body)).toBe(404)
    expect(await sql('select 1 from result_inbox where team_id = $1', team.id)).toEqual([])
    expect(await post(rotated, body)).toBe(200)
    expect((await team.post('/integrations/outreach/results-secret', { secret: 'mine' })).body.code).toBe(
      'unknown_field',
    )
    expect((await (await world.team()).post('/integrations/outreach/results-secret', {})).body.code).toBe(
      'not_connected',
    )
  })
})

describe('a post', () => {
  it('is answered at once and kept as it came, and shows on leads once it is applied [RSL-02, RSL-03]', async () => {
    const stage = await sent(world, fans(2))
    const [fan, other] = stage.source.handles as [string, string]
    const body = happens(world, stage, fan, 'replied')
    expect(await post(stage.resultsUrl, body)).toBe(200)
    expect(await sql('select body, applied_at from result_inbox where team_id = $1', stage.team.id)).toEqual([
      { body: JSON.stringify(body), applied_at: null },
    ])
    expect((await resultsOf(stage.team))[fan]).toEqual(nothing)
    await world.drain()
    expect(await resultsOf(stage.team)).toMatchObject({
      [fan]: { last: 'replied', lastAt: body.timestamp, replied: true },
      [other]: nothing,
    })
  })

  it('of one reply counts once: sent again, as MESSAGE_REPLY and as EVERY_MESSAGE_REPLY, and found when asked [RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    const [fan] = stage.source.handles as [string]
    const body = happens(world, stage, fan, 'replied')
    const every = {
      ...body,
      event_type: 'EVERY_MESSAGE_REPLY_RECEIVED',
      campaign: null,
      timestamp: '2026-11-21T09:00:03Z',
    }
    for (const one of [body, body, every]) expect(await post(stage.resultsUrl, one)).toBe(200)
    expect(await sql('select count(*)::int as kept from result_inbox where team_id = $1', stage.team.id)).toEqual([
      { kept: 2 },
    ])
    await world.drain()
    await world.advance('2h')
    expect(await post(stage.resultsUrl, body)).toBe(200)
    await world.drain()
    expect(await outcomesOf(stage)).toEqual(['replied', 'sent'])
  })

  it('without a person who was captured, readable or not, is taken and means nothing [RSL-02]', async () => {
    const { team, resultsUrl } = await sent(world, fans(1))
    const event_type = 'message_reply_received'
    const lead = { profile_url: urlOf('nobody-at-all') }
    const bodies = ['hello', '', { event_type, lead: null }, { event_type, lead }, '{"a":"\0"}']
    for (const body of bodies) expect(await post(resultsUrl, body)).toBe(200)
    await world.drain()
    expect(await storedOf({ team })).toEqual([])
    expect(await sql('select applied_at is null as waits from result_inbox where team_id = $1', team.id)).toEqual(
      bodies.map(() => ({ waits: false })),
    )
  })

  it('that is too large is refused, and one of another team means nothing here [RSL-02]', async () => {
    const [stage, theirs] = [await sent(world, fans(1)), await sent(world, fans(1))]
    expect(await post(stage.resultsUrl, 'x'.repeat(300_000))).toBe(413)
    await post(stage.resultsUrl, happens(world, theirs, theirs.source.handles[0]!, 'replied'))
    await world.drain()
    expect(await outcomesOf(stage)).toEqual([])
    expect(await storedOf(theirs)).not.toContainEqual(expect.objectContaining({ campaign_id: stage.campaignId }))
  })
})

describe('the platform, asked every hour', () => {
  it('tells who was written to, accepted and replied; what was posted before is not counted again [RSL-02]', async () => {
    const stage = await sent(world, fans(4))
    const [quiet, accepted, replied, posted] = stage.source.handles as [string, string, string, string]
    happens(world, stage, accepted, 'sent')
    happens(world, stage, accepted, 'accepted')
    happens(world, stage, replied, 'messaged')
    happens(world, stage, replied, 'replied')
    await post(stage.resultsUrl, happens(world, stage, posted, 'replied'))
    await world.advance('2h')
    expect(await resultsOf(stage.team)).toMatchObject({
      [quiet]: nothing,
      [accepted]: { last: 'accepted', replied: false },
      [replied]: { replied: true },
      [posted]: { replied: true },
    })
    expect(await outcomesOf(stage)).toEqual(['accepted', 'replied', 'replied', 'sent', 'sent', 'sent'])
    const calls = () =>
      world.network.calls({
        vendor: 'heyreach',
        operation: 'GetLeadsFromCampaign',
        match: { campaignId: stage.campaignId },
      }).length
    const asked = calls()
    await world.advance('30m')
    expect(calls()).toBe(asked)
    await world.advance('31m')
    expect(calls()).toBe(asked + 1)
    expect(await outcomesOf(stage)).toHaveLength(6)
  })

  it('is heard by a team that never looked at its connection; without a key, or with one it refuses, it is not asked [RSL-02]', async () => {
    const stage = await connect(world)
    await world.advance('1m')
    expect(await sql('select 1 from result_feed where team_id = $1', stage.team.id)).toHaveLength(1)
    const one = await sent(world, fans(1))
    await world.drain()
    await storeKey(world, one.team, null)
    happens(world, one, one.source.handles[0]!, 'replied')
    await world.advance('2h')
    expect(await outcomesOf(one)).toEqual([])
    await storeKey(world, one.team, one.key)
    await world.advance('2h')
    expect(await outcomesOf(one)).toEqual(['replied', 'sent'])
  })

  it('that fails is asked again later, and a campaign that is gone keeps the others from nothing [RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    happens(world, stage, stage.source.handles[0]!, 'replied')
    const gone = seedCampaign(world, stage.key)
    const { leadIds } = stage.source
    await ok(stage.team.post('/integrations/outreach/send', { campaignId: gone, leadIds }))
    world.network.fault({ vendor: 'heyreach', kind: 'status', status: 404, match: { campaignId: gone } })
    world.network.fault({ vendor: 'heyreach', kind: 'status_503', match: { campaignId: stage.campaignId } })
    await world.advance('2h')
    expect(await outcomesOf(stage)).toEqual([])
    world.network.clearFaults()
    world.network.fault({ vendor: 'heyreach', kind: 'status', status: 404, match: { campaignId: gone } })
    await world.advance('11m')
    expect(await outcomesOf(stage)).toEqual(['replied', 'sent'])
  })

  it('applies what is posted while it reads campaign after campaign: who wants to hear no more is excluded at once [RSL-02, RSL-05]', async () => {
    const stage = await sent(world, fans(1))
    const { team, source, resultsUrl } = stage
    await world.move('1m')
    const campaignId = seedCampaign(world, stage.key)
    await ok(team.post('/integrations/outreach/send', { campaignId, leadIds: source.leadIds }))
    await world.drain()
    await sql('update result_feed set poll_at = made_at, due_at = made_at where team_id = $1', team.id)
    await post(resultsUrl, happens(world, stage, source.handles[0]!, 'sent'))
    const pageOf = (id: string) => ({
      vendor: 'heyreach',
      operation: 'GetLeadsFromCampaign',
      match: { campaignId: id },
    })
    for (const id of [campaignId, stage.campaignId]) world.network.hold(pageOf(id))
    const working = world.service.steps.results()
    await world.network.untilWaiting(1, pageOf(campaignId))
    const body = happens(world, stage, source.handles[0]!, 'messaged')
    expect(await post(resultsUrl, { ...body, event_type: 'LEAD_AUTO_TAGGED_NOT_INTERESTED' })).toBe(200)
    world.network.release(pageOf(campaignId))
    await world.network.untilWaiting(1, pageOf(stage.campaignId))
    expect((await ok(team.get('/exclusions'))).entries).toMatchObject([{ reason: 'not_interested' }])
    world.network.release()
    await working
  })
})

describe('a worker that dies', () => {
  it.each<FaultPoint>(['results.received', 'results.leased', 'results.applied', 'results.read'])(
    'at %s loses nothing and counts nothing twice [RSL-02]',
    async (point) => {
      const stage = await sent(world, fans(2))
      const [posted, polled] = stage.source.handles as [string, string]
      happens(world, stage, polled, 'replied')
      const body = happens(world, stage, posted, 'replied')
      await world.arm(point)
      const status = await post(stage.resultsUrl, body)
      // The platform repeats a post that was not acknowledged.
      if (status !== 200) expect(await post(stage.resultsUrl, body)).toBe(200)
      await world.advance('2h').catch(() => {})
      await sql('update result_feed set lease_until_ms = 0 where lease_until_ms is not null')
      await sql('update work_turn set look_ms = 0 where look_ms is not null')
      await world.drain()
      expect(await outcomesOf(stage)).toEqual(['replied', 'replied', 'sent', 'sent'])
    },
  )

  it('leaves its lease, and a worker that was overtaken writes nothing: two at once count one reply [RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    await post(stage.resultsUrl, happens(world, stage, stage.source.handles[0]!, 'replied'))
    const step = world.service.steps.results
    await Promise.all([step(), step(), step()])
    await world.drain()
    expect((await outcomesOf(stage)).filter((outcome) => outcome === 'replied')).toEqual(['replied'])
  })

  it('asks for no further campaign once another has taken over [RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    const { team, source, resultsUrl } = stage
    const campaignId = seedCampaign(world, stage.key)
    await ok(team.post('/integrations/outreach/send', { campaignId, leadIds: source.leadIds }))
    await world.drain()
    await post(resultsUrl, happens(world, stage, source.handles[0]!, 'replied'))
    await sql('update result_feed set poll_at = made_at where team_id = $1', team.id)
    const pages = { vendor: 'heyreach', operation: 'GetLeadsFromCampaign' } as const
    const asked = () => world.network.calls(pages).length
    const before = asked()
    world.network.hold(pages)
    const working = world.service.steps.results()
    await world.network.untilWaiting(1, pages)
    await sql('update result_feed set fence = fence + 1 where team_id = $1', team.id)
    world.network.release()
    expect([await working, asked() - before]).toEqual(['worked', 1])
    await sql('update result_feed set lease_until_ms = 0 where team_id = $1', team.id)
  })
})
