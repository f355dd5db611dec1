/** The agent of a free trial: what its allowance pays, what it may not do, and what a subscription changes. */
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { changeTeam } from '../../src/modules/accounts/index.ts'
import { lockForPage } from '../../src/modules/capture/index.ts'
import { closeAgentTrial, followStatus } from '../../src/modules/credits/index.ts'
import { claimRun } from '../../src/modules/sources/index.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { leaseOf } from '../../src/platform/work/index.ts'
import { memberOf } from '../dashboard/stage.ts'
import { useWorld, type Team, drainOnly } from '../world/world.ts'
import { seedWriters } from './discover-stage.ts'
import { agentOf, ok, put, running, seedTopicPost, sourcesOf, start, topicsOf, trackOwn } from './agent-stage.ts'

// Never with workers: a test claims a run itself.
const world = useWorld({ config: drainOnly })

// Moving a day syncs every agent source of this file.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

/** People who write only about this topic, the best first; only their own posts count. */
function writers(topic: string, count: number): string[] {
  const handles = Array.from({ length: count }, () => world.handle('writer'))
  for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
  return seedWriters(
    world,
    topic,
    handles.map((handle, at) => ({ handle, engagements: [300 - at] })),
  )
}

const watchedOf = async (team: Team) => (await sourcesOf(team, 'person')).filter((source) => source.status === 'active')

