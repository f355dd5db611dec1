/** Starting and stopping an agent (specification «Engagement Agent», states; C5, G98, G100). */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { saveLaunch, type Prepared } from '../../src/modules/agent/launch.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Team, drainOnly } from '../world/world.ts'
import {
  agentOf,
  labelsOf,
  ok,
  put,
  running,
  seedTopicPost,
  sourcesOf,
  start,
  topicsOf,
  trackOwn,
} from './agent-stage.ts'

// Without workers, so that any vendor call comes from the request itself.
const world = useWorld({ config: drainOnly })

// Moving a day syncs every agent source of this file.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

async function draft(
  topics: readonly string[],
  change: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
): Promise<Team> {
  const team = await world.team(settings)
  await put(team, { topics, dailyCredits: 100, ...change })
  return team
}

describe('a start that is refused', () => {
  it('of an agent without topics or a limit, or with a malformed body, is 400 and writes nothing [AGT-19, AGT-28, AGT-29, AGT-30, AGT-44, ERR-10]', async () => {
    for (const [change, code] of [
      [{ topics: ['""', '([{}])'], dailyCredits: 100 }, 'agent_no_topics'],
      [{ topics: ['growth'] }, 'agent_daily_credits_required'],
    ] as const) {
      const team = await world.team()
      await put(team, change)
      const answer = await refusedWithoutTrace(world, () => start(team))
      expect([answer.status, answer.body.code]).toEqual([400, code])
    }
    const team = await draft(topicsOf(world, 1))
    for (const [path, body, code] of [
      ['start', { foo: 1 }, 'unknown_field'],
      ['start', { topics: ['x'] }, 'unknown_field'],
      ['start', { dailyCredits: 'many' }, undefined],
      ['start', { confirmSpend: 'yes' }, undefined],
      ['start', { agentId: 'nonsense' }, undefined],
      ['stop', { foo: 1 }, 'unknown_field'],
      ['stop', { confirmSpend: true }, 'unknown_field'],
      ['stop', { agentId: 'nonsense' }, undefined],
    ] as const) {
      const answer = await refusedWithoutTrace(world, () => team.post(`/agent/${path}`, body))
      expect([path, body, answer.status, answer.body.code]).toEqual([path, body, 400, code])
    }
  })
  it('without a yes quotes the plan, a day and the search, and writes nothing, of an active agent too [AGT-31, AGT-42, AGT-78, SPD-01, SPD-17]', async () => {
    const team = await draft(topicsOf(world, 3))
    for (const confirmSpend of [undefined, false]) {
      const answer = await refusedWithoutTrace(world, () => start(team, { confirmSpend }))
      expect([answer.status, answer.body.code]).toEqual([409, 'spend_confirmation_required'])
      expect(answer.body).toMatchObject({
        estimatedDailyMax: 98,
        plan: { perTopic: 16, people: 2, total: 98 },
        dailyCredits: 100,
        discoverCost: 2,
        remainingBalance: 10_000,
        daysToExhaustAtCap: 102,
      })
    }
    await ok(start(team))
    expect((await refusedWithoutTrace(world, () => start(team, { confirmSpend: false }))).status).toBe(409)
    expect((await agentOf(team)).status).toBe('active')
  })
  it('splits a limit sent with it, as promised [AGT-28, AGT-42, SPD-17]', async () => {
    for (const [count, dailyCredits, plan] of [
      [20, 20_000, { perTopic: 925, people: 60, total: 20_000 }],
      [1, 1, { perTopic: 25, people: 1, total: 50 }],
    ] as const) {
      const team = await draft(topicsOf(world, count))
      const { body } = await refusedWithoutTrace(world, () => start(team, { dailyCredits, confirmSpend: undefined }))
      expect(body).toMatchObject({ plan, estimatedDailyMax: plan.total, discoverCost: plan.people })
      expect((await agentOf(team)).dailyCredits).toBe(100)
    }
  })
  it('with nothing to set up is agent_not_started with the status of the first refusal, and still a draft [AGT-40, ERR-14]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await draft([topic!], {}, { credits: 0 })
    world.network.seedPerson({ handle: topic!, posts: [] })
    await ok(team.post('/enrich/profile', { username: topic, saveTrackedProfile: true }))
    await world.drain()
    const answer = await refusedWithoutTrace(world, () => start(team))
    expect([answer.status, answer.body.code]).toEqual([403, 'agent_not_started'])
    expect(answer.body).toMatchObject({
      status: 409,
      failed: [
        { part: topic, code: 'identifier_in_use', status: 409, error: expect.any(String) },
        { part: 'people_search', code: 'insufficient_enriching_credits', status: 402, error: expect.any(String) },
      ],
    })
    expect((await agentOf(team)).status).toBe('draft')
  })
})

