/** Erasing a person: nothing of them is left, and nothing comes back. */
import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../src/modules/accounts/index.ts'
import { faultPoints } from '../../src/fault-points.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { describe, expect, it } from 'vitest'
import { keptLog } from '../observability/stage.ts'
import { discover } from '../scenarios/discover-stage.ts'
import { fastClock, likes, sweep, track } from '../scenarios/sync-stage.ts'
import { post as postTo } from '../results/stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { canaryEverywhere, canaryOf, placesOf, type Canary } from './canary-stage.ts'

const kept = keptLog()
const world = useWorld({
  config: { ...drainOnlyUnlessLongRun, logLevel: 'debug' },
  log: kept.log,
  overrides: { system: fastClock },
})

const secretOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')
const creditsOf = async (team: Team) => (await team.get('/credits')).body

/** A source with one captured and enriched fan, and the fan's id. */
async function oneFan(team: Team, settings: Record<string, unknown> = {}) {
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: fan, country: 'DE' })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author, settings)
  const { people } = (await team.get(`/privacy/people?query=${fan}`)).body
  return { author, fan, personId: people[0].personId as string }
}

/** What is held of them place by place, each fact with its source and when it was recorded, and in no other team. */
async function expectExport(team: Team, personId: string, canary: Canary): Promise<void> {
  const answer = await team.get(`/privacy/people/${personId}/export`)
  expect(answer.status, answer.text).toBe(200)
  const { facts, exportedAt } = answer.body as {
    exportedAt: string
    facts: { about: string; value: unknown; source: string; recordedAt: string }[]
  }
  expect(exportedAt).toBe((await world.now()).toISOString())
  const sources = Object.fromEntries(facts.map(({ about, source }) => [about.split('.')[0]!, source]))
  const from = (source: string, ...places: string[]) => Object.fromEntries(places.map((place) => [place, source]))
  expect(sources).toEqual({
    ...from('destination', 'destination_delivery', 'destination_record', 'result', 'result_post', 'delivery'),
    ...from('vendor', 'profile', 'post', 'discover', 'job'),
    ...from('engagement', 'lead', 'agent_score', 'charge'),
    ...from('member', 'tracked_source', 'search', 'exclusion', 'saved_view', 'planned_send', 'audit_entry', 'call'),
    outreach_send: 'destination',
  })
  for (const text of Object.values(canary)) expect(answer.text.toLowerCase()).toContain(text.toLowerCase())
  for (const { recordedAt } of facts)
    expect(recordedAt >= '2026-11-21T09:00:00.000Z' && recordedAt <= exportedAt).toBe(true)
  expect(facts.find(({ about }) => about === 'profile.name')).toMatchObject({ value: canary.name })
  expect((await (await world.team()).get(`/privacy/people/${personId}/export`)).status).toBe(404)
}

const erasurePoints = (Object.keys(faultPoints) as FaultPoint[]).filter((point) => point.startsWith('erasure.'))

