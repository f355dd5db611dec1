import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { agentOf, ok, put, running, topicsOf } from './agent-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const off = useWorld({ config: { agentEnabled: false } })

const routes = [
  ['GET', '/agent'],
  ['PUT', '/agent'],
  ['POST', '/agent/start'],
  ['POST', '/agent/stop'],
  ['GET', '/agent/leads'],
  ['POST', '/agent/push'],
] as const

describe('GET /agent', () => {
  it('is null without an agent, and shows all fields of a new one, a draft that has nothing [AGT-01, AGT-22, AGT-23, AGT-24, AGT-26]', async () => {
    const team = await world.team()
    expect(await ok(team.get('/agent'))).toEqual({ agent: null, agents: [] })
    const { agent } = await put(team, { website: 'example.com' })
    expect(agent).toEqual({
      id: expect.any(String),
      status: 'draft',
      website: 'example.com',
      profile: {
        summary: '',
        titles: [],
        industries: [],
        companySizes: [],
        countries: [],
        topics: [],
        competitors: [],
      },
      dailyCredits: null,
      plan: null,
      launchedAt: null,
      discoverRun: null,
      peopleAdded: false,
      sources: [],
      webhook: null,
      outreach: null,
      trial: null,
    })
    expect(await agentOf(team)).toEqual(agent)
  })
  it('lists every agent, and shows the oldest unless told which [AGT-02, AGT-13, AGT-80]', async () => {
    const team = await world.team()
    const first = (await put(team, { website: 'https://one.example' })).agent
    const second = (await put(team, { create: true, website: 'https://two.example' })).agent
    const both = [
      { id: first.id, website: 'one.example', status: 'draft' },
      { id: second.id, website: 'two.example', status: 'draft' },
    ]
    expect(await ok(team.get('/agent'))).toEqual({ agent: first, agents: both })
    expect(await ok(team.get(`/agent?agentId=${second.id}`))).toEqual({ agent: second, agents: both })
    expect((await put(team, { summary: 'of the first' })).agent.id).toBe(first.id)
    expect((await put(team, { agentId: second.id, summary: 'of the second' })).agent.id).toBe(second.id)
  })
  it('like every other route of the agent, refuses a malformed id and knows no unknown or foreign agent [AGT-03, AGT-20, ERR-15]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const { agent } = await put(stranger, { website: 'example.com' })
    expect((await team.get('/agent?agentId=nonsense')).status).toBe(400)
    for (const id of [randomUUID(), agent.id])
      for (const [method, path] of routes) {
        const body = path === '/agent' ? { agentId: id, summary: 'x' } : { agentId: id }
        const answer = await (method === 'GET'
          ? team.get(`${path}?agentId=${id}`)
          : refusedWithoutTrace(world, () => team.call(method, path, body)))
        expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'agent_not_found'])
      }
    for (const path of ['/agent/start', '/agent/stop', '/agent/push'])
      expect((await team.post(path, {})).body.code).toBe('agent_not_found')
    expect((await team.get('/agent/leads')).body.code).toBe('agent_not_found')
  })
})

