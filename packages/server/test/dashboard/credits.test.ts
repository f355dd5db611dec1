import { describe, expect, it } from 'vitest'
import { chargeAll, lockAgentTrial } from '../../src/modules/credits/index.ts'
import { onlySeeded, run, search, topic } from '../scenarios/keyword-run-stage.ts'
import { likes } from '../scenarios/sync-stage.ts'
import { ok } from '../world/tracking.ts'
import { chargeOne } from '../world/charge.ts'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { enrichesTo, nameOfPerson } from './source-stage.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const viewerOf = (team: Team): Promise<MemberBrowser> => memberOf(world, team, 'viewer')

describe('a quote of sources that are tracked', () => {
  it('counts rows where people are captured and posts where they are watched; one without a cap leaves it open', async () => {
    const team = await world.team({ credits: 1_000, captureAllowed: false })
    const member = await memberOf(world, team, 'member')
    const tracked = async (settings: Record<string, unknown>): Promise<string> => {
      const username = world.handle('author')
      await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings }))
      const { sources } = (await team.get('/sources')).body
      return sources.find((source: { username: string }) => source.username === username).id
    }
    const people = await tracked({ creditCapPerSync: 40 })
    const watch = await tracked({ mode: 'posts_only', postsPerSync: 5, confirmSpend: true })
    const unbound = await tracked({})
    const quote = (...sourceIds: string[]) => ok(member.post('/quotes', { act: { kind: 'sync', sourceIds } }))
    expect(await quote(watch)).toMatchObject({ sources: 1, perSync: 5, now: 5, daily: 0, days: null })
    expect(await quote(people, watch)).toMatchObject({ sources: 2, perSync: null, now: 45 })
    expect(await quote(people, watch, unbound)).toMatchObject({ sources: 3, perSync: null, now: null })
  })
})

describe('the burn', () => {
  const burnOf = async (viewer: MemberBrowser, days = 30): Promise<Answer['body']> =>
    ok(viewer.get(`/credits/burn?days=${days}`))

  it('has every day of the window with its charges by source, and both sums agree with the usage of the interface', async () => {
    const team = await world.team({ credits: 1_000 })
    const viewer = await viewerOf(team)
    const first = await enrichesTo(world, team, ['A', 'B', 'C'], { enrichLeads: false })
    await world.advance('2d')
    const second = await enrichesTo(world, team, ['A', 'B'], { enrichLeads: false })
    await world.unit(team, (tx) =>
      chargeOne(tx, team.id, { key: 'read:1:post:7', category: 'posts_read', sourceId: null, syncId: null }),
    )
    const burn = await burnOf(viewer, 5)
    const today = (await world.now()).toISOString().slice(0, 10)
    expect(burn.days.map((day: { total: number }) => day.total)).toEqual([0, 0, 3, 0, 3])
    expect(burn.days.at(-1)).toEqual({
      date: today,
      total: 3,
      bySource: [
        { key: second.id, credits: 2 },
        { key: 'posts_read', credits: 1 },
      ],
    })
    expect(burn.sources).toEqual([
      { key: first.id, sourceId: first.id, type: 'person', label: first.author, credits: 3 },
      { key: second.id, sourceId: second.id, type: 'person', label: second.author, credits: 2 },
      { key: 'posts_read', sourceId: null, type: 'posts_read', label: 'Posts read on request', credits: 1 },
    ])
    expect(burn.credits).toEqual((await team.get('/credits')).body)
    expect((await team.get('/credits/usage')).body.total).toBe(6)
    // Two days of a young team: five credits of first syncs, which the forecast leaves out, and one without a source.
    expect(burn.forecast).toMatchObject({
      firstSyncs: 5,
      dailyAverage: 0.5,
      daysLeft: 1_988,
      lastsToReset: true,
      resetAt: burn.credits.nextReset,
    })
    expect((await burnOf(viewer, 1)).days).toEqual([burn.days.at(-1)])
    for (const days of ['0', '91', 'x']) expect((await viewer.get(`/credits/burn?days=${days}`)).status).toBe(400)
  })
})

describe('the forecast', () => {
  it('adds up what daily syncs can cost: rows, posts, people; of a posts-only search the smaller of its caps [KEY-56]', async () => {
    const team = await world.team({ credits: 1_000, captureAllowed: false })
    const viewer = await viewerOf(team)
    const capOf = async () => (await ok(viewer.get('/credits/burn?days=1'))).forecast.dailyCap
    const profile = async (settings: Record<string, unknown>): Promise<string> => {
      const username = world.handle('author')
      await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings }))
      return username
    }
    const find = (settings: Record<string, unknown>) => search(team, { keywords: [topic(world)], ...settings })
    await profile({ creditCapPerSync: 40 })
    await profile({ mode: 'posts_only', postsPerSync: 5, confirmSpend: true })
    await find({ creditCap: 60 })
    await find({ creditCap: 30, mode: 'posts_only', postsPerSync: 9 })
    expect(await capOf()).toBe(40 + 5 + 60 + 9)
    // A search that has reached its end date is still tracked but runs no more.
    const tomorrow = new Date((await world.now()).getTime() + 86_400_000).toISOString()
    await find({ creditCap: 200, endAt: tomorrow })
    expect(await capOf()).toBe(314)
    await world.advance('2d')
    expect(await capOf()).toBe(114)
    const unbound = await profile({})
    expect(await capOf()).toBeNull()
    await ok(team.del(`/profile/${unbound}`))
    expect((await ok(viewer.get('/credits/burn?days=1'))).forecast).toMatchObject({ dailyCap: 114, daysAtCap: 8 })
  })
})