describe('a person who is erased', () => {
  it('is exported with all that is held of them first, and is then in no column of any table and no line of the log, and later sweeps bring nothing of them back [PRV-02, PRV-03, PRV-04, PRV-05, PRV-06]', async () => {
    const canary = canaryOf(world)
    const { team, personId, author, inbox, agentInbox, word, resultsUrl, posted, exportUrl } = await canaryEverywhere(
      world,
      canary,
    )
    await expectExport(team, personId, canary)
    // Nearly the whole id would identify them, too.
    const texts = [...Object.values(canary), canary.memberId.slice(0, -1)]
    // The agent's cursor is at this person.
    const stands = 'update agent_ranking set cursor_urn = $2 where team_id = $1'
    expect((await world.database.pool.query(stands, [team.id, canary.memberId])).rowCount).toBe(1)
    const before = await placesOf(world, texts)
    const tables = [...new Set(before.map((place) => place.split(':')[0]!.split('.')[1]!))].sort()
    // The canary was in every place it must be removed from; places missing here would go untested.
    expect(tables).toEqual(
      expect.arrayContaining([
        ...[
          'agent_person',
          'audit_entry',
          'credit_entry',
          'delivery',
          'discover_person',
          'exclusion',
          'job',
          'keyword_search',
          'lead',
        ],
        ...['lead_text', 'outreach_send', 'person', 'planned_send_part', 'post', 'request_log', 'saved_view', 'source'],
        ...['sync', 'vendor_page', 'destination_delivery', 'destination_record', 'result', 'result_inbox', 'dispute'],
      ]),
    )
    const credits = await creditsOf(team)
    const [toldSoFar, toldAgent] = [inbox.received.length, agentInbox.received.length]

    const answer = await team.post('/privacy/erasures', { personId, reason: 'asked by mail' })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body).toMatchObject({ state: 'completed', personId, reason: 'asked by mail', repeated: false })
    expect(answer.body.receipt.notTold).toEqual(['outreach', 'hubspot', 'slack'])
    expect(answer.body.receipt.counts).toMatchObject({ results: expect.any(Number), exports: 1 })
    expect((await fetch(exportUrl)).status).toBe(404)
    const answers = 'select 1 from idempotency_answer where team_id = $1 and sealed is not null'
    expect((await world.database.pool.query(answers, [team.id])).rowCount).toBe(0)
    const waiting = await placesOf(world, texts)
    expect(waiting.filter((place) => !place.startsWith('public.delivery.body: {"event":"person.erased"'))).toEqual([])
    expect(await creditsOf(team)).toEqual(credits)

    await world.drain()
    expect(await placesOf(world, texts)).toEqual([])
    const erased = [...inbox.received.slice(toldSoFar), ...agentInbox.received.slice(toldAgent)].map(({ body }) => body)
    expect(erased.map(({ event }) => event)).toEqual(['person.erased', 'person.erased'])

    // The person engages, comments, writes and is found again; every source and search runs again.
    const { handle, comment, post } = canary
    world.network.seedPost({ author, reactions: likes([handle]), comments: [{ person: handle, text: comment }] })
    world.network.seedSearch({
      posts: [{ author: handle, text: `${post} about ${word} once more`, reactions: [], comments: [] }],
      generated: false,
    })
    // A late post of the platform about them is dropped.
    expect(await postTo(resultsUrl, { ...(posted as object), timestamp: (await world.now()).toISOString() })).toBe(200)
    await world.advance('25h')
    await discover(world, team, { keywords: [word], maxInfluencers: 5, minEngagement: 0 })
    await world.advance('25h')
    expect(await placesOf(world, texts)).toEqual([])
    expect((await creditsOf(team)).balance).toBe(credits.balance)
    const lines = kept.text().toLowerCase()
    for (const text of texts) expect(lines.includes(text.toLowerCase()), text).toBe(false)
  })
})

