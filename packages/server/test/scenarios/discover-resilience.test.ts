/** Discover runs disturbed by crashes, vendors or lapsed teams find and charge what an undisturbed run does. */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { discover, handlesOf, runOf, seedWriters, start, topicOf } from './discover-stage.ts'
import { expireLeases, overtake, workThrough } from './sync-stage.ts'

// Without workers: tests do one unit of work after another.
const world = useWorld({ config: drainOnly })

function seedTopic(): string {
  const topic = topicOf(world)
  seedWriters(
    world,
    topic,
    Array.from({ length: 10 }, (_, n) => ({
      engagements: Array.from({ length: 6 }, () => 10 + n),
      country: n % 2 === 0 ? 'DE' : 'FR',
    })),
  )
  return topic
}

async function outcome(team: Team, id: string): Promise<unknown> {
  const { id: _id, createdAt: _created, finishedAt: _finished, ...run } = await runOf(team, id)
  const { rows } = await world.database.pool.query(
    'select person_urn, engagement_key, enrichment from lead where team_id = $1 order by engagement_key',
    [team.id],
  )
  return { run, rows, balance: await team.balance() }
}

const countries = { countries: ['Germany'], maxInfluencers: 3 }
let topic: string | undefined
/** The request of all dying runs, and the result of an undisturbed one, made once because teams share nothing. */
const request = () => ({ keywords: [(topic ??= seedTopic())], ...countries })
let leftAlone: unknown
async function calmly(): Promise<unknown> {
  const twin = await world.team()
  return outcome(twin, (await discover(world, twin, request())).id)
}

describe('a run that dies', () => {
  it.each([
    ...(
      [
        'discover.leased',
        'discover.page-fetched',
        'discover.profile-fetched',
        'discover.people-written',
        'discover.before-commit',
        'discover.after-commit',
      ] as const
    ).map((point) => ({ point, times: 1 })),
    { point: 'discover.charged', times: 3 },
  ] as const)(
    'at $point, $times times over, finds and charges what one left alone does [DIS-01, DIS-34, CRD-23]',
    async ({ point, times }) => {
      const team = await world.team()
      await world.arm(point, times)
      const { id } = await start(team, request())
      await workThrough(world, point, times)
      await world.advance('2m')
      const calm = (leftAlone ??= await calmly())
      expect(calm).toMatchObject({
        run: { state: 'done', found: 3, qualified: 5, countryChecked: 10, countryMatched: 5 },
        balance: 10_000 - 3,
      })
      expect(await outcome(team, id)).toEqual(calm)
    },
  )
  it('asks for no page and no profile again that it had written down [DIS-23]', async () => {
    const team = await world.team()
    const { id } = await start(team, { keywords: [seedTopic()], countries: ['Germany'] })
    world.network.clearCalls()
    await world.arm('discover.after-commit', 6)
    let deaths = 0
    while ((await runOf(team, id)).state === 'running') {
      await world.service.steps.discover().catch(() => {
        deaths += 1
      })
      await expireLeases(world)
    }
    await world.drain()
    expect([
      deaths,
      world.network.calls({ operation: 'post-search' }).length,
      world.network.calls({ operation: 'profile' }).length,
    ]).toEqual([6, 2, 10])
    expect(await runOf(team, id)).toMatchObject({ found: 5, countryChecked: 10 })
  })
  it('and was overtaken writes nothing when it wakes up [CRD-23, DIS-34]', async () => {
    const team = await world.team()
    const topic = seedTopic()
    world.network.hold({ operation: 'post-search', match: { page: '2' } })
    const { id } = await start(team, { keywords: [topic] })
    await overtake(world, { operation: 'post-search' })
    const run = await runOf(team, id)
    expect(run).toMatchObject({ state: 'done', found: 10 })
    expect(run.influencers.map((person: { postCount: number }) => person.postCount)).toEqual(
      Array.from({ length: 10 }, () => 6),
    )
    expect(await team.balance()).toBe(10_000 - 10)
  })
})

describe('vendors that fail', () => {
  it('for good end a run as failed: nobody was added, nothing charged, however many keywords it had [DIS-33]', async () => {
    const team = await world.team()
    world.network.fault({ kind: 'status_503', vendor: 'harvestapi' })
    world.network.fault({ kind: 'status_503', vendor: 'linkdapi', operation: 'search/posts' })
    const { id } = await start(team, { keywords: [seedTopic(), seedTopic(), seedTopic()] })
    await world.drain()
    for (const wait of ['15s', '1m', '5m', '20m']) {
      expect(await runOf(team, id)).toMatchObject({ state: 'running', error: null })
      await world.advance(wait)
    }
    expect(await runOf(team, id)).toMatchObject({
      state: 'failed',
      found: 0,
      qualified: 0,
      influencers: [],
      error: { code: 'provider_error', error: expect.any(String) },
      finishedAt: expect.any(String),
    })
    expect(await team.balance()).toBe(10_000)
  })
})

describe('a team that lapses', () => {
  it('has its run ended at the next checkpoint, and one that had not begun goes on when it subscribes again [DIS-33]', async () => {
    const [begun, waiting] = [await world.team(), await world.team()]
    const topic = seedTopic()
    const first = await start(begun, { keywords: [topic] })
    await world.service.steps.discover()
    const second = await start(waiting, { keywords: [topic] })
    for (const team of [begun, waiting]) await team.change({ status: 'expired' })
    world.network.clearCalls()
    await world.drain()
    expect(world.network.calls()).toEqual([])
    for (const team of [begun, waiting]) await team.change({ status: 'active' })
    expect(await runOf(begun, first.id)).toMatchObject({
      state: 'failed',
      found: 0,
      error: { code: 'subscription_inactive' },
    })
    expect(await runOf(waiting, second.id)).toMatchObject({ state: 'running' })
    await world.drain()
    expect(await runOf(waiting, second.id)).toMatchObject({ state: 'done', found: 10 })
    expect([await begun.balance(), await waiting.balance()]).toEqual([10_000, 10_000 - 10])
  })
})

describe('many runs at once', () => {
  it('of one team share the balance: together they charge no more than it holds [CRD-23, DIS-34]', async () => {
    const team = await world.team({ credits: 12 })
    const topic = seedTopic()
    const ids = await Promise.all([1, 2, 3].map(async () => (await start(team, { keywords: [topic] })).id))
    for (const _run of ids) world.beginDrain()
    await world.drain()
    const runs = await Promise.all(ids.map((id) => runOf(team, id)))
    expect([runs.reduce((sum, run) => sum + run.found, 0), await team.balance()]).toEqual([12, 0])
    for (const run of runs)
      expect(run).toMatchObject({
        state: 'done',
        qualified: 10,
        error: run.found === 10 ? null : { code: 'insufficient_enriching_credits' },
      })
    expect(handlesOf(runs[0]!).length).toBe(runs[0]!.found)
  })
})
