/** Vendors that are down, unpaid or refuse the key for days: work waits and resumes, nothing is lost or paid twice. */
import { describe, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { jobOf } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import { rowOf, search, statusOf as searchStatus, storeKey as storeAiKey, topic } from './keyword-run-stage.ts'
import { capture, connect, handlesIn, timesSent } from './outreach-stage.ts'
import { leadsOf, likes, people, statusOf, track } from './sync-stage.ts'

// Without workers: the drain does all work.
const serving = { dailyDollars: {}, fallbackPages: 3, creditDollars: null, operatorMail: null }
const world = useWorld({ breaker: true, config: { roles: ['http'], serving } })

const both = ['harvestapi', 'linkdapi'] as const
const profiles = ['profile', 'profile/full'] as const
const probes = new Set(['my-api-user', 'credits/tier'])

const count = async (text: string): Promise<number> =>
  Number((await world.database.pool.query(`select count(*) as n from ${text}`)).rows[0].n)
const held = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await world.database.pool.query('select account, reason from vendor_breaker where reason is not null')).rows.map(
      (row) => [row.account, row.reason],
    ),
  )
const author = (fans: number): string => {
  const handle = world.handle('author')
  world.network.seedPost({ author: handle, reactions: likes(people(world, fans)), comments: [] })
  return handle
}
const callsSince = (number: number) => world.network.calls().filter((call) => call.number > number)
const lastCall = (): number => world.network.calls().at(-1)?.number ?? 0
const states = (leads: readonly Answer['body'][]) => [...new Set(leads.map((lead) => lead.enrichmentStatus))]

const healthOf = async (team: Team): Promise<Answer['body']> =>
  (await (await memberOf(world, team, 'viewer')).get('/sources/health')).body.sources[0]

/** Requests that vendors answered, and so charged, twice. */
const askedTwice = (): string[] => {
  const seen = new Map<string, number>()
  for (const { vendor, operation, query, status } of world.network.calls()) {
    const question = `${vendor} ${operation} ${JSON.stringify(query)}`
    if (status === 200 && /^(?:profile|company|companies)/.test(operation) && !/-posts|"linkedin"/.test(question))
      seen.set(question, (seen.get(question) ?? 0) + 1)
  }
  return [...seen].filter(([, times]) => times > 1).map(([question]) => question)
}

describe('while every vendor of data is away', () => {
  it('work waits for 30 hours without counting a try, and everybody is enriched afterwards [SYN-20, ENR-10, G33]', async () => {
    const team = await world.team({ credits: 1_000 })
    const [first, second] = [author(12), author(7)]
    // Captured and paid for; then look-ups of people fail.
    for (const operation of profiles) world.network.fault({ kind: 'status_500', operation })
    await track(team, first)
    await world.drain()
    expect(states(await leadsOf(team, first))).toEqual(['pending'])
    for (const vendor of both) world.network.fault({ kind: 'status_503', vendor })
    await track(team, second)
    await world.advance('1m')
    expect(await held()).toEqual({ harvestapi: 'away', linkdapi: 'away' })
    const { jobId } = await track(team, author(1))
    const balance = await team.balance()
    const attempts = await count('enrichment_task where attempts > 4')
    const before = lastCall()
    for (let hours = 0; hours < 30; hours += 5) await world.advance('5h')

    const during = callsSince(before)
    expect(during.filter(({ operation }) => !probes.has(operation))).toEqual([])
    // One probe of each vendor, with its retries, whenever time has moved.
    expect(during.length).toBeLessThanOrEqual(6 * 2 * 3)
    expect(await count('enrichment_task where attempts > 4')).toBe(attempts)
    expect(await count(`sync where state = 'failed' or attempts > 3`)).toBe(0)
    expect(await count(`lead where enrichment = 'failed'`)).toBe(0)
    expect((await jobOf(team, jobId)).status).toBe('running')
    expect(await count(`job where id = '${jobId}' and attempts > 0`)).toBe(0)
    expect(await team.balance()).toBe(balance)

    // A caller is refused at once, with the cause.
    const asked = lastCall()
    const answer = await team.post('/enrich/profile', { username: world.handle('new') })
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      502,
      'provider_unavailable',
      '60',
    ])
    expect(answer.body.error).toMatch(/^The network did not answer/)
    expect(callsSince(asked)).toEqual([])

    world.network.clearFaults()
    await world.advance('1m')
    await world.advance('1m')
    expect(await held()).toEqual({})
    for (const [name, fans] of [
      [first, 12],
      [second, 7],
    ] as const) {
      const leads = await leadsOf(team, name)
      expect([leads.length, states(leads)]).toEqual([fans, ['completed']])
      expect(await statusOf(team, name)).toMatchObject({ errorCode: null })
    }
    expect(await jobOf(team, jobId)).toMatchObject({ status: 'completed' })
    expect(await team.balance()).toBe(1_000 - 12 - 7 - 1)
    expect(askedTwice()).toEqual([])
  })
})