describe('a start', () => {
  it('makes a daily search of each topic and a people search, asks nobody outside, and is active [AGT-24, AGT-25, AGT-33, AGT-35, AGT-38, AGT-39]', async () => {
    const topics = topicsOf(world, 12)
    const team = await draft(topics, { dailyCredits: 600 })
    world.network.clearCalls()
    const { agent, launch } = await ok(start(team))
    expect(world.network.calls({})).toEqual([])
    const plan = { perTopic: 25, people: 12, total: 600 }
    expect(launch).toEqual({
      plan,
      dailyCredits: 600,
      created: 12,
      reused: 0,
      discoverRun: expect.any(String),
      stopped: 0,
      notStopped: [],
      failed: [],
    })
    expect(agent).toMatchObject({
      status: 'active',
      plan,
      launchedAt: (await world.now()).toISOString(),
      discoverRun: launch.discoverRun,
      peopleAdded: false,
      dailyCredits: 600,
    })
    const searches = await sourcesOf(team, 'keyword')
    expect(searches.map((search) => search.username).sort()).toEqual([...topics].sort())
    for (const search of searches)
      expect(search).toMatchObject({ status: 'active', mode: 'engagers', enrichLeads: true, config: { creditCap: 25 } })
    expect(labelsOf(agent)).toEqual(topics.map((topic) => `Agent: ${topic}`))
    expect(
      agent.sources.every((source: { type: string; active: boolean }) => source.type === 'keyword' && source.active),
    ).toBe(true)
    const { rows } = await world.database.pool.query(
      'select distinct date_posted, capture_engagers, capture_post_authors, capture_mode from keyword_search where team_id = $1',
      [team.id],
    )
    expect(rows).toEqual([
      { date_posted: 'PAST_WEEK', capture_engagers: true, capture_post_authors: false, capture_mode: 'depth' },
    ])
    const run = await ok(team.get(`/discover/${launch.discoverRun}`))
    expect(run).toMatchObject({ keywords: topics.slice(0, 10), maxInfluencers: 12 })
  })
  it('takes a live search of the team as it is, never re-capped, and a stop leaves it running [AGT-34, AGT-45]', async () => {
    const [theirs, other] = topicsOf(world, 2)
    const team = await draft([theirs!, other!])
    const { id } = (await trackOwn(team, theirs!)).body
    const before = (await sourcesOf(team, 'keyword')).find((source) => source.id === id)
    const { agent, launch } = await ok(start(team))
    expect(launch).toMatchObject({ created: 1, reused: 1 })
    expect(agent.sources.some((source: { id: string; active: boolean }) => source.id === id && source.active)).toBe(
      true,
    )
    await world.drain()
    expect((await sourcesOf(team, 'keyword')).find((source) => source.id === id)).toMatchObject({
      config: { creditCap: 7 },
      status: 'active',
      createdAt: before.createdAt,
    })
    expect((await ok(team.post('/agent/stop', {}))).stop).toEqual({ stopped: 1, notStopped: [] })
    expect((await sourcesOf(team, 'keyword')).find((source) => source.id === id).status).toBe('active')
    expect((await ok(start(team))).launch).toMatchObject({ created: 1, reused: 1, stopped: 0 })
  })
  it('revives a search that the team had untracked, with none of its old settings [AGT-33]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await draft([topic!])
    const { id } = (
      await trackOwn(team, topic!, {
        name: 'old',
        capturePostAuthors: true,
        runOnce: true,
        authorKeyword: ['founder'],
        enrichLeads: false,
      })
    ).body
    await ok(team.del(`/keyword/${id}`))
    expect((await ok(start(team))).launch).toMatchObject({ created: 1, reused: 0 })
    const search = (await sourcesOf(team, 'keyword'))[0]
    expect(search).toMatchObject({ id, status: 'active', enrichLeads: true, config: { creditCap: 50 } })
    expect(search.filters).toBeUndefined()
    const { rows } = await world.database.pool.query(
      `select name, capture_post_authors, (select run_once from source s where s.id = k.source_id)
       from keyword_search k
       where team_id = $1`,
      [team.id],
    )
    expect(rows).toEqual([{ name: `Agent: ${topic}`, capture_post_authors: false, run_once: false }])
  })
  it('tells of the topics that were refused and starts the rest [AGT-37]', async () => {
    const [bad, good] = topicsOf(world, 2)
    const team = await draft([bad!, good!])
    world.network.seedPerson({ handle: bad!, posts: [] })
    await ok(team.post('/enrich/profile', { username: bad, saveTrackedProfile: true }))
    const { agent, launch } = await ok(start(team))
    expect(launch).toMatchObject({
      created: 1,
      failed: [{ part: bad, error: expect.stringContaining(bad!), code: 'identifier_in_use', status: 409 }],
    })
    expect(agent).toMatchObject({ status: 'active', sources: [{ label: `Agent: ${good}` }] })
  })
  it('stops every earlier source first, with a new plan for the new topics and the limit sent with it, in its bounds [AGT-28, AGT-32]', async () => {
    const [one, two, three] = topicsOf(world, 3)
    const team = await world.team()
    await running(world, team, { topics: [one, two] })
    await put(team, { topics: [two, three] })
    const { agent, launch } = await ok(start(team, { dailyCredits: 200 }))
    expect(launch).toMatchObject({
      stopped: 2,
      created: 2,
      reused: 0,
      dailyCredits: 200,
      plan: { perTopic: 50, people: 4, total: 200 },
    })
    expect(agent.dailyCredits).toBe(200)
    const byName = new Map((await sourcesOf(team, 'keyword')).map((source) => [source.username, source]))
    expect([byName.get(one!)!.status, byName.get(two!)!.status, byName.get(three!)!.status]).toEqual([
      'inactive',
      'active',
      'active',
    ])
    expect(byName.get(two!)!.config).toEqual({ creditCap: 50 })
    expect(labelsOf(agent).sort()).toEqual([`Agent: ${three}`, `Agent: ${two}`].sort())
    expect((await ok(start(team, { dailyCredits: 1e9 }))).agent.dailyCredits).toBe(20_000)
  })
  it('twice at once comes one after the other: every topic has one search, and nothing is left over [AGT-32]', async () => {
    const topics = topicsOf(world, 4)
    const team = await draft(topics)
    const answers = await Promise.all(Array.from({ length: 4 }, () => start(team)))
    for (const answer of answers) expect(answer.status, answer.text).toBe(200)
    await world.drain()
    const agent = await agentOf(team)
    expect(
      (await sourcesOf(team, 'keyword'))
        .filter((source) => source.status === 'active')
        .map((source) => source.username)
        .sort(),
    ).toEqual([...topics].sort())
    expect(agent.sources.filter((source: { active: boolean }) => source.active)).toHaveLength(4)
    expect(agent.status).toBe('active')
  })
})

