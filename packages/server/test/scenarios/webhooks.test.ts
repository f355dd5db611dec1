import { leadDetected } from '@les/contract'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Inbox, ReceivedRequest } from '../world/inbox.ts'
import { createWorld, useWorld, drainOnlyUnlessLongRun, type Answer, type Team, type World } from '../world/world.ts'
import { keyOf, signatureOf } from './webhook-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const families = [
  { family: 'profile', type: 'person', author: (handle: string) => handle },
  { family: 'company', type: 'company', author: (handle: string) => ({ company: handle }) },
] as const

type Source = {
  readonly id: string
  readonly username: string
  readonly path: string
  readonly author: string | { company: string }
}

async function track(
  team: Team,
  people: readonly string[],
  kind: (typeof families)[number] = families[0],
  settings: Record<string, unknown> = {},
): Promise<Source> {
  const username = world.handle(kind.type)
  const author = kind.author(username)
  world.network.seedPost({ author, reactions: people.map((person) => ({ person })) })
  const answer = await team.post(`/enrich/${kind.family}`, { username, saveTrackedProfile: true, ...settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  const { sources } = (await team.get('/sources')).body
  return {
    id: sources.find((source: { username: string }) => source.username === username).id,
    username,
    path: `/${kind.family}/${username}`,
    author,
  }
}

/** Holds the network, tracks a source and sets its webhook before anybody is captured, then does all work. */
async function trackWithHook(
  team: Team,
  inbox: Inbox,
  people: readonly string[],
  settings: Record<string, unknown> = {},
  kind: (typeof families)[number] = families[0],
): Promise<Source> {
  world.network.hold()
  const source = await track(team, people, kind)
  await put(team, source, { webhookUrl: inbox.url, ...settings })
  world.network.release()
  await world.drain()
  return source
}

async function put(team: Team, source: Source, body: Record<string, unknown>): Promise<Answer> {
  const answer = await team.put(`${source.path}/webhook`, body)
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer
}

async function engage(team: Team, source: Source, people: readonly string[]): Promise<void> {
  await world.move('1m')
  world.network.seedPost({
    author: source.author,
    postedAt: (await world.now()).toISOString(),
    reactions: people.map((person) => ({ person })),
  })
  expect((await team.post(`/sources/${source.id}/sync`)).body.queued).toBe(true)
  await world.drain()
}

const leadsOf = async (team: Team, source: Source): Promise<Answer['body'][]> =>
  (await team.get(`/leads?username=${source.username}&limit=100`)).body.leads
const states = async (team: Team, source: Source): Promise<string[]> =>
  (await leadsOf(team, source)).map((lead) => lead.webhookStatus).sort()
const person = () => world.handle('engager')
const urlsOf = (received: readonly ReceivedRequest[]) =>
  received.map(({ body }) => body.lead.linkedinUrl.split('/').at(-1)).sort()

function verify(team: Team, received: ReceivedRequest): void {
  const { headers, raw } = received
  expect(headers['x-service-signature']).toBe(signatureOf(team.signingSecret, received))
  const timestamp = headers['x-service-timestamp']
  const standard = createHmac('sha256', keyOf(team.signingSecret))
    .update(`${headers['webhook-id']}.${timestamp}.`)
    .update(raw)
    .digest('base64')
  expect([headers['webhook-timestamp'], headers['webhook-signature']]).toEqual([timestamp, `v1,${standard}`])
}

describe('the configuration', () => {
  it.each(families)(
    'of a $type is read and partly updated by its handle and by its id [WHK-01, WHK-02, CON-04, G46]',
    async (kind) => {
      const team = await world.team()
      const inbox = await world.inbox()
      const source = await track(team, [], kind)
      // Ends the first sync before syncEvents is on, so that it sends no event.
      await world.drain()
      const defaults = {
        sourceId: source.id,
        type: kind.type,
        username: source.username,
        webhookUrl: null,
        icpOnly: false,
        autoSend: true,
        syncEvents: false,
      }
      const both = [`${source.path}/webhook`, `/sources/${source.id}/webhook`] as const
      for (const path of both)
        expect((await team.get(path)).body).toEqual({ ...defaults, signingSecret: team.signingSecret })
      for (const path of both) {
        for (const body of [undefined, {}, { foo: 1 }]) expect((await team.put(path, body)).body).toEqual(defaults)
      }
      let wanted: Record<string, unknown> = defaults
      const changes = [
        { webhookUrl: inbox.url },
        { icpOnly: true },
        { autoSend: false, syncEvents: true },
        { icpOnly: false, autoSend: true },
        { webhookUrl: `${inbox.url}?b=2` },
        { syncEvents: false },
      ]
      for (const [at, change] of changes.entries()) {
        wanted = { ...wanted, ...change }
        const answer = await team.put(both[at % 2]!, change)
        expect([answer.status, answer.body]).toEqual([200, wanted])
        for (const path of both)
          expect((await team.get(path)).body).toEqual({ ...wanted, signingSecret: team.signingSecret })
      }
      expect(inbox.received).toEqual([])
    },
  )

  it('an empty string or null clears the URL and turns syncEvents off; the other settings stay [WHK-04]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await track(team, [])
    for (const cleared of ['', null]) {
      await put(team, source, { webhookUrl: inbox.url, icpOnly: true, autoSend: false, syncEvents: true })
      const { body } = await put(team, source, { webhookUrl: cleared })
      expect(body).toMatchObject({ webhookUrl: null, icpOnly: true, autoSend: false, syncEvents: false })
      expect((await team.get(`${source.path}/webhook`)).body).toMatchObject(body)
    }
  })

  it('that is malformed is refused naming the field, and nothing of the body is kept [WHK-05]', async () => {
    const team = await world.team()
    const source = await track(team, [])
    const before = (await team.get(`${source.path}/webhook`)).body
    for (const wrong of [
      { icpOnly: 'true' },
      { icpOnly: null },
      { autoSend: 0 },
      { syncEvents: 'yes' },
      { webhookUrl: 7 },
      { webhookUrl: `https://example.com/${'a'.repeat(2_000)}` },
    ]) {
      const answer = await team.put(`${source.path}/webhook`, { autoSend: false, icpOnly: true, ...wrong })
      expect([answer.status, answer.body.code]).toEqual([400, undefined])
      expect(answer.body.error).toContain(`\`${Object.keys(wrong)[0]}\``)
    }
    expect((await team.get(`${source.path}/webhook`)).body).toEqual(before)
  })

  it('syncEvents needs a URL, its own or a stored one [WHK-06]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await track(team, [])
    for (const body of [
      { syncEvents: true },
      { syncEvents: true, webhookUrl: '' },
      { syncEvents: true, webhookUrl: null },
    ]) {
      const answer = await team.put(`${source.path}/webhook`, body)
      expect([answer.status, answer.body.code]).toEqual([400, undefined])
      expect(answer.body.error).toContain('`syncEvents`')
    }
    await put(team, source, { syncEvents: false })
    await put(team, source, { webhookUrl: inbox.url })
    await put(team, source, { syncEvents: true })
    expect((await team.put(`${source.path}/webhook`, { syncEvents: true, webhookUrl: '' })).status).toBe(400)
    expect((await team.get(`${source.path}/webhook`)).body).toMatchObject({ webhookUrl: inbox.url, syncEvents: true })
  })

  it('at a route of another kind or by another team is 404, read and written [WHK-26, CON-22]', async () => {
    const stranger = await world.team()
    for (const kind of families) {
      const team = await world.team()
      const inbox = await world.inbox()
      const source = await track(team, [], kind)
      const other = kind.family === 'profile' ? 'company' : 'profile'
      for (const path of [
        `/${other}/${source.username}`,
        `/${kind.family}/${source.id}`,
        `/sources/${source.username}`,
      ]) {
        expect([
          path,
          (await team.get(`${path}/webhook`)).status,
          (await team.put(`${path}/webhook`, { autoSend: false })).status,
        ]).toEqual([path, 404, 404])
      }
      await put(team, source, { webhookUrl: inbox.url })
      expect((await stranger.get(`/sources/${source.id}/webhook`)).status).toBe(404)
      expect((await stranger.put(`/sources/${source.id}/webhook`, { webhookUrl: '' })).status).toBe(404)
      expect((await team.get(`${source.path}/webhook`)).body.webhookUrl).toBe(inbox.url)
    }
  })

  describe('of a service that is not told to permit private destinations', () => {
    let strict: World
    let team: Team
    beforeAll(async () => {
      strict = await createWorld({ config: { ...drainOnlyUnlessLongRun, allowPrivateDestinations: false } })
      team = await strict.team()
      await team.post('/enrich/profile', { username: 'some-author', saveTrackedProfile: true })
    })
    afterAll(() => strict.close())

    it('refuses what points inside, is no https or has a blocked port, naming webhookUrl [WHK-03]', async () => {
      for (const webhookUrl of [
        'http://example.com/hook',
        'https://localhost/hook',
        'https://127.1/hook',
        'https://2130706433/',
        'https://[::ffff:10.0.0.1]/',
        'https://169.254.169.254/latest/meta-data',
        'https://hooks.internal/',
        'https://user:secret@example.com/',
        'https://example.com:22/',
        'example.com/hook',
        'javascript:alert(1)',
        ' ',
      ]) {
        const answer = await team.put('/profile/some-author/webhook', { webhookUrl, autoSend: false })
        expect([answer.status, answer.body.code], webhookUrl).toEqual([400, undefined])
        expect(answer.body.error).toContain('`webhookUrl`')
      }
      expect((await team.get('/profile/some-author/webhook')).body).toMatchObject({ webhookUrl: null, autoSend: true })
    })

    it('accepts what points outside, and reads it back as sent [WHK-03, FIX-05, G152]', async () => {
      for (const webhookUrl of [
        'https://hooks.example.com/a/b?c=d',
        'https://93.184.216.34/',
        'https://example.com:8443/hook',
      ]) {
        expect((await team.put('/profile/some-author/webhook', { webhookUrl })).body.webhookUrl).toBe(webhookUrl)
        expect((await team.get('/profile/some-author/webhook')).body.webhookUrl).toBe(webhookUrl)
      }
    })

    it("an agent's may be http on any port but a blocked one [AGT-14, FIX-05, G152]", async () => {
      for (const url of ['http://example.com:8080/hook', 'https://example.com:8443/hook'])
        expect((await team.put('/agent', { webhook: { url } })).body.agent.webhook.url).toBe(url)
      for (const url of ['http://example.com:25/hook', 'http://10.0.0.8:8080/', 'http://u:p@example.com:8080/'])
        expect((await team.put('/agent', { webhook: { url } })).status).toBe(400)
    })
  })
})

