import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { agentOf, ok, put, start } from './agent-stage.ts'
import { onlySeeded, rowOf, rowsOf, run, search, searchCalls, topic } from './keyword-run-stage.ts'
import { likes, people, resweep, statusOf, track } from './sync-stage.ts'

// Much time and many people take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })
const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const served: Team[] = []
async function teamOf(settings: Record<string, unknown>): Promise<Team> {
  const team = await world.team(settings)
  served.push(team)
  return team
}
afterEach(async () => {
  for (const team of served.splice(0)) await team.change({ status: 'expired' })
})

const moveTo = async (to: string): Promise<void> =>
  expect((await world.operator('POST', '/operator/clock', { to })).status).toBe(200)
/** Moves to this time two days later, so that each scenario has its own days. */
async function freshDay(time: string): Promise<string> {
  const day = new Date((await world.now()).getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  await moveTo(`${day}T${time}Z`)
  return day
}
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
const seedFans = (word: string, count: number, author = world.handle('author')) =>
  world.network.seedPost({ author, text: word, reactions: likes(people(world, count)), comments: [] })
const usageByDate = async (team: Team, from: string) =>
  (await team.get(`/credits/usage?from=${from}T00:00:00Z`)).body.byDate
const held = async (): Promise<void> => world.network.untilWaiting(1, { operation: 'post-reactions' })
async function halfway(begin: () => Promise<unknown>): Promise<void> {
  world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
  await begin()
  world.beginDrain()
  await held()
}
async function release(): Promise<void> {
  // The clock's tasks run while the page is still held.
  await world.tick()
  world.network.release()
  await world.drain()
}

describe('over midnight in UTC', () => {
  it('a keyword run is charged to the ceiling of its day: what the old day was short of, the new one has [KRN-14, G76]', async () => {
    const day = await freshDay('23:58:00.000')
    const [team, word, other] = [await teamOf({ keywordDailyCeiling: 120 }), topic(world), topic(world)]
    seedFans(word, 150)
    seedFans(other, 100)
    let id = ''
    await halfway(async () => {
      id = (await search(team, { keyword: word })).id
    })
    await moveTo(`${dayAfter(day)}T00:00:00.000Z`)
    await release()
    expect((await rowOf(team, id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 150 })
    const second = await run(world, team, { keyword: other })
    expect([second.lastRun, await usageByDate(team, day)]).toMatchObject([
      { stoppedBy: 'team_cap', creditsSpent: 70 },
      [
        { date: day, credits: 100 },
        { date: dayAfter(day), credits: 120 },
      ],
    ])
  })

  it('the ceiling holds to the last millisecond of a day and is whole in the first of the next [KRN-14, G76]', async () => {
    const day = await freshDay('23:00:00.000')
    const [team, one, two, three] = [await teamOf({ keywordDailyCeiling: 2 }), topic(world), topic(world), topic(world)]
    for (const word of [one, two, three]) seedFans(word, 2)
    expect((await run(world, team, { keyword: one })).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 2,
    })
    await moveTo(`${day}T23:59:59.999Z`)
    const late = await run(world, team, { keyword: two })
    expect([late.lastRun, searchCalls(world, two)]).toMatchObject([{ stoppedBy: 'team_cap', creditsSpent: 0 }, []])
    await moveTo(`${dayAfter(day)}T00:00:00.000Z`)
    expect((await run(world, team, { keyword: three })).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 2,
    })
  })

  it('a run that the ceiling ended is not begun again at midnight, but a day after it began [KRN-01, KRN-14, G140]', async () => {
    const day = await freshDay('22:00:00.000')
    const [team, word] = [await teamOf({ keywordDailyCeiling: 1 }), topic(world)]
    seedFans(word, 3)
    const { id, lastRun } = await run(world, team, { keyword: word })
    expect(lastRun).toMatchObject({ stoppedBy: 'team_cap', creditsSpent: 1 })
    await moveTo(`${dayAfter(day)}T21:59:59.999Z`)
    await world.drain()
    expect((await rowsOf(world, team, id)).length).toBe(1)
    await moveTo(`${dayAfter(day)}T22:00:00.000Z`)
    await world.drain()
    expect([(await rowsOf(world, team, id)).length, (await rowOf(team, id)).lastRun.creditsSpent]).toEqual([2, 1])
  })

  it('what an agent may spend is by its own day, from start to start: midnight gives it nothing [AGT-39, AGT-42, G140]', async () => {
    const day = await freshDay('22:00:00.000')
    const [team, word] = [await teamOf({ credits: 1_000 }), topic(world)]
    seedFans(word, 60)
    await put(team, { topics: [word], dailyCredits: 50 })
    const { launch } = await ok(start(team))
    expect(launch.plan).toEqual({ perTopic: 25, people: 1, total: 50 })
    await world.drain()
    const source = (await agentOf(team)).sources.find(({ type }: { type: string }) => type === 'keyword')
    const spent = async (): Promise<number> =>
      (
        await world.database.pool.query(
          `select count(*)::int as spent from credit_entry where team_id = $1 and kind = 'charge' and source_id = $2`,
          [team.id, source.id],
        )
      ).rows[0].spent
    expect(await spent()).toBe(25)
    for (const at of [
      `${dayAfter(day)}T00:00:00.000Z`,
      `${dayAfter(day)}T12:00:00.000Z`,
      `${dayAfter(day)}T21:59:59.999Z`,
    ]) {
      await moveTo(at)
      await world.drain()
      expect([at, await spent()]).toEqual([at, 25])
    }
    await moveTo(`${dayAfter(day)}T22:00:00.000Z`)
    await world.drain()
    expect(await spent()).toBe(50)
  })
})