describe('a start whose save fails', () => {
  it('is 502, its searches keep running, and the next start takes them up, the people search too [AGT-41, ERR-23]', async () => {
    const topics = topicsOf(world, 3)
    const team = await draft(topics)
    await world.arm('agent_save')
    const failed = await start(team)
    expect([failed.status, failed.body.code]).toEqual([502, undefined])
    expect(await agentOf(team)).toMatchObject({ status: 'draft', plan: null, launchedAt: null })
    const searches = await sourcesOf(team, 'keyword')
    expect(searches.map((source) => source.status)).toEqual(['active', 'active', 'active'])
    await world.drain()
    const { agent, launch } = await ok(start(team))
    expect(launch).toMatchObject({ created: 0, reused: 3, stopped: 0, failed: [] })
    expect(agent.status).toBe('active')
    expect((await sourcesOf(team, 'keyword')).map((source) => source.id).sort()).toEqual(
      searches.map((source) => source.id).sort(),
    )
    expect((await ok(team.get('/discover'))).runs).toHaveLength(1)
    expect((await ok(team.post('/agent/stop', {}))).stop.stopped).toBe(3)
  })
  it('and whose topics are changed before the next one leaves nothing behind [AGT-41, AGT-42]', async () => {
    const [one, two, three] = topicsOf(world, 3)
    const team = await draft([one!, two!])
    await world.arm('agent_save')
    expect((await start(team)).status).toBe(502)
    await put(team, { topics: [two, three] })
    const { launch } = await ok(start(team, { dailyCredits: 300 }))
    expect(launch).toMatchObject({ created: 1, reused: 1, stopped: 1 })
    const byName = new Map((await sourcesOf(team, 'keyword')).map((source) => [source.username, source]))
    expect(byName.get(one!)!.status).toBe('inactive')
    expect([byName.get(two!)!.config.creditCap, byName.get(three!)!.config.creditCap]).toEqual([
      launch.plan.perTopic,
      launch.plan.perTopic,
    ])
  })
  it('and that is stopped instead of started again leaves nothing running [AGT-41, AGT-45]', async () => {
    const team = await draft(topicsOf(world, 2))
    await world.arm('agent_save')
    expect((await start(team)).status).toBe(502)
    expect((await ok(team.post('/agent/stop', {}))).stop.stopped).toBe(2)
    expect((await ok(team.get('/sources'))).total).toBe(0)
  })
  it('is not saved by an earlier start that comes to its end later: the last one has the last word [AGT-32, AGT-41]', async () => {
    const team = await draft(topicsOf(world, 1))
    await world.arm('agent_save')
    expect((await start(team)).status).toBe(502)
    const agentId = (await agentOf(team)).id
    const earlier = { agentId, token: randomUUID() } as Prepared
    const caller = { teamId: team.id, keyId: '', plan: 'free', status: 'active', captureAllowed: true } as const
    await world.unit(team, (tx) => saveLaunch(tx, { faultPoint: async () => {}, caller, prepared: earlier }))
    expect(await agentOf(team)).toMatchObject({ status: 'draft', launchedAt: null })
  })
  it.each(['agent.prepared', 'agent.set-up', 'handler'] as const)(
    'or that dies at %s, and is sent again, ends like one that did not [AGT-41]',
    async (point) => {
      const topics = topicsOf(world, 2)
      const team = await draft(topics)
      await world.arm(point)
      expect((await start(team)).status).toBe(500)
      const { agent, launch } = await ok(start(team))
      expect(launch.created + launch.reused).toBe(2)
      expect(agent).toMatchObject({ status: 'active', plan: { perTopic: 25, people: 2, total: 100 } })
      expect((await sourcesOf(team, 'keyword')).map((source) => source.username).sort()).toEqual([...topics].sort())
      await world.drain()
      expect((await ok(team.get('/discover'))).runs).toHaveLength(1)
    },
  )
})