describe.each([
  [
    'out of money',
    402,
    'money',
    /^The network account of this service is out of credit/,
    /^the network account of this service is out of credit/,
  ],
  [
    'refused its key',
    401,
    'key',
    /^The network refused the account of this service/,
    /^the network refused the account/,
  ],
] as const)('while the accounts at the vendors are %s', (_what, status, reason, words, waiting) => {
  it('work is held, callers are told the truth, and it goes on by itself when a probe passes', async () => {
    const team = await world.team({ credits: 100 })
    const name = author(3)
    for (const vendor of both) world.network.fault({ kind: 'status', status, vendor })
    await track(team, name)
    await world.drain()
    await world.advance('2m')
    expect(await held()).toEqual({ harvestapi: reason, linkdapi: reason })
    await world.advance('9h')
    expect(await count(`sync where state = 'failed'`)).toBe(0)
    const { running, waiting: said, warnings } = await healthOf(team)
    expect([running, said]).toEqual([true, expect.stringMatching(waiting)])
    expect(warnings[0]).toMatchObject({ kind: 'waiting', advice: expect.stringMatching(/^It goes on by itself/) })
    const [run] = (await (await memberOf(world, team, 'viewer')).get(`/sources/${(await healthOf(team)).id}/runs`)).body
      .runs
    expect(run.words).toBe(`Waiting: ${said}; it continues automatically`)
    const answer = await team.post('/enrich/profile', { username: world.handle('new') })
    expect([answer.status, answer.body.error]).toEqual([502, expect.stringMatching(words)])
    world.network.clearFaults()
    await world.advance('1m')
    await world.advance('1m')
    expect(states(await leadsOf(team, name))).toEqual(['completed'])
    expect(await team.balance()).toBe(97)
    expect(await healthOf(team)).toMatchObject({ running: false, waiting: null })
    expect(await count('sync where waits_for is not null')).toBe(0)
  })
})

