import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'
import { discover, handlesOf, runOf, seedWriters, start, topicOf } from './discover-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

describe('starting a run', () => {
  it('without a yes is refused, quoting its credits, and with an empty balance once confirmed; nothing is made [DIS-02, SPD-16]', async () => {
    const team = await world.team({ credits: 70 })
    const ask = (of: Team, more: object) =>
      refusedWithoutTrace(world, () => of.post('/discover', { keywords: ['sales'], ...more }))
    for (const [more, estimatedCredits] of [
      [{}, 50],
      [{ maxInfluencers: 500, confirmSpend: false }, 500],
    ] as const)
      expect(await ask(team, more)).toMatchObject({
        status: 409,
        body: { code: 'spend_confirmation_required', estimatedCredits, remainingBalance: 70 },
      })
    expect((await team.get('/discover')).body).toEqual({ runs: [] })
    const empty = await world.team({ credits: 0 })
    expect((await ask(empty, {})).status).toBe(409)
    expect(await ask(empty, { confirmSpend: true })).toMatchObject({
      status: 402,
      body: { code: 'insufficient_enriching_credits', remainingBalance: 0 },
    })
  })
  it('takes 1 and 10 keywords, 1 and 500 people, 20 countries, answers at once, and finding nobody is free [DIS-01, DIS-03, DIS-06, DIS-09, DIS-10, DIS-32, CRD-24]', async () => {
    const team = await world.team()
    const keywords = Array.from({ length: 10 }, () => topicOf(world))
    const countries = (
      'Germany france uk Italy Spain Poland Austria Norway Sweden Denmark Finland Greece Ireland Portugal Hungary ' +
      'Romania Bulgaria Croatia Slovenia Latvia'
    ).split(' ')
    world.network.hold({ operation: 'post-search' })
    const run = await start(team, { keywords, countries, maxInfluencers: 500, minEngagement: 3 })
    expect(run).toEqual({
      id: expect.any(String),
      state: 'running',
      keywords,
      countries: ['Germany', 'France', 'United Kingdom', ...countries.slice(3)],
      minEngagement: 3,
      maxInfluencers: 500,
      found: 0,
      qualified: 0,
      countryChecked: 0,
      countryMatched: 0,
      createdAt: expect.any(String),
      finishedAt: null,
      error: null,
      influencers: [],
    })
    expect(
      await start(team, { keywords: [`don't AND ${topicOf(world)}`], countries: null, maxInfluencers: 1 }),
    ).toMatchObject({ state: 'running', countries: [], minEngagement: 0 })
    world.network.release()
    await world.drain()
    expect(await runOf(team, run.id)).toMatchObject({
      state: 'done',
      found: 0,
      influencers: [],
      error: null,
      finishedAt: expect.any(String),
    })
    expect(await team.balance()).toBe(10_000)
  })
})