describe('an erasure', () => {
  it('has a receipt that says who was told and verifies, after a rotation too, and is the same when it is asked again [PRV-03, PRV-07, PRV-08, PRV-09]', async () => {
    const team = await world.team()
    const [inbox, broken] = [await world.inbox(), await world.inbox()]
    const [first, second] = [world.handle('author'), world.handle('author')]
    const fan = world.handle('fan')
    world.network.seedPerson({ handle: fan, country: 'DE' })
    for (const [author, to] of [
      [first, inbox],
      [second, broken],
    ] as const) {
      world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
      await track(team, author)
      await team.put(`/profile/${author}/webhook`, { webhookUrl: to.url, autoSend: true })
    }
    await world.drain()
    const leadIds = (await team.get('/leads')).body.leads.map((lead: { id: string }) => lead.id)
    expect([inbox.received.length, broken.received.length]).toEqual([1, 1])
    // The event is sent although the source is untracked and whatever its webhook settings are.
    await team.put(`/profile/${first}/webhook`, { webhookUrl: inbox.url, autoSend: false })
    await team.del(`/profile/${first}`)
    broken.answer(500)

    const profileUrl = `https://www.linkedin.com/in/${fan.toUpperCase()}/?trk=x`
    const made = await team.post('/privacy/erasures', { profileUrl })
    expect(made.status, made.text).toBe(201)
    const { id, receipt } = made.body
    expect(receipt.toldDownstream.map(({ state }: { state: string }) => state)).toEqual(['waiting', 'waiting'])
    expect(receipt.counts).toMatchObject({ leads: 2, facts: 1, deliveries: 2 })

    await world.drain()
    const { body, raw, headers } = inbox.received[1]!
    expect(body).toEqual({
      event: 'person.erased',
      id: body.id,
      sentAt: body.sentAt,
      person: { linkedinUrl: `https://www.linkedin.com/in/${fan}`, externalKeys: [expect.any(String)] },
    })
    expect(leadIds).toContain(body.person.externalKeys[0])
    const signed = createHmac('sha256', secretOf(team.signingSecret)).update(`${headers['x-service-timestamp']}.`)
    expect(headers['x-service-signature']).toBe(`v1=${signed.update(raw).digest('hex')}`)
    const states = async () =>
      (await team.get(`/privacy/erasures/${id}`)).body.receipt.toldDownstream
        .map(({ state }: { state: string }) => state)
        .sort()
    expect(await states()).toEqual(['delivered', 'waiting'])
    for (const after of ['10s', '10m', '1h', '3h', '6h', '12h', '17h', '24h', '29h']) await world.advance(after)
    expect(await states()).toEqual(['delivered', 'failed'])
    expect(broken.received.filter(({ body: each }) => each.event === 'person.erased')).toHaveLength(10)
    expect(await placesOf(world, [fan])).toEqual([])

    const verifies = (one: Record<string, unknown>, secret: string): boolean => {
      const { signature, ...rest } = one
      return createHmac('sha256', secretOf(secret)).update(canonicalJson(rest)).digest('hex') === signature
    }
    expect(verifies(receipt, team.signingSecret)).toBe(true)
    const { signingSecret } = (await world.operator('POST', `/operator/teams/${team.id}/signing-secret`)).body
    const { receipt: now } = (await team.get(`/privacy/erasures/${id}`)).body
    expect([verifies(now, signingSecret), verifies(receipt, team.signingSecret)]).toEqual([true, true])
    expect(now.keyId).not.toBe(receipt.keyId)

    const again = await team.post('/privacy/erasures', { profileUrl: `@${fan}`, reason: 'again' })
    expect([again.status, again.body.id, again.body.repeated, again.body.reason]).toEqual([200, id, true, null])
    for (const part of ['erasedAt', 'subjectHash', 'counts']) expect(again.body.receipt[part]).toEqual(receipt[part])
    const byId = await team.post('/privacy/erasures', { personId: made.body.personId })
    expect([byId.status, byId.body.id]).toEqual([200, id])
    const listed = (await team.get('/privacy/erasures?limit=1')).body
    expect(listed).toMatchObject({ total: 1, limit: 1, offset: 0, hasMore: false, erasures: [{ id }] })
    expect((await team.get(`/privacy/erasures/${made.body.personId}`)).status).toBe(404)
    const stranger = await world.team()
    expect((await stranger.get(`/privacy/erasures/${id}`)).status).toBe(404)
    expect((await stranger.get('/privacy/erasures')).body.total).toBe(0)
  })

  it('that is asked for twice at once is one [PRV-03]', async () => {
    const team = await world.team()
    const { personId } = await oneFan(team)
    const answers = await Promise.all([1, 2, 3].map(() => team.post('/privacy/erasures', { personId })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await team.get('/privacy/erasures')).body.total).toBe(1)
  })

  it.each(erasurePoints)(
    'that is cut off at %s has done nothing, and does it all when it is asked again [PRV-03, PRV-04]',
    async (point) => {
      const team = await world.team()
      const { fan, personId } = await oneFan(team)
      const tables = ['lead', 'person', 'credit_entry', 'erasure', 'blocked_person', 'delivery']
      const rowsOf = async () =>
        Promise.all(
          tables.map(async (table) => {
            const { rows } = await world.database.pool.query(`select * from ${table} where team_id = $1`, [team.id])
            return JSON.stringify(rows)
          }),
        )
      const before = await rowsOf()
      await world.arm(point)
      expect((await team.post('/privacy/erasures', { personId })).status).toBe(500)
      expect(await rowsOf()).toEqual(before)
      expect((await team.post('/privacy/erasures', { personId })).status).toBe(201)
      await world.drain()
      expect(await placesOf(world, [fan])).toEqual([])
    },
  )

  it('of somebody never seen blocks them: a handle is resolved once, and nothing is stored while the network is silent [PRV-03, PRV-06]', async () => {
    const team = await world.team({ credits: 100 })
    const [fan, author] = [world.handle('fan'), world.handle('author')]
    world.network.seedPerson({ handle: fan })
    world.network.fault({ kind: 'status_503' })
    const silent = await team.post('/privacy/erasures', { profileUrl: fan })
    expect([silent.status, (await team.get('/privacy/erasures')).body.total]).toEqual([502, 0])
    world.network.clearFaults()
    world.network.clearCalls()
    const made = await team.post('/privacy/erasures', { profileUrl: fan })
    expect([made.status, made.body.receipt.counts.leads]).toEqual([201, 0])
    const asked = world.network.calls().length
    expect(asked).toBe(1)
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(200)
    expect(world.network.calls()).toHaveLength(asked)
    // Reactions name them only by member id.
    world.network.seedPost({ author, reactions: likes([fan]), comments: [{ person: fan, text: 'me too' }] })
    await sweep(world, team, author)
    expect((await team.get('/leads')).body.total).toBe(0)
    expect(await team.balance()).toBe(100)
    expect(await placesOf(world, [fan])).toEqual([])
    // A person unknown to the network, too, is blocked by handle.
    expect((await team.post('/privacy/erasures', { profileUrl: world.handle('nobody-here') })).status).toBe(201)
  })

  it('takes the person from what is tracked: nobody tracks, enriches or reads them again, and others keep their own [PRV-03, PRV-06]', async () => {
    const [team, others] = [await world.team({ credits: 500 }), await world.team({ credits: 500 })]
    const [writer, fan] = [world.handle('writer'), world.handle('fan')]
    world.network.seedPerson({ handle: writer })
    world.network.seedPerson({ handle: fan })
    world.network.seedPost({ author: writer, text: 'Mine', reactions: likes([fan]), comments: [] })
    for (const each of [team, others]) await sweep(world, each, writer)
    const { postUrn } = (await team.get('/leads')).body.leads[0]
    expect((await team.post('/privacy/erasures', { profileUrl: writer })).status).toBe(201)

    const [source] = (await team.get('/sources?includeInactive=true')).body.sources
    expect([source.status, source.username]).toEqual(['inactive', `erased-${source.id}`])
    const [lead] = (await team.get('/leads?includeInactive=true')).body.leads
    expect(lead).toMatchObject({ postUrn, postUrl: `https://www.linkedin.com/feed/update/${postUrn}` })
    const balance = await team.balance()
    const tracking = await team.post('/enrich/profile', { username: writer, saveTrackedProfile: true })
    expect([tracking.status, tracking.body.error]).toEqual([400, expect.stringContaining('erased')])
    const reading = await team.get(`/profile/${writer}/posts?posts=1&confirmSpend=true`)
    expect([reading.status, reading.body.error]).toEqual([404, expect.stringContaining('erased')])
    expect(await team.balance()).toBe(balance)
    expect((await others.get('/leads')).body.leads[0].postUrl).toContain(writer)
    expect((await others.get('/sources')).body.sources[0]).toMatchObject({ status: 'active', username: writer })
  })

  it('that is made while a page with the person on it is under way leaves nothing of them: the page is asked for again [PRV-04, PRV-06]', async () => {
    const team = await world.team({ credits: 500 })
    const { author, fan, personId } = await oneFan(team)
    const other = world.handle('other')
    world.network.seedPost({
      author,
      reactions: likes([fan, other]),
      comments: [{ person: fan, text: `${fan} says` }],
      postedAt: (await world.now()).toISOString(),
    })
    const balance = await team.balance()
    world.network.hold({ operation: 'post-reactions' })
    await world.move('25h')
    world.beginDrain()
    await world.network.untilWaiting(1)
    expect((await team.post('/privacy/erasures', { personId })).status).toBe(201)
    world.network.release()
    await world.drain()
    expect(await placesOf(world, [fan])).toEqual([])
    expect([(await team.get('/leads')).body.total, await team.balance()]).toEqual([1, balance - 1])
  })

  it('asks for one of two names, and says what is wrong otherwise [PRV-03]', async () => {
    const team = await world.team()
    const bad = async (body: unknown) => {
      const answer = await team.post('/privacy/erasures', body)
      return [answer.status, answer.body.code ?? null, answer.body.error]
    }
    expect(await bad({})).toEqual([400, null, expect.stringContaining('personId')])
    expect(await bad({ profileUrl: 'jane', personId: team.id })).toEqual([400, null, expect.stringContaining('either')])
    expect(await bad({ profileUrl: 'https://www.linkedin.com/company/acme' })).toEqual([
      400,
      null,
      expect.stringContaining('profileUrl'),
    ])
    expect(await bad({ profileUrls: 'jane' })).toEqual([400, 'unknown_field', expect.stringContaining('profileUrl')])
    expect(await bad({ personId: team.id })).toEqual([404, null, expect.stringContaining('/privacy/people')])
    expect((await team.get('/privacy/erasures')).body.total).toBe(0)
  })
})