describe('a stop', () => {
  it('untracks what the agent has set up, keeps the leads, and the agent is a draft [AGT-44, AGT-45, AGT-46]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    seedTopicPost(world, `About ${topic}`, [{}, { comment: 'so true' }])
    await running(world, team, { topics: [topic] })
    const before = await ok(team.get('/agent/leads'))
    expect(before.total).toBe(2)
    const { agent, stop } = await ok(team.post('/agent/stop', {}))
    expect(stop.notStopped).toEqual([])
    expect(stop.stopped).toBe((await agentOf(team)).sources.length)
    expect(agent.status).toBe('draft')
    expect(agent.sources.every((source: { active: boolean }) => !source.active)).toBe(true)
    expect((await ok(team.get('/sources'))).total).toBe(0)
    const after = await ok(team.get('/agent/leads'))
    expect(after.leads.map((lead: { id: string }) => lead.id)).toEqual(
      before.leads.map((lead: { id: string }) => lead.id),
    )
    expect(after.leads[0].source.active).toBe(false)
    expect((await ok(team.post('/agent/stop', {}))).stop).toEqual({ stopped: 0, notStopped: [] })
  })
  it('that meets a start comes before or after it, never between: what is active is tracked, a draft is not [AGT-32, AGT-45]', async () => {
    const team = await draft(topicsOf(world, 3))
    for (let round = 0; round < 4; round++) {
      const [started, stopped] = await Promise.all([start(team), team.post('/agent/stop', {})])
      expect([started.status, stopped.status]).toEqual([200, 200])
      const agent = await agentOf(team)
      const tracked = (await sourcesOf(team, 'keyword')).filter((source) => source.status === 'active')
      expect(tracked).toHaveLength(agent.status === 'active' ? 3 : 0)
    }
  })
})