describe('whom a run finds', () => {
  it(
    'adds up reactions and comments of each matching post once, averages them over the posts, adds the highest averages, and says how many qualify ' +
      '[DIS-11, DIS-05, DIS-07, DIS-08, DIS-14..DIS-16, DIS-16, DIS-27, DIS-28, G91]',
    async () => {
      const team = await world.team()
      const [one, two] = [topicOf(world), topicOf(world)]
      const silent = { reactions: 0, comments: 0 }
      const [steady, , both] = seedWriters(world, one, [
        { engagements: [30, 30, 31] },
        { engagements: [87, 0, 1] },
        { engagements: [50], topic: `${one} and ${two}` },
        { engagements: [20, 9] },
      ])
      world.network.seedSearch({
        posts: [
          { author: { handle: both! }, text: `Only ${two}`, declaredReactions: 20, declaredComments: 0, ...silent },
          { author: { company: world.handle('page') }, text: `Our ${one}`, declaredReactions: 900, ...silent },
        ],
      })
      const run = await discover(world, team, { keywords: [one, two], minEngagement: 15, maxInfluencers: 2 })
      expect(run).toMatchObject({
        state: 'done',
        found: 2,
        qualified: 3,
        countryChecked: 0,
        countryMatched: 0,
        error: null,
      })
      expect(handlesOf(run)).toEqual([both, steady])
      expect(
        run.influencers.map((person: Answer['body']) => [
          person.totalEngagement,
          person.postCount,
          person.averageEngagement,
          person.highestEngagement,
        ]),
      ).toEqual([
        [70, 2, 35, 50],
        [91, 3, 91 / 3, 31],
      ])
      expect(run.influencers[0]).toMatchObject({
        topPostText: `Number 1 about ${one} and ${two} today`,
        topPostUrl: expect.stringContaining('linkedin.com'),
        name: expect.any(String),
      })
    },
  )
  it('asks for the past month by relevance, one search a keyword, and reads 500 posts of each [DIS-05, DIS-12, DIS-13]', async () => {
    const team = await world.team()
    const [long, short] = [topicOf(world), topicOf(world)]
    seedWriters(
      world,
      long,
      Array.from({ length: 4 }, () => ({ engagements: Array.from({ length: 160 }, () => 4) })),
    )
    seedWriters(world, short, [{ engagements: [9] }])
    world.network.clearCalls()
    const run = await discover(world, team, {
      keywords: [long, short],
      sort: 'DATE_POSTED',
      datePosted: 'PAST_24_HOURS',
    })
    const calls = world.network.calls({ operation: 'post-search' })
    expect(calls.map((call) => [call.query.sortBy, call.query.postedLimit])).toEqual(
      calls.map(() => ['relevance', 'month']),
    )
    expect(calls.filter((call) => call.query.search === long).map((call) => call.query.page)).toEqual(
      Array.from({ length: 10 }, (_, page) => String(page + 1)),
    )
    expect(calls.filter((call) => call.query.search === short)).toHaveLength(1)
    expect(run.influencers.reduce((sum: number, person: Answer['body']) => sum + person.postCount, 0)).toBe(501)
  })
  it('counts a post once when pages repeat it [DIS-15]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: Array.from({ length: 70 }, () => 6) }])
    world.network.fault({ kind: 'duplicate_page', operation: 'post-search' })
    const { influencers } = await discover(world, team, { keywords: [topic] })
    expect(influencers).toMatchObject([{ averageEngagement: 6, totalEngagement: 6 * influencers[0].postCount }])
    expect(influencers[0].postCount).toBeLessThanOrEqual(70)
  })
})

describe('a person whom a run has added', () => {
  it('is an Author lead, charged once, enriched, and seen only among all leads [DIS-26, DIS-27, DIS-34, CRD-23, LED-25, G92]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    const employer = world.handle('employer')
    const [handle] = seedWriters(world, topic, [{ engagements: [12, 3], country: 'DE' }])
    const picture = 'https://media.example.com/head.jpg'
    world.network.seedPerson({ handle: handle!, country: 'DE', company: employer, title: 'Head of Growth', picture })
    world.network.hold({ operation: 'profile' })
    const { id } = await start(team, { keywords: [topic, `${topic} today`] })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    await expect.poll(async () => (await runOf(team, id)).state).toBe('done')
    expect((await runOf(team, id)).influencers).toEqual([
      expect.objectContaining({ jobTitle: null, company: null, country: null, postCount: 2, totalEngagement: 15 }),
    ])
    world.network.release()
    await world.drain()
    expect((await runOf(team, id)).influencers).toEqual([
      expect.objectContaining({
        jobTitle: 'Head of Growth',
        company: expect.any(String),
        country: 'Germany',
        avatarUrl: expect.anything(),
      }),
    ])
    const { leads } = (await team.get('/leads?engagementType=Author')).body
    expect(leads).toEqual([
      expect.objectContaining({
        engagementType: 'Author',
        sourceId: null,
        sourceKind: 'discover',
        isIcp: null,
        webhookStatus: 'no_webhook',
        jobTitle: 'Head of Growth',
        country: 'Germany',
        commentText: null,
      }),
    ])
    for (const kind of ['profile', 'post', 'keyword'])
      expect((await team.get(`/leads?sourceKind=${kind}`)).body.leads).toEqual([])
    expect((await team.get('/leads?sourceKind=all')).body.leads).toHaveLength(1)
    expect(await team.balance()).toBe(10_000 - 1)
    expect((await team.get('/credits/usage')).body).toMatchObject({
      total: 1,
      bySource: [{ sourceId: null, type: 'discover', credits: 1 }],
    })
  })
  it('costs again in another run, which has its own leads [DIS-34, CRD-23]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: [5] }])
    for (const spent of [1, 2]) {
      expect(await discover(world, team, { keywords: [topic] })).toMatchObject({ found: 1 })
      expect(await team.balance()).toBe(10_000 - spent)
    }
    expect((await team.get('/leads')).body.leads).toHaveLength(2)
  })
  it('is left out when the balance runs out before them: the run is done and says so [DIS-11, CRD-23]', async () => {
    const team = await world.team({ credits: 2 })
    const topic = topicOf(world)
    const handles = seedWriters(
      world,
      topic,
      [5, 8, 7, 6].map((engagement) => ({ engagements: [engagement] })),
    )
    const run = await discover(world, team, { keywords: [topic] })
    expect(run).toMatchObject({
      state: 'done',
      found: 2,
      qualified: 4,
      error: { code: 'insufficient_enriching_credits' },
    })
    expect(handlesOf(run)).toEqual([handles[1], handles[2]])
    expect(await team.balance()).toBe(0)
    expect(await discover(world, await world.team({ credits: 4 }), { keywords: [topic] })).toMatchObject({
      found: 4,
      qualified: 4,
      error: null,
    })
  })
})