describe('while the primary alone is held', () => {
  it('the fallback serves, the primary is asked for nothing but its probes, and it serves again once one has passed', async () => {
    const team = await world.team({ credits: 100 })
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi' })
    const [first, second, third] = [author(4), author(4), author(2)]
    await track(team, first)
    await world.drain()
    expect(states(await leadsOf(team, first))).toEqual(['completed'])
    expect(await held()).toEqual({ harvestapi: 'away' })
    const before = lastCall()
    await track(team, second)
    await world.advance('5m')
    expect(states(await leadsOf(team, second))).toEqual(['completed'])
    expect(
      callsSince(before).filter(({ vendor, operation }) => vendor === 'harvestapi' && !probes.has(operation)),
    ).toEqual([])
    world.network.clearFaults()
    await world.advance('1m')
    const after = lastCall()
    await track(team, third)
    await world.drain()
    expect(new Set(callsSince(after).map(({ vendor }) => vendor))).toEqual(new Set(['harvestapi']))
  })
  it('the fallback serves the first pages of a large post alone; the next run reads the rest, paying for nobody twice [SYN-17]', async () => {
    const team = await world.team({ credits: 100 })
    const before = lastCall()
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi', operation: 'post-reactions' })
    const name = author(45)
    await track(team, name)
    await world.drain()
    expect(callsSince(before).filter(({ operation }) => operation === 'posts/likes')).toHaveLength(3)
    expect(await statusOf(team, name)).toMatchObject({
      capture: { stoppedBy: 'provider_limit', creditsSpent: 30, coverage: { declared: 45, captured: 30 } },
      errorCode: null,
    })
    expect((await healthOf(team)).lastRun.words).toMatch(/^Finished in part: the usual supplier of the network/)
    world.network.clearFaults()
    await world.advance('24h')
    expect(await leadsOf(team, name)).toHaveLength(45)
    expect((await statusOf(team, name)).capture).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 15 })
    expect(await team.balance()).toBe(55)
  })
  it('one thing that cannot be read holds nobody up for long, and ends as it did', async () => {
    const team = await world.team({ credits: 100 })
    const name = world.handle('author')
    const sick = world.network.seedPost({ author: name, reactions: likes(people(world, 2)), comments: [] }).id
    for (const operation of ['post-reactions', 'posts/likes'])
      world.network.fault({
        kind: 'status_500',
        operation,
        match: { [operation === 'posts/likes' ? 'urn' : 'post']: sick },
      })
    await track(team, name)
    for (let tries = 0; tries < 40 && !(await statusOf(team, name)).isFinal; tries += 1) await world.advance('21m')
    expect(await statusOf(team, name)).toMatchObject({ state: 'failed', errorCode: 'provider_error' })
    world.network.clearFaults()
    await world.advance('2m')
    expect(await held()).toEqual({})
  })
})