describe('PUT /agent', () => {
  it('changes what it names, and starts and charges nothing [AGT-04]', async () => {
    const team = await world.team()
    await put(team, { titles: ['CMO'], topics: ['growth'], dailyCredits: 200 })
    const { agent } = await put(team, {
      summary: 'We sell',
      countries: ['Germany'],
      competitors: [{ name: 'Acme', domain: 'https://www.acme.example/x' }, { name: 'Umbrella' }],
    })
    expect(agent.profile).toEqual({
      summary: 'We sell',
      titles: ['CMO'],
      industries: [],
      companySizes: [],
      countries: ['Germany'],
      topics: ['growth'],
      competitors: [{ name: 'Acme', domain: 'acme.example' }, { name: 'Umbrella' }],
    })
    expect([agent.dailyCredits, agent.status]).toEqual([200, 'draft'])
    await world.drain()
    expect(await team.balance()).toBe(10_000)
    expect((await ok(team.get('/sources?includeInactive=true'))).total).toBe(0)
  })
  it('cuts summary and topics, cleans topics, drops blanks, bounds the limit [AGT-06, AGT-09, AGT-11]', async () => {
    const team = await world.team()
    const { agent } = await put(team, {
      summary: `${'ä'.repeat(399)}😀${'x'.repeat(99)}`,
      topics: [' "growth  marketing" ', '(sales) [ops]', 't'.repeat(80), '""()[]', '   '],
      titles: [' CMO ', ''],
    })
    expect(agent.profile.summary).toBe(`${'ä'.repeat(399)}😀`)
    expect(agent.profile.topics).toEqual(['growth marketing', 'sales ops', 't'.repeat(60)])
    expect(agent.profile.titles).toEqual(['CMO'])
    // The audit log cuts this summary within a character.
    const summary = `${'a'.repeat(199)}😀 and more`
    expect((await put(team, { summary })).agent.profile.summary).toBe(summary)
    for (const [sent, kept] of [
      [-7, 50],
      [51, 51],
      [9e15, 20_000],
    ])
      expect((await put(team, { dailyCredits: sent })).agent.dailyCredits).toBe(kept)
  })

  it('takes lists up to their bounds [AGT-07, AGT-08, AGT-09, AGT-10]', async () => {
    const team = await world.team()
    const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`)
    const sizes = ['1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+']
    const change = {
      titles: texts(15),
      industries: texts(15),
      countries: texts(15),
      topics: texts(20),
      companySizes: sizes.toReversed(),
      competitors: texts(8).map((name) => ({ name })),
    }
    expect((await put(team, change)).agent.profile).toEqual({ summary: '', ...change, companySizes: sizes })
  })
  it('refuses a sign in a topic, before a bracket too, by its place, and writes nothing [WLD-19, G164]', async () => {
    const team = await world.team()
    for (const [topic, said] of [
      ['sales -webinar', /topics\[1\]` .*\(-webinar\)/],
      ['sales (\u200b-webinar)', /topics\[1\]` must not have a sign/],
    ] as const) {
      const answer = await refusedWithoutTrace(world, () =>
        team.put('/agent', { website: 'https://example.com', topics: ['sales', topic] }),
      )
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(said)])
    }
  })
  it('of an active agent leaves sources, caps and plan as they are until the next start [AGT-12, AGT-49]', async () => {
    const team = await world.team()
    const [one, two] = topicsOf(world, 2)
    const { agent } = await running(world, team, { topics: [one], dailyCredits: 100 })
    const { sources } = await ok(team.get('/sources'))
    const changed = (await put(team, { topics: [two], dailyCredits: 5_000, titles: ['CTO'] })).agent
    expect(changed).toEqual({
      ...agent,
      dailyCredits: 5_000,
      profile: { ...agent.profile, topics: [two], titles: ['CTO'] },
    })
    await world.drain()
    expect((await ok(team.get('/sources'))).sources).toEqual(sources)
  })
})

describe('the webhook of an agent', () => {
  it('is replaced whole: what is left out is off; null takes it away; since is when the URL was set [AGT-14, AGT-15, AGT-16]', async () => {
    const team = await world.team()
    const at = (await world.now()).toISOString()
    const filters = [{ column: 'icp', operator: 'at_least', value: 80 }]
    expect(
      (
        await put(team, {
          webhook: { url: 'http://example.com/x', autoSend: true, filters, since: '1999-01-01T00:00:00Z' },
        })
      ).agent.webhook,
    ).toEqual({ url: 'http://example.com/x', autoSend: true, filters, since: at })
    await world.advance('1h')
    expect((await put(team, { webhook: { url: 'http://example.com/x' } })).agent.webhook).toEqual({
      url: 'http://example.com/x',
      autoSend: false,
      filters: [],
      since: at,
    })
    expect((await put(team, { summary: 'x' })).agent.webhook).toMatchObject({ url: 'http://example.com/x' })
    const later = (await world.now()).toISOString()
    expect((await put(team, { webhook: { url: 'https://example.com/y', filters: null } })).agent.webhook).toEqual({
      url: 'https://example.com/y',
      autoSend: false,
      filters: [],
      since: later,
    })
    expect((await put(team, { webhook: null })).agent.webhook).toBeNull()
  })
})

describe('a free trial', () => {
  it('has one agent, without a daily limit, and an allowance of its own [AGT-12, AGT-13, AGT-27, AGT-43, ERR-13]', async () => {
    const team = await world.team({ status: 'trial' })
    const { agent } = await put(team, { create: true, topics: ['growth'], dailyCredits: 500 })
    const { trialEndsAt } = (await world.operator('GET', `/operator/teams/${team.id}`)).body.team
    expect(agent).toMatchObject({
      dailyCredits: null,
      trial: { checkedLimit: 1_000, checked: 0, watchLimit: 20, watched: 0, endsAt: trialEndsAt },
    })
    const answer = await refusedWithoutTrace(world, () => team.put('/agent', { create: true, website: 'example.com' }))
    expect([answer.status, answer.body.code]).toEqual([403, 'trial_agent_limit'])
    expect((await put(team, { dailyCredits: 300 })).agent.dailyCredits).toBeNull()
    await team.change({ status: 'active' })
    expect(await agentOf(team)).toMatchObject({ dailyCredits: null, trial: null })
    // A limit set while the team paid has no effect during a trial and applies again afterwards.
    expect((await put(team, { dailyCredits: 300 })).agent.dailyCredits).toBe(300)
    await team.change({ status: 'trial' })
    expect((await agentOf(team)).dailyCredits).toBeNull()
    await team.change({ status: 'active' })
    expect((await agentOf(team)).dailyCredits).toBe(300)
  })
})

describe('a server without the agent', () => {
  it('answers 503 on every route of it, and 401 first [AGT-21, AGT-77, ERR-24]', async () => {
    const team = await off.team()
    for (const [method, path] of routes) {
      const body = method === 'GET' ? undefined : path === '/agent' ? { summary: 'x' } : {}
      const answer = await team.call(method, path, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 503, 'agent_unavailable'])
      expect((await team.call(method, path, body, { key: null })).status).toBe(401)
    }
  })
})