describe('the people of a run', () => {
  it('are none when another run has spent the balance meanwhile: it is done and says so [DIS-11, CRD-23]', async () => {
    const team = await world.team({ credits: 2 })
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: [5] }, { engagements: [8] }])
    const started = [await start(team, { keywords: [topic] }), await start(team, { keywords: [topic] })]
    await world.drain()
    const runs = await Promise.all(started.map(({ id }) => runOf(team, id)))
    expect(runs.map(({ state, found }) => ({ state, found })).sort((a, b) => a.found - b.found)).toEqual([
      { state: 'done', found: 0 },
      { state: 'done', found: 2 },
    ])
    expect(runs.find(({ found }) => found === 0).error).toMatchObject({ code: 'insufficient_enriching_credits' })
    expect(await team.balance()).toBe(0)
  })
  it('are as many as were asked for and no more, also when they are added in several units of work [CRD-23]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(
      world,
      topic,
      Array.from({ length: 60 }, (_, at) => ({ engagements: [100 + at], country: 'DE' })),
    )
    const run = await discover(world, team, { keywords: [topic], maxInfluencers: 55, countries: ['Germany'] })
    expect(run).toMatchObject({ state: 'done', found: 55, error: null })
    expect(await team.balance()).toBe(10_000 - 55)
  })
})

describe('runs', () => {
  it('are listed newest first without their people, and an unknown one is 404 [DIS-29, DIS-30]', async () => {
    const team = await world.team()
    const runs: string[] = []
    for (const _ of [1, 2, 3]) {
      runs.unshift((await discover(world, team, { keywords: [topicOf(world)] })).id)
      await world.move('1s')
    }
    const { body } = await team.get('/discover')
    expect(body.runs.map((run: Answer['body']) => run.id)).toEqual(runs)
    expect(body.runs[0]).not.toHaveProperty('influencers')
    for (const id of ['01a1fd55-7a80-7003-a3e3-0123456789ab', 'nothing'])
      for (const method of ['GET', 'DELETE']) expect((await team.call(method, `/discover/${id}`)).status).toBe(404)
    const other = await world.team()
    expect([
      (await other.get(`/discover/${runs[0]}`)).status,
      (await other.del(`/discover/${runs[0]}`)).status,
      (await other.get('/discover')).body.runs,
    ]).toEqual([404, 404, []])
  })
  it('disappear when deleted; their leads stay and nothing is refunded [DIS-31]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: [5] }])
    const { id } = await discover(world, team, { keywords: [topic] })
    expect((await team.del(`/discover/${id}`)).body).toEqual({ ok: true, id, deleted: true })
    expect([
      (await team.get(`/discover/${id}`)).status,
      (await team.del(`/discover/${id}`)).status,
      (await team.get('/discover')).body.runs,
    ]).toEqual([404, 404, []])
    expect((await team.get('/leads')).body.leads).toHaveLength(1)
    expect(await team.balance()).toBe(10_000 - 1)
  })
  it('stop when deleted while they are under way: what is being read then adds nobody [DIS-31]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: [5] }])
    world.network.hold({ operation: 'post-search' })
    const { id } = await start(team, { keywords: [topic] })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-search' })
    expect((await team.del(`/discover/${id}`)).status).toBe(200)
    world.network.release()
    await world.drain()
    expect([(await team.get('/leads')).body.leads, await team.balance()]).toEqual([[], 10_000])
  })
})