describe('over a renewal of credits', () => {
  /** The end of the team's month: the last of February at this hour. */
  const renewal = '2027-02-28T10:30:00.000Z'
  /** Each scenario has its own month, at most two years apart. */
  let year = 2027
  async function teamBefore(settings: Record<string, unknown>): Promise<{ team: Team; end: string; before: string }> {
    year += 1
    await moveTo(`${year}-01-31T10:30:00.000Z`)
    const team = await teamOf(settings)
    const end = (await team.get('/credits')).body.nextReset
    expect(end).toBe(renewal.replace('2027-02-28', new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10)))
    const before = new Date(Date.parse(end) - 60_000).toISOString()
    return { team, end, before }
  }

  it('a run under way pays later pages from the new month; the old keeps what it paid [CRD-02, CRD-05, CRD-14, CRD-33]', async () => {
    const { team, end, before } = await teamBefore({ credits: 120 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 250)) })
    await moveTo(before)
    await halfway(() => track(team, author, { enrichLeads: false }))
    expect((await team.get('/credits')).body).toMatchObject({ balance: 20, used: 100 })
    await moveTo(end)
    await release()
    // 100 of the old month's credits, then 120 of the new month's, which uses it up.
    expect((await statusOf(team, author)).capture).toMatchObject({
      stoppedBy: 'credits',
      creditsSpent: 220,
      leadRowsCaptured: 220,
    })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: 120, limit: 120 })
    const { rows } = await world.database.pool.query(
      'select kind, amount from credit_entry where team_id = $1 and kind <> $2 order by created_at, amount',
      [team.id, 'charge'],
    )
    expect(rows.map((row) => `${row.kind} ${row.amount}`)).toEqual(['grant 120', 'lapse -20', 'grant 120'])
  })

  it('a month empty a moment before: the run goes on, charging nobody twice [CRD-02, CRD-14, CRD-33, KRN-16]', async () => {
    const { team, end, before } = await teamBefore({ credits: 3 })
    const word = topic(world)
    await moveTo(before)
    seedFans(word, 5)
    const first = await run(world, team, { keyword: word })
    expect([first.lastRun, first.schedule.runsCompleted]).toMatchObject([{ stoppedBy: 'budget', creditsSpent: 3 }, 0])
    await moveTo(new Date(Date.parse(end) + 86_400_000).toISOString())
    await world.drain()
    const second = await rowOf(team, first.id)
    expect([second.lastRun, second.schedule.runsCompleted, await team.balance()]).toMatchObject([
      { stoppedBy: 'exhausted', creditsSpent: 2 },
      1,
      1,
    ])
    expect(new Set((await rowsOf(world, team, first.id)).map((row) => row.person_urn)).size).toBe(5)
  })
})

