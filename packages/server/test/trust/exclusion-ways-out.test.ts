/** Excluded people are delivered by no way out; a lead kept back by an entry goes out only by a push (EXC-07..EXC-10). */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, ok, sentTo, trackWith } from '../scenarios/fit-stage.ts'
import { leadsPerCall } from '../../src/providers/outreach/port.ts'
import { add, capture, connect, handlesIn } from '../scenarios/outreach-stage.ts'
import { entryOf, exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Lead = { id: string; jobTitle: string; webhookStatus: string; linkedinUrl: string }
const idsWith = (leads: readonly Lead[], title: string) =>
  leads.flatMap(({ id, jobTitle }) => (jobTitle === title ? [id] : [])).sort()
const statusesOf = (leads: readonly Lead[]) =>
  Object.fromEntries(leads.map(({ jobTitle, webhookStatus }) => [jobTitle, webhookStatus]))
const excludeTitle = (team: Team, value: string) => exclude(team, [{ kind: 'title', value }])
const lift = async (team: Team, value: string) => ok(team.del(`/exclusions/${await entryOf(team, value)}`))
const engagers = [{ title: 'CTO' }, { title: 'Intern' }]

describe('a webhook', () => {
  it('gets nobody excluded by itself; they are captured, charged, and go by a push once it is lifted [EXC-07, EXC-09]', async () => {
    const team = await world.team({ credits: 100 })
    const inbox = await world.inbox()
    await excludeTitle(team, 'intern')
    const source = await trackWith(world, team, engagers, { hook: { webhookUrl: inbox.url } })
    const leads = await leadsOf(team, source)
    expect(sentTo(inbox)).toEqual(idsWith(leads, 'CTO'))
    expect(statusesOf(leads)).toEqual({ CTO: 'sent', Intern: 'pending' })
    expect((await ok(team.get('/deliveries'))).total).toBe(1)
    expect(await team.balance()).toBe(98)
    expect(await ok(team.post(`${source.path}/push`))).toMatchObject({ queued: 0, considered: 2, excluded: 1 })
    await lift(team, 'intern')
    await world.drain()
    await ok(team.post(`/sources/${source.id}/sync`))
    await world.drain()
    expect(sentTo(inbox)).toEqual(idsWith(leads, 'CTO'))
    expect(await ok(team.post(`${source.path}/push`))).toMatchObject({ queued: 1, considered: 2, excluded: 0 })
    await world.drain()
    expect(sentTo(inbox)).toEqual(leads.map(({ id }) => id).sort())
    expect(await team.balance()).toBe(98)
  })

  it('gets nobody excluded after they were queued: the delivery ends, the push counts it, the lead is as before [EXC-10]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await trackWith(world, team, engagers)
    await ok(team.put(`${source.path}/webhook`, { webhookUrl: inbox.url }))
    const pushed = await ok(team.post(`${source.path}/push`))
    expect(pushed).toMatchObject({ queued: 2, excluded: 0 })
    expect(statusesOf(await leadsOf(team, source))).toEqual({ CTO: 'pending', Intern: 'pending' })
    await excludeTitle(team, 'intern')
    await world.drain()
    const leads = await leadsOf(team, source)
    expect(sentTo(inbox)).toEqual(idsWith(leads, 'CTO'))
    expect(statusesOf(leads)).toEqual({ CTO: 'sent', Intern: 'no_webhook' })
    expect(await ok(team.get(`/push/${pushed.pushId}`))).toMatchObject({
      counts: { delivered: 1, excluded: 1, failed: 0, pending: 0, held: 0 },
      total: 2,
      finished: true,
    })
    const [intern] = idsWith(leads, 'Intern')
    const { deliveries, total } = await ok(team.get('/deliveries?state=excluded'))
    expect([deliveries, total]).toEqual([
      [
        {
          id: expect.any(String),
          event: 'lead.detected',
          leadId: intern,
          sourceId: source.id,
          state: 'excluded',
          attempts: 0,
          url: inbox.url,
          responseStatus: null,
          error: null,
          at: expect.stringMatching(/Z$/),
        },
      ],
      1,
    ])
    await lift(team, 'intern')
    await world.drain()
    expect(sentTo(inbox)).toHaveLength(1)
    expect(await ok(team.post(`${source.path}/push`))).toMatchObject({ queued: 1 })
    await world.drain()
    expect(sentTo(inbox)).toEqual(leads.map(({ id }) => id).sort())
    expect((await ok(team.get('/deliveries?state=excluded'))).total).toBe(0)
  })

  it('is not tried again for somebody excluded after the first attempt failed [EXC-10]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    inbox.answer(500)
    const source = await trackWith(world, team, [{ title: 'Intern' }], { hook: { webhookUrl: inbox.url } })
    expect(inbox.received).toHaveLength(1)
    await exclude(team, [{ kind: 'country', value: 'Germany' }])
    await world.advance('2d')
    await world.drain()
    expect(inbox.received).toHaveLength(1)
    expect((await ok(team.get('/deliveries'))).deliveries).toMatchObject([
      { state: 'excluded', attempts: 1, responseStatus: 500, error: 'bad_status' },
    ])
    expect(statusesOf(await leadsOf(team, source))).toEqual({ Intern: 'pending' })
  })
})