describe('while the account of one team is away', () => {
  it('at an AI vendor: a search waits up to 6 h, ends ai_error uncounted, and the next is judged [AIF-10, G171, FIX-08]', async () => {
    const team = await world.team({ credits: 100 })
    await storeAiKey(world, team)
    const word = topic(world)
    for (const about of ['hiring', 'cooking', 'hiring'])
      world.network.seedPost({
        author: world.handle('author'),
        text: `${word} ${about}`,
        reactions: likes(people(world, 1)),
        comments: [],
      })
    world.network.fault({ kind: 'status_503', vendor: 'openai' })
    const { id } = await search(team, { keyword: word, aiProvider: 'openai', aiPrompt: 'Keep posts about "hiring"' })
    await world.drain()
    for (const wait of ['15s', '60s', '5m', '1m'] as const) await world.advance(wait)
    expect(Object.keys(await held()).filter((account) => account.startsWith('openai:'))).toHaveLength(1)
    const before = lastCall()
    await world.advance('5h')
    expect((await searchStatus(team, id)).state).toBe('capturing')
    await world.advance('1h')
    expect(callsSince(before).filter(({ vendor }) => vendor === 'openai').length).toBeLessThanOrEqual(2 * 2 * 3)
    expect(await searchStatus(team, id)).toMatchObject({
      state: 'failed',
      stoppedBy: 'ai_error',
      errorCode: 'ai_error',
    })
    expect([(await rowOf(team, id)).schedule.runsCompleted, await team.balance()]).toEqual([0, 100])
    world.network.clearFaults()
    await world.advance('17h')
    expect(await count(`sync where team_id = '${team.id}'`)).toBe(1)
    await world.advance('1h')
    expect((await rowOf(team, id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', postsKept: 2 })
    expect(await team.balance()).toBe(98)
  })

  it('an AI vendor that takes no more calls: the search says what it waits for [AIF-10]', async () => {
    const team = await world.team({ credits: 100 })
    await storeAiKey(world, team)
    const word = topic(world)
    for (let post = 0; post < 60; post += 1)
      world.network.seedPost({ author: world.handle('author'), text: `${word} hiring`, reactions: [], comments: [] })
    world.network.fault({ kind: 'status_429', vendor: 'openai' })
    const { id } = await search(team, { keyword: word, aiProvider: 'openai', aiPrompt: 'Keep posts about "hiring"' })
    const viewer = await memberOf(world, team, 'viewer')
    const words = async () => (await viewer.get(`/sources/${id}/runs`)).body.runs[0]?.words
    await world.drain()
    for (let waits = 0; waits < 12 && !/^Waiting/.test(await words()); waits += 1) await world.advance('3m')
    expect(await words()).toBe(
      'Waiting: the AI vendor accepts no more calls with your key for now; it continues automatically',
    )
    expect((await searchStatus(team, id)).state).toBe('capturing')
  })

  it('at the outreach platform, whoever is queued waits for 30 hours, and then everybody is sent once [OUT-13]', async () => {
    const stage = await connect(world)
    const down = { vendor: 'heyreach', kind: 'status_503' } as const
    const source = await capture(world, stage.team, [{}, {}, {}], {
      before: async (sourceId) => {
        const saved = await stage.team.put(`/sources/${sourceId}/outreach`, { campaignId: stage.campaignId })
        expect(saved.status).toBe(200)
        world.network.fault(down)
      },
    })
    for (let minutes = 0; minutes < 8; minutes++) await world.advance('2m')
    expect(Object.keys(await held()).filter((account) => account.startsWith('heyreach:'))).toHaveLength(1)
    const before = lastCall()
    for (let hours = 0; hours < 30; hours += 5) await world.advance('5h')
    expect(callsSince(before).filter(({ vendor }) => vendor === 'heyreach').length).toBeLessThanOrEqual(6 * 2 * 3)
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([])
    expect(await count(`outreach_queue where team_id = '${stage.team.id}'`)).toBe(3)
    world.network.clearFaults()
    for (let minutes = 0; minutes < 4; minutes++) await world.advance('12m')
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual(source.handles.toSorted())
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(3)
    expect(await count(`outreach_queue where team_id = '${stage.team.id}'`)).toBe(0)
  })

  it('at the outreach platform, who was being sent is looked up when it is back: only looks that were made count [OUT-13]', async () => {
    const stage = await connect(world)
    const person = { profileUrl: `https://www.linkedin.com/in/${world.handle('lost')}`, name: 'Person' }
    world.network.fault({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', kind: 'lost_reply', times: 1 })
    const sent = await stage.team.post('/integrations/outreach/send', {
      campaignId: stage.campaignId,
      people: [person],
    })
    expect(sent.status).toBe(502)
    world.network.fault({ vendor: 'heyreach', kind: 'status_503' })
    for (const wait of ['11m', '21m', '41m']) await world.advance(wait)
    expect(Object.keys(await held()).filter((account) => account.startsWith('heyreach:'))).toHaveLength(1)
    // More turns than the allowed number of failed look-ups.
    for (let turns = 0; turns < 12; turns++) await world.advance('3m')
    world.network.clearFaults()
    // The platform is back except for the look-up, whose turn comes just after requests are allowed again.
    await world.advance('62s')
    expect((await stage.team.get('/integrations/outreach/campaigns')).status).toBe(200)
    expect(await held()).toEqual({})
    world.network.fault({ vendor: 'heyreach', operation: 'GetLeadsFromCampaign', kind: 'status_503' })
    await world.advance('3m')
    expect(await count(`outreach_send where team_id = '${stage.team.id}' and state = 'uncertain'`)).toBe(1)
    world.network.clearFaults()
    await world.advance('2h')
    expect(await count(`outreach_send where team_id = '${stage.team.id}' and state = 'sent'`)).toBe(1)
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(1)
  })
})