describe('a new lead', () => {
  it.each(families)(
    'of a $type is posted once enriched, signed, with the row that /leads shows [WHK-08, WHK-10, WHK-13, WHK-14, WHK-15, WHK-20]',
    async (kind) => {
      const team = await world.team({ credits: 100 })
      const inbox = await world.inbox()
      const [ann, acme] = [person(), world.handle('acme')]
      world.network.seedCompany({
        slug: acme,
        name: 'Acme Ünïcode',
        website: 'https://acme.example',
        industry: 'Robotics',
        employees: 70,
        city: 'Berlin',
        country: 'DE',
      })
      const known = world.network.seedPerson({
        handle: ann,
        name: 'Ann 李 Example',
        title: 'CEO',
        country: 'DE',
        company: acme,
      })
      const lookup = { operation: 'profile', match: { profileId: known.id } }
      world.network.hold()
      const source = await track(team, [ann], kind)
      await put(team, source, { webhookUrl: `${inbox.url}?token=x` })
      world.network.hold(lookup)
      world.network.release({ operation: 'profile-posts' })
      world.network.release()
      world.network.hold(lookup)
      world.beginDrain()
      await world.network.untilWaiting(1, lookup)
      expect([await states(team, source), inbox.received.length]).toEqual([['pending'], 0])
      world.network.release()
      await world.drain()

      expect(inbox.received).toHaveLength(1)
      const [delivery] = inbox.received as [ReceivedRequest]
      verify(team, delivery)
      const { headers, body } = delivery
      expect(delivery.path).toBe('/hook?token=x')
      expect(headers['content-type']).toBe('application/json')
      expect(headers['x-service-timestamp']).toBe(String(Math.floor((await world.now()).getTime() / 1_000)))
      expect([headers['x-service-event'], headers['x-service-delivery'], headers['webhook-id']]).toEqual([
        'lead.detected',
        body.id,
        body.id,
      ])
      leadDetected.strict().parse(body)
      const [row] = await leadsOf(team, source)
      expect(body).toEqual({
        event: 'lead.detected',
        id: body.id,
        sentAt: (await world.now()).toISOString(),
        source: { id: source.id, type: kind.type, username: source.username },
        lead: { ...row, webhookStatus: 'pending' },
      })
      expect(row).toMatchObject({
        webhookStatus: 'sent',
        name: 'Ann 李 Example',
        companyName: 'Acme Ünïcode',
        companyUrl: 'https://acme.example/',
        companyDomain: 'acme.example',
        companyIndustry: 'Robotics',
        companyLocation: 'Berlin, Germany',
        companyEmployeeCount: 70,
        companyStaffRange: '51-200',
      })
    },
  )

  it('icpOnly restricts nothing while there are no criteria [WHK-08]', async () => {
    const team = await world.team({ credits: 100 })
    const inbox = await world.inbox()
    const source = await trackWithHook(team, inbox, [person(), person()], { icpOnly: true })
    expect([inbox.received.length, await states(team, source)]).toEqual([2, ['sent', 'sent']])
  })

  it('autoSend false sends nothing by itself; switched on, what comes from then on [WHK-09, WHK-07, WHK-20]', async () => {
    const team = await world.team({ credits: 100 })
    const inbox = await world.inbox()
    const source = await trackWithHook(team, inbox, [person(), person()], { autoSend: false })
    expect([inbox.received.length, await states(team, source)]).toEqual([0, ['pending', 'pending']])
    await world.advance('25h')
    expect(inbox.received).toHaveLength(0)
    await put(team, source, { autoSend: true })
    await world.drain()
    expect(inbox.received).toHaveLength(0)
    const late = person()
    await engage(team, source, [late])
    expect(urlsOf(inbox.received)).toEqual([late])
    expect(await states(team, source)).toEqual(['pending', 'pending', 'sent'])
  })

  it('is sent once: not by later syncs, not after changing the URL, not after tracking it again [WHK-17, WHK-07]', async () => {
    const team = await world.team({ credits: 100 })
    const [first, second] = [await world.inbox(), await world.inbox()]
    const people = [person(), person()]
    const source = await trackWithHook(team, first, people)
    expect(urlsOf(first.received)).toEqual([...people].sort())
    await world.advance('24h')
    await put(team, source, { webhookUrl: first.url })
    await put(team, source, { webhookUrl: second.url })
    await world.advance('24h')
    await team.del(source.path)
    await team.post('/enrich/profile', { username: source.username, saveTrackedProfile: true })
    await world.advance('1h')
    await put(team, source, { webhookUrl: '' })
    await put(team, source, { webhookUrl: second.url })
    await world.advance('48h')
    expect([first.received.length, second.received.length, await states(team, source)]).toEqual([
      2,
      0,
      ['sent', 'sent'],
    ])
    const late = person()
    await engage(team, source, [late, people[0]!])
    // A new engagement of a known person is a new lead; what was sent is not sent again.
    expect([first.received.length, urlsOf(second.received)]).toEqual([2, [late, people[0]!].sort()])
  })
})