it('deliveries are listed newest first by state, source and lead, for their own team [EXC-10]', async () => {
  const [team, stranger] = [await world.team(), await world.team()]
  const inbox = await world.inbox()
  const [one, other] = [
    await trackWith(world, team, engagers, { hook: { webhookUrl: inbox.url } }),
    await trackWith(world, team, [{ title: 'CEO' }], { hook: { webhookUrl: inbox.url } }),
  ]
  const all = await ok(team.get('/deliveries'))
  expect(all).toMatchObject({ total: 3, limit: 50, offset: 0, hasMore: false })
  expect(all.deliveries.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual([other.id, one.id, one.id])
  expect(all.deliveries[0]).toMatchObject({ state: 'sent', attempts: 1, responseStatus: 200, error: null })
  expect((await ok(team.get('/deliveries?limit=2&offset=2'))).deliveries).toEqual(all.deliveries.slice(2))
  expect((await ok(team.get(`/deliveries?sourceId=${one.id}&limit=1`))).hasMore).toBe(true)
  expect((await ok(team.get(`/deliveries?leadId=${all.deliveries[1].leadId}`))).deliveries).toEqual([all.deliveries[1]])
  expect((await ok(team.get('/deliveries?state=failed'))).total).toBe(0)
  expect((await team.get('/deliveries?state=gone')).status).toBe(400)
  expect((await ok(stranger.get('/deliveries'))).deliveries).toEqual([])
})

describe('a send to a campaign', () => {
  it('leaves out who is excluded and says so; everybody excluded: nobody is sent [EXC-08]', async () => {
    const { team, key, campaignId } = await connect(world)
    const { handles, leadIds } = await capture(world, team, [{ title: 'CTO' }, { title: 'Intern' }])
    await excludeTitle(team, 'intern')
    const send = (more = {}) => ok(team.post('/integrations/outreach/send', { campaignId, leadIds, ...more }))
    expect(await send()).toMatchObject({ sent: 1, skippedExcluded: 1 })
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    expect(await send()).toMatchObject({ sent: 0, alreadyInCampaign: 1, skippedExcluded: 1 })
    expect(await send({ leadIds: leadIds.slice(0, 2), includeExcluded: true })).toMatchObject({
      sent: 1,
      alreadyInCampaign: 1,
      skippedExcluded: 0,
    })
    expect(handlesIn(world, key, campaignId)).toEqual([...handles].sort())
    const [intern] = idsWith((await ok(team.get('/leads'))).leads, 'Intern')
    const { rows } = await world.database.pool.query(
      "select details from audit_entry where team_id = $1 and operation = 'sendLeads' order by at, id",
      [team.id],
    )
    expect(rows.map(({ details }) => details.excludedSent)).toEqual([undefined, undefined, [intern]])
  })

  it('of those who are excluded too is in the audit log with who they are, also when a later call fails [EXC-08]', async () => {
    const { team, key, campaignId } = await connect(world)
    const handles = Array.from({ length: leadsPerCall + 1 }, () => world.handle('person'))
    const people = handles.map((handle) => ({ profileUrl: `https://www.linkedin.com/in/${handle}` }))
    await exclude(team, [{ kind: 'person', value: handles[0]! }])
    world.network.hold(add)
    const sending = team.post('/integrations/outreach/send', { campaignId, people, includeExcluded: true })
    await world.network.untilWaiting(1)
    world.network.fault({ kind: 'status_503', vendor: 'heyreach', operation: 'GetById' })
    world.network.release()
    expect(await sending).toMatchObject({ status: 502, body: { partial: { sent: leadsPerCall } } })
    world.network.clearFaults()
    expect(handlesIn(world, key, campaignId)).toContain(handles[0])
    const { rows } = await world.database.pool.query(
      "select details from audit_entry where team_id = $1 and operation = 'sendLeads'",
      [team.id],
    )
    expect(rows.map(({ details }) => details.excludedSent)).toEqual([[people[0]!.profileUrl]])
  })

  it('of people by address leaves out who is excluded, by a handle, a member id, a mail or what is said of them [EXC-08]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [known, named, mailed, titled, other] = ['known', 'named', 'mailed', 'titled', 'other'].map((name) =>
      world.handle(name),
    )
    await capture(world, team, [{ handle: known!, company: world.handle('firm') }])
    const { rows } = await world.database.pool.query('select urn from person where team_id = $1 and handle = $2', [
      team.id,
      known,
    ])
    await exclude(team, [
      { kind: 'person', value: rows[0].urn },
      { kind: 'person', value: `@${named}` },
      { kind: 'domain', value: 'beta.example.com' },
      { kind: 'title', value: 'intern' },
    ])
    const address = (handle: string) => `https://www.linkedin.com/in/${handle}`
    const people = [
      { profileUrl: address(known!) },
      { profileUrl: address(named!) },
      { profileUrl: address(mailed!), email: 'x@mail.beta.example.com' },
      { profileUrl: address(titled!), jobTitle: 'Chief Intern, Sales' },
      { profileUrl: address(other!), jobTitle: 'Internal affairs', email: 'y@alphabeta.example.com' },
    ]
    expect(await ok(team.post('/integrations/outreach/send', { campaignId, people }))).toMatchObject({
      sent: 1,
      skippedExcluded: 4,
    })
    expect(handlesIn(world, key, campaignId)).toEqual([other])
  })

  it('in several calls to the platform leaves out who objects during one of them [EXC-08, PRV-10]', async () => {
    const { team, key, campaignId } = await connect(world)
    const handles = Array.from({ length: leadsPerCall + 2 }, () => world.handle('person'))
    const people = handles.map((handle) => ({ profileUrl: `https://www.linkedin.com/in/${handle}` }))
    world.network.hold(add)
    const sending = team.post('/integrations/outreach/send', { campaignId, people })
    await world.network.untilWaiting(1)
    expect((await team.post('/privacy/objections', { profileUrl: handles.at(-1) })).status).toBe(201)
    world.network.release()
    expect(await ok(sending)).toMatchObject({ sent: leadsPerCall + 1, skippedExcluded: 1 })
    expect(handlesIn(world, key, campaignId)).toEqual(handles.slice(0, -1).sort())
  })

  it('by itself leaves them out when they are queued and when they would go [EXC-07]', async () => {
    const { team, key, campaignId } = await connect(world)
    await excludeTitle(team, 'intern')
    const rule = (id: string) => ok(team.put(`/sources/${id}/outreach`, { campaignId }))
    const { handles } = await capture(world, team, [{ title: 'CTO' }, { title: 'Intern' }], {
      before: async (id) => void (await rule(id)),
    })
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    await lift(team, 'intern')
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    // Queued while the platform is unavailable, and excluded before it is back.
    const later = await capture(world, team, [{ title: 'CEO' }], {
      before: async (id) => {
        await rule(id)
        world.network.fault({ kind: 'status_503', vendor: 'heyreach' })
      },
    })
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    world.network.clearFaults()
    await exclude(team, [{ kind: 'person', value: later.handles[0]! }])
    await world.advance('1d')
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
  })
})