describe('the end of a trial', () => {
  it('in the midst of a run ends it: what was captured stays, and a subscription goes on from there [AUT-10, CRD-14, G125, G129]', async () => {
    const day = await freshDay('12:00:00.000')
    const team = await teamOf({ status: 'trial', trialEndsAt: `${day}T13:00:00.000Z`, credits: 500 })
    const author = world.handle('author')
    const { id: post } = world.network.seedPost({ author, reactions: likes(people(world, 250)) })
    await halfway(() => track(team, author, { enrichLeads: false }))
    await moveTo(`${day}T13:00:00.000Z`)
    world.network.clearCalls()
    await release()
    expect((await team.get('/credits')).status).toBe(403)
    const { rows } = await world.database.pool.query(
      'select state, error_code, credits_spent, lead_rows from sync where team_id = $1',
      [team.id],
    )
    expect(rows).toEqual([{ state: 'failed', error_code: 'subscription_inactive', credits_spent: 100, lead_rows: 100 }])
    for (let hours = 0; hours < 48; hours += 12) await world.advance('12h')
    // After the end only the page in progress was requested, and no run began.
    expect(
      world.network
        .calls({ operation: 'post-reactions' })
        .filter((call) => JSON.stringify(call.query).includes(post) && call.query.page !== '2'),
    ).toEqual([])
    await team.change({ status: 'active', plan: 'growth', credits: 500 })
    expect((await statusOf(team, author)).capture).toMatchObject({
      creditsSpent: 100,
      leadRowsCaptured: 100,
      stoppedBy: null,
    })
    await world.drain()
    expect((await statusOf(team, author)).capture).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 150,
      leadRowsCaptured: 150,
    })
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 0, leadRowsCaptured: 0 })
  })

  it('a millisecond before it, a run is served to its end [AUT-10, G125]', async () => {
    const day = await freshDay('12:00:00.000')
    const team = await teamOf({ status: 'trial', trialEndsAt: `${day}T13:00:00.000Z`, credits: 500 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 150)) })
    await halfway(() => track(team, author, { enrichLeads: false }))
    await moveTo(`${day}T12:59:59.999Z`)
    await release()
    expect(await statusOf(team, author)).toMatchObject({
      state: 'completed',
      capture: { stoppedBy: 'exhausted', creditsSpent: 150 },
    })
  })

  it('in the midst of a search ends its run as failed, uncounted, and asks for no more [KRN-10, KRN-16, G129]', async () => {
    const day = await freshDay('12:00:00.000')
    const team = await teamOf({ status: 'trial', trialEndsAt: `${day}T13:00:00.000Z`, credits: 500 })
    const word = topic(world)
    seedFans(word, 5)
    world.network.hold({ operation: 'post-search', match: { search: word } })
    const { id } = await search(team, { keyword: word })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-search' })
    await moveTo(`${day}T13:00:00.000Z`)
    await release()
    expect(searchCalls(world, word)).toHaveLength(1)
    await team.change({ status: 'active', plan: 'growth' })
    const row = await rowOf(team, id)
    expect([row.lastRun, row.schedule.runsCompleted, await rowsOf(world, team, id)]).toMatchObject([
      { stoppedBy: 'error', creditsSpent: 0 },
      0,
      [],
    ])
  })
})