describe('the agent of a free trial', () => {
  async function trial(
    engagers: number,
    change: Record<string, unknown> = {},
  ): Promise<{ team: Team; topic: string; agent: any }> {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial', credits: 40 })
    seedTopicPost(world, `About ${topic}`, Array(engagers).fill({}))
    const { agent } = await running(world, team, { topics: [topic], ...change })
    return { team, topic: topic!, agent }
  }

  it('needs no limit, plans with its allowance, and asks for a yes [AGT-30, AGT-43, SPD-17]', async () => {
    const team = await world.team({ status: 'trial', credits: 0 })
    await put(team, { topics: topicsOf(world, 3) })
    const { status, body } = await team.post('/agent/start', { dailyCredits: 60 })
    expect([status, body.code]).toEqual([409, 'spend_confirmation_required'])
    expect(body).toMatchObject({
      plan: { perTopic: 166, people: 20, total: 998 },
      estimatedDailyMax: 998,
      dailyCredits: null,
      discoverCost: 20,
      remainingBalance: 1_000,
    })
  })
  it('pays from the allowance: the balance stays, usage names it, everybody checked counts once [AGT-27, AGT-43, CRD-26]', async () => {
    const { team, agent } = await trial(12)
    const author = 1
    expect(agent).toMatchObject({ dailyCredits: null, trial: { checkedLimit: 1_000, watchLimit: 20, watched: author } })
    expect((await ok(team.get('/agent/leads'))).checked).toBe(12)
    // The search and the watched author have both captured each person, and a person counts once per source.
    expect(agent.trial.checked).toBe(24)
    const spent = await Promise.all(
      agent.sources.map(
        async ({ id }: { id: string }) => (await ok(team.get(`/sources/${id}/sync`))).capture.creditsSpent,
      ),
    )
    expect(spent).toEqual([12, 12])
    expect(await ok(team.get('/credits'))).toMatchObject({ balance: 40, used: 0 })
    const usage = await ok(team.get('/credits/usage'))
    expect(usage.bySource).toEqual([{ sourceId: null, type: 'agent_trial', label: null, credits: 24 + author }])
    expect(usage.total).toBe(24 + author)
    // People paid from the allowance count on the dashboard but cost nothing.
    const viewer = await memberOf(world, team, 'viewer')
    const { sources, total } = await ok(viewer.get('/credits/yield?days=7'))
    expect(sources.map(({ charged, credits }: Record<string, number>) => [charged, credits])).toEqual([
      [12, 0],
      [12, 0],
    ])
    expect(total.charged).toBe(24)
    expect((await ok(viewer.get('/credits/burn?days=7'))).forecast).toMatchObject({ dailyCap: 0, dailyAverage: 0 })
  })
  it("keeps paying from the balance for a search that was the team's own [AGT-34, AGT-43]", async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial', credits: 40 })
    const author = world.handle('writer')
    world.network.seedPerson({ handle: author, posts: [] })
    seedTopicPost(world, `About ${topic}`, [{}, {}, {}], author)
    await trackOwn(team, topic!, { creditCap: 20, datePosted: 'PAST_WEEK' })
    await put(team, { topics: [topic] })
    expect((await ok(start(team))).launch).toMatchObject({ created: 0, reused: 1 })
    await world.drain()
    expect(await team.balance()).toBe(37)
    // Only what the agent's own source captured: the watched author's post.
    expect((await agentOf(team)).trial.checked).toBe(3)
    expect((await ok(team.get('/credits/usage'))).bySource).toMatchObject([
      { type: 'agent_trial', credits: 4 },
      { type: 'keyword', credits: 3 },
    ])
  })
  it('sweeps until 1,000 people are checked: the run ends lead_cap, and later ones are skipped [AGT-43]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    await put(team, { topics: [topic] })
    await ok(start(team))
    await world.drain()
    await world.database.pool.query(
      `update credit_account set granted = granted - 997 where team_id = $1 and account = 'agent_trial'`,
      [team.id],
    )
    await world.database.pool.query(
      `insert into credit_entry (team_id, id, account, key, kind, amount, created_at)
       values ($1, gen_random_uuid(), 'agent_trial', 'lapse:test', 'lapse', -997, now())`,
      [team.id],
    )
    seedTopicPost(world, `About ${topic}`, Array(10).fill({}))
    await world.advance('24h')
    const [search] = await sourcesOf(team, 'keyword')
    expect(search.lastRun).toMatchObject({ stoppedBy: 'lead_cap', creditsSpent: 3 })
    expect((await ok(team.get(`/sources/${search.id}/sync`))).stoppedBy).toBe('lead_cap')
    await world.advance('24h')
    expect((await sourcesOf(team, 'keyword'))[0].lastRun.finishedAt).toBe(search.lastRun.finishedAt)
    expect(await team.balance()).toBe(1_000)
  })
  it('cannot be stopped: its sources are named and sweep on, it is a draft, and adds no more people [AGT-48, AGT-45, AUT-12]', async () => {
    const { team } = await trial(2)
    const { agent, stop } = await ok(team.post('/agent/stop', {}))
    expect(agent.status).toBe('draft')
    expect(stop.stopped).toBe(0)
    expect(stop.notStopped.map((source: { id: string }) => source.id).sort()).toEqual(
      agent.sources.map((source: { id: string }) => source.id).sort(),
    )
    for (const { error } of stop.notStopped) expect(error).toContain('trial')
    expect((await sourcesOf(team, 'keyword')).map((source) => source.status)).toEqual(['active'])
    const again = await ok(start(team))
    expect(again.launch).toMatchObject({ stopped: 0, created: 0, reused: 1, notStopped: stop.notStopped })
  })
  it('grants a search for people what it may find, and takes nothing back of what all who were found have cost [AGT-43]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    writers(topic!, 23)
    expect((await running(world, team, { topics: [topic] })).agent.trial.watched).toBe(20)
    const { rows } = await world.database.pool.query(
      `select kind || ' ' || amount as line from credit_entry
       where team_id = $1 and account = 'agent_trial' and kind <> 'charge' order by id desc`,
      [team.id],
    )
    expect(rows.map(({ line }) => line)).toEqual(['topup 20', 'grant 1000'])
  })
  it.each([
    ['is deleted', async (team: Team, id: string) => void (await ok(team.del(`/discover/${id}`)))],
    ["is another start's by now", async () => {}],
    ['goes on after a stop', async (team: Team) => void (await ok(team.post('/agent/stop', {})))],
  ])(
    'has no more than 1,000 people to check, also when a search for people %s before it is over [AGT-43]',
    async (_how, then) => {
      const [topic] = topicsOf(world, 1)
      const team = await world.team({ status: 'trial' })
      await put(team, { topics: [topic] })
      for (let starts = 0; starts < 3; starts += 1) await then(team, (await ok(start(team))).launch.discoverRun)
      await world.drain()
      const { rows } = await world.database.pool.query(
        `select granted::integer, spent::integer from credit_account where team_id = $1 and account = 'agent_trial'`,
        [team.id],
      )
      expect(rows).toEqual([{ granted: 1_000, spent: 0 }])
    },
  )
  it('lets its sources check nobody on what a search for people was granted, while that is under way [AGT-43]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    await put(team, { topics: [topic] })
    await ok(start(team))
    const undone = new Error('only looked at')
    let left: number | undefined
    const look = async (tx: Tx) => {
      const run = (await claimRun(tx, 'keyword', leaseOf(randomUUID(), Date.now())))!
      expect(run.teamId).toBe(team.id)
      await sql`
        insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, created_at)
        select ${team.id}, gen_random_uuid(), 'agent_trial', 'of person ' || n, 'charge', -1, 'agent_trial',
          ${run.sourceId}::uuid, ${tx.now} from generate_series(1, 997) n`.execute(tx.db)
      await sql`update credit_account set spent = 997 where team_id = ${team.id} and account = 'agent_trial'`.execute(
        tx.db,
      )
      left = (await lockForPage(tx, run))!.account.balance
      throw undone
    }
    const looking = world.inShardOf(team, () => world.service.unitOfWork(look))
    await expect(looking).rejects.toBe(undone)
    expect(left).toBe(3)
    await world.drain()
  })
  it('watches at most 20 people over all starts [AGT-43]', async () => {
    const [one, two] = topicsOf(world, 2)
    const team = await world.team({ status: 'trial' })
    writers(one!, 15)
    writers(two!, 15)
    expect((await running(world, team, { topics: [one] })).agent.trial.watched).toBe(15)
    const { agent } = await running(world, team, { topics: [two] })
    expect(agent).toMatchObject({ peopleAdded: true, trial: { watched: 20, watchLimit: 20 } })
    expect(await watchedOf(team)).toHaveLength(20)
  })
  it(
    'closes with the subscription: nothing sweeps on it, and a start asks for a limit and then stops and pays ' +
      'like any other [AGT-30, AGT-43, AUT-13]',
    async () => {
      const { team, topic } = await trial(3)
      await team.change({ status: 'active' })
      const { rows } = await world.database.pool.query(
        `select (granted - spent - held)::integer as "left" from credit_account where team_id = $1 and account = 'agent_trial'`,
        [team.id],
      )
      expect(rows).toEqual([{ left: 0 }])
      const before = await team.balance()
      seedTopicPost(world, `More about ${topic}`, [{}, {}])
      await world.advance('24h')
      expect(await team.balance()).toBe(before)
      expect((await start(team)).body.code).toBe('agent_daily_credits_required')
      const { launch } = await ok(start(team, { dailyCredits: 100 }))
      expect(launch).toMatchObject({ stopped: 2, notStopped: [], created: 1 })
      await world.drain()
      expect(await team.balance()).toBeLessThan(before)
      expect(await agentOf(team)).toMatchObject({ trial: null, dailyCredits: 100, peopleAdded: true })
    },
  )
  it('leaves the people of a search that is still running to the team, also one that subscribes in that very moment [AGT-43]', async () => {
    const waiting = async (): Promise<boolean> =>
      (
        await world.database.pool.query(
          `select 1 from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
        )
      ).rows.length > 0
    const subscribe = (team: Team) =>
      world.unit(team, async (tx) => {
        await changeTeam(tx, team.id, { status: 'active' })
        await followStatus(tx, team.id, { from: 'trial', to: 'active' })
        world.network.release()
        await vi.waitFor(async () => expect(await waiting()).toBe(true), { timeout: 30_000, interval: 20 })
        await closeAgentTrial(tx, team.id)
      })
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial', credits: 40 })
    writers(topic!, 2)
    await put(team, { topics: [topic] })
    const search = { operation: 'post-search' } as const
    world.network.hold(search)
    const { launch } = await ok(start(team))
    const drained = world.drain()
    await world.network.untilWaiting(1, search)
    await subscribe(team)
    await drained
    await world.drain()
    const run = (await team.get(`/discover/${launch.discoverRun}`)).body
    expect(run).toMatchObject({ state: 'done', found: 2, error: null })
    expect((await ok(team.get('/credits/usage'))).bySource).toContainEqual(
      expect.objectContaining({ type: 'discover', credits: 2 }),
    )
  })
  it('leaves what is tracked again to the team that has subscribed [AGT-43]', async () => {
    const { team, topic } = await trial(3)
    await team.change({ status: 'active' })
    const before = await team.balance()
    await ok(team.post('/agent/stop', {}))
    seedTopicPost(world, `More about ${topic}`, [{}, {}])
    await ok(trackOwn(team, topic, { creditCap: 20, datePosted: 'PAST_WEEK' }))
    await world.drain()
    expect(before - (await team.balance())).toBe(2)
  })
  it('has its people swept at nobody’s cost once the team has subscribed, until the next start [AGT-30, AGT-43]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    const author = world.handle('writer')
    world.network.seedPerson({ handle: author, posts: [] })
    seedTopicPost(world, `About ${topic}`, [{}, {}, {}], author)
    await put(team, { topics: [topic] })
    await ok(start(team))
    await team.change({ status: 'active' })
    const before = await team.balance()
    await world.drain()
    await world.advance('24h')
    expect(await agentOf(team)).toMatchObject({ peopleAdded: true, dailyCredits: null })
    expect((await watchedOf(team)).map((source) => source.username)).toEqual([author])
    // The running search's results are charged to the team.
    expect(before - (await team.balance())).toBe(1)
    expect((await ok(team.get('/credits/usage'))).bySource).toMatchObject([{ type: 'discover', credits: 1 }])
    expect((await ok(start(team, { dailyCredits: 100 }))).launch).toMatchObject({ stopped: 2, created: 1 })
    await world.drain()
    expect(before - (await team.balance())).toBeGreaterThan(4)
  })
  it('leaves a search that the team tracks after it has subscribed to sweep on, and is the team’s to pay [AGT-43, KEY-02]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team({ status: 'trial' })
    const page = { company: world.handle('page') }
    seedTopicPost(world, `About ${topic}`, [{}, {}], page)
    await put(team, { topics: [topic] })
    await ok(start(team))
    await world.drain()
    await team.change({ status: 'active' })
    const before = await team.balance()
    seedTopicPost(world, `More about ${topic}`, [{}, {}, {}], page)
    expect((await ok(trackOwn(team, topic!, { creditCap: 20, datePosted: 'PAST_WEEK' }))).resumed).toBe(true)
    await world.advance('24h')
    expect(before - (await team.balance())).toBe(3)
    expect((await sourcesOf(team, 'keyword'))[0].lastRun).toMatchObject({ creditsSpent: 3 })
  })
})