describe('saving a URL', () => {
  it('delivers nothing captured before, enriched or still enriching; only what is captured afterwards [WHK-07, WHK-20]', async () => {
    const team = await world.team({ credits: 100 })
    const inbox = await world.inbox()
    const [done, waiting, late] = [person(), person(), person()]
    const known = world.network.seedPerson({ handle: waiting, name: 'Slow Lookup' })
    const lookup = { operation: 'profile', match: { profileId: known.id } }
    world.network.hold(lookup)
    const source = await track(team, [done, waiting])
    world.beginDrain()
    await world.network.untilWaiting(1, lookup)
    expect(await states(team, source)).toEqual(['no_webhook', 'no_webhook'])
    await put(team, source, { webhookUrl: inbox.url })
    world.network.release(lookup)
    await world.drain()
    expect((await leadsOf(team, source)).map((lead) => lead.enrichmentStatus)).toEqual(['completed', 'completed'])
    expect([inbox.received.length, await states(team, source)]).toEqual([0, ['no_webhook', 'no_webhook']])
    await engage(team, source, [late])
    expect(urlsOf(inbox.received)).toEqual([late])
    expect((await team.get('/leads?webhookStatus=no_webhook')).body.total).toBe(2)
    expect(
      (await team.get('/leads?webhookStatus=sent')).body.leads.map((lead: { linkedinUrl: string }) =>
        lead.linkedinUrl.split('/').at(-1),
      ),
    ).toEqual([late])
  })

  it('while a delivery is retried gives it the new address under one id; clearing it ends the retries [WHK-07, WHK-04, WHK-20]', async () => {
    const team = await world.team({ credits: 100 })
    const [broken, working] = [await world.inbox(), await world.inbox()]
    broken.answer(500)
    const source = await trackWithHook(team, broken, [person()])
    expect([broken.received.length, await states(team, source)]).toEqual([1, ['pending']])
    await put(team, source, { webhookUrl: working.url })
    await world.advance('10s')
    expect([broken.received.length, working.received.length, await states(team, source)]).toEqual([1, 1, ['sent']])
    expect(working.received[0]!.raw.equals(broken.received[0]!.raw)).toBe(true)

    const cleared = await trackWithHook(team, broken, [person()])
    expect(broken.received).toHaveLength(2)
    await put(team, cleared, { webhookUrl: '' })
    expect(await states(team, cleared)).toEqual(['no_webhook'])
    await world.advance('100h')
    await put(team, cleared, { webhookUrl: working.url })
    await world.advance('100h')
    expect([broken.received.length, working.received.length, await states(team, cleared)]).toEqual([
      2,
      1,
      ['no_webhook'],
    ])
  })
})