describe('the forecast of a free trial', () => {
  it('leaves out what the allowance of its agent has paid, which is not of the balance [AGT-43, CRD-26]', async () => {
    const team = await world.team({ status: 'trial', credits: 100 })
    const charge = (key: string, category: 'source' | 'posts_read') =>
      ({ key, category, sourceId: null, syncId: null }) as const
    await world.unit(team, async (tx) => {
      await chargeOne(tx, team.id, charge('read:1:post:7', 'posts_read'))
      const checked = Array.from({ length: 40 }, (_, at) => charge(`test:${at}`, 'source'))
      await chargeAll(tx, await lockAgentTrial(tx, team.id), checked)
    })
    const { forecast, credits } = await ok((await viewerOf(team)).get('/credits/burn?days=1'))
    expect([credits.balance, forecast.firstSyncs, forecast.dailyAverage, forecast.daysLeft]).toEqual([99, 0, 1, 99])
  })
})

describe('the yield', () => {
  it('counts as seen whoever engaged on each post read, and the authors that a search captured beside them', async () => {
    onlySeeded(world)
    const team = await world.team()
    const word = topic(world)
    const [fan, ...writers] = ['fan', 'writer', 'writer'].map((name) => world.handle(name))
    const posts = writers.map((author) => ({
      author,
      text: `About ${word}`,
      reactions: [{ person: fan! }],
      comments: [],
    }))
    world.network.seedSearch({ generated: false, posts })
    const { id } = await run(world, team, { keywords: [word], capturePostAuthors: true })
    const { sources, total } = await ok((await viewerOf(team)).get('/credits/yield?days=7'))
    expect(sources).toMatchObject([{ sourceId: id, seen: 4, charged: 3, credits: 3 }])
    expect(total).toMatchObject({ seen: 4, charged: 3 })
  })

  it('follows the people of each source from seen to sent, counts each once, and puts the dearest first', async () => {
    const team = await world.team()
    const viewer = await viewerOf(team)
    const inbox = await world.inbox()
    const yieldOf = async (): Promise<Answer['body']> => ok(viewer.get('/credits/yield'))
    const icp = { rules: [{ column: 'jobTitle', operator: 'contains', value: 'sales' }] }
    const good = await enrichesTo(world, team, ['Head of Sales', 'Sales Manager', 'Engineer', 'Engineer'])
    const poor = await enrichesTo(world, team, ['Head of Sales', ...Array<string>(5).fill('Engineer')])
    const none = await enrichesTo(world, team, ['Engineer', 'Engineer'])
    const raw = await enrichesTo(world, team, ['Engineer'], { enrichLeads: false })
    for (const { author } of [good, poor, none])
      expect((await team.put(`/profile/${author}/icp`, icp)).status).toBe(200)
    // A second engagement of the same people is free, and nobody counts twice.
    world.network.seedPost({ author: good.author, reactions: likes(good.fans), comments: [] })
    expect((await team.put(`/profile/${good.author}/webhook`, { webhookUrl: inbox.url, autoSend: false })).status).toBe(
      200,
    )
    await world.advance('24h')
    expect((await team.post(`/profile/${good.author}/push`, { icpOnly: true })).status).toBeLessThan(300)
    await world.drain()
    const { rows } = await world.database.pool.query(
      `select id, person_urn from lead where team_id = $1 and owner_id = $2 and is_icp and webhook_status = 'sent' limit 1`,
      [team.id, good.id],
    )
    await world.database.pool.query(
      `insert into outreach_batch (team_id, id, campaign_id, state, due_at, created_at, finished_at)
       select $1, $2, '7', 'settled', now, now, now
       from service_clock`,
      [team.id, team.id],
    )
    await world.database.pool.query(
      `insert into outreach_send (team_id, id, campaign_id, batch_id, person_urn, profile_url, lead_id, state, sent_at)
       select $1, $2, '7', $3, $4, 'https://www.linkedin.com/in/x', $2, 'sent', now
       from service_clock`,
      [team.id, rows[0].id, team.id, rows[0].person_urn],
    )
    const { sources, total } = await yieldOf()
    expect(
      sources.map((source: Record<string, unknown>) => [
        source.label,
        source.charged,
        source.enriched,
        source.icp,
        source.delivered,
        source.sent,
        source.credits,
        source.creditsPerIcpLead,
      ]),
    ).toEqual([
      [nameOfPerson(world, none.author), 2, 2, 0, 0, 0, 2, null],
      [nameOfPerson(world, poor.author), 6, 6, 1, 0, 0, 6, 6],
      [nameOfPerson(world, good.author), 4, 4, 2, 2, 1, 4, 2],
      [raw.author, 1, 0, 0, 0, 0, 1, null],
    ])
    for (const source of sources) expect(source.seen).toBeGreaterThanOrEqual(source.charged)
    expect(total).toMatchObject({
      charged: 13,
      enriched: 12,
      icp: 3,
      delivered: 2,
      sent: 1,
      seen: sources.reduce((all: number, source: { seen: number }) => all + source.seen, 0),
    })
    // Two days include the day of the charges; one day does not.
    expect((await ok(viewer.get('/credits/yield?days=2'))).total).toMatchObject({ charged: 13, enriched: 12 })
    expect((await ok(viewer.get('/credits/yield?days=1'))).total).toMatchObject({ charged: 0, enriched: 0 })
    await world.move('100d')
    expect((await ok(viewer.get('/credits/yield?days=7'))).total.charged).toBe(0)
  })
})
