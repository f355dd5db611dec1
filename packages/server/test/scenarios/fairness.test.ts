/** A team with much work does not delay one with little: teams take turns, one vendor page at a time. */
import { describe, expect, it } from 'vitest'
import { jobCatalog } from '../../src/job-catalog.ts'
import { amount, sized } from '../world/amount.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { people, statusOf, track } from './sync-stage.ts'

const sources = amount(12, 40, 6)
const others = sized('LES_TEST_SMALL_TEAMS', amount(8, 20))

// Without workers: tests do one unit of work after another and count.
const world = useWorld({ config: drainOnly })

/** Posts with one like and `comments` comments each: the likes and the comments are a page each. */
const seedPages = (author: string, posts: number, comments: number): string[] =>
  Array.from({ length: posts }, () => world.network.seedPost({ author, reactions: 1, comments }).id)

/** Starts as many concurrent units of a kind as a process runs. */
const beginDrains = (kind: 'capture' | 'enrichment'): void => {
  for (let lane = 0; lane < jobCatalog[kind].concurrency; lane++) world.beginDrain()
}

describe('turns of teams', () => {
  it(`a team with ${sources} sources of three pages delays another team by no more than its turn [SYN-01, SYN-02]`, async () => {
    const big = await world.team()
    const small = await world.team({}, { beside: big })
    // One call at a time until the vendor's first answer gives its concurrency limit.
    const [earlier] = people(world, 1, 'earlier')
    world.network.seedPost({ author: earlier!, reactions: 1 })
    await track(await world.team(), earlier!, { enrichLeads: false })
    await world.drain()
    const crowd = people(world, sources, 'crowd')
    for (const author of crowd) seedPages(author, 2, 0)
    const one = world.handle('one')
    const mine = world.network.seedPost({ author: one, reactions: 120, comments: 1 }).id
    world.network.clearCalls()
    world.network.hold()
    for (const author of crowd) await track(big, author, { enrichLeads: false })
    beginDrains('capture')
    await world.network.untilWaiting(3)
    await track(small, one, { enrichLeads: false })
    world.network.release()
    await world.drain()
    const pages = world.network
      .calls()
      .filter((call) => ['profile-posts', 'post-reactions', 'post-comments'].includes(call.operation))
    const mineToo = [one, world.network.person(one)!.id, mine]
    const order = pages.map(({ query }) =>
      mineToo.some(
        (name) => [query.profilePublicIdentifier, query.profileId].includes(name) || query.post?.includes(name),
      )
        ? 'small'
        : 'big',
    )
    const turns = order.flatMap((who, at) => (who === 'small' ? [at] : []))
    // The small team's four pages (posts, two of reactions, one of comments); work claimed before it came may still go first.
    expect([turns.length, order.filter((who) => who === 'big').length]).toEqual([4, sources * 3])
    const between = turns.map((at, index) => at - (turns[index - 1] ?? 0))
    expect(Math.max(...between)).toBeLessThanOrEqual(16)
    expect((await statusOf(small, one)).capture.leadRowsCaptured).toBe(121)
    expect(await big.balance()).toBe(10_000 - sources * 2)
  })

  it('enrichment takes turns too [SYN-09]', async () => {
    const big = await world.team()
    const small = await world.team({}, { beside: big })
    const [crowd, one] = people(world, 2, 'author')
    const fan = world.handle()
    world.network.seedPost({ author: crowd!, reactions: 150 })
    world.network.seedPost({ author: one!, reactions: [{ person: fan }] })
    world.network.clearCalls()
    world.network.hold({ operation: 'profile' })
    await track(big, crowd!)
    const patience = { timeout: 30_000 }
    beginDrains('enrichment')
    // The author is looked up too, by a separate unit.
    world.beginDrain()
    await expect.poll(async () => (await statusOf(big, crowd!)).state, patience).toBe('enriching')
    // Each turn looks up eight people at once.
    await world.network.untilWaiting(2 * 8 + 1, { operation: 'profile' })
    await track(small, one!)
    const isEnriching = async () => {
      await world.service.steps.capture()
      return (await statusOf(small, one!)).state
    }
    await expect.poll(isEnriching, patience).toBe('enriching')
    world.network.release()
    await world.drain()
    const id = world.network.person(fan)!.id
    const order = world.network.calls({ operation: 'profile' }).flatMap((call) => call.query.profileId ?? [])
    expect([order.length, order.includes(id)]).toEqual([151, true])
    // After the two turns of fifty people in progress, but before what waits after those.
    expect(order.indexOf(id)).toBeLessThanOrEqual(2 * 50 + 2 * 8)
  })
})

/** Units of work until each team's source has been swept, when all are tracked at once. */
async function unitsUntilServed(teams: readonly Team[], prefix: string): Promise<number[]> {
  const authors = people(world, teams.length, prefix)
  for (const [at, author] of authors.entries()) {
    seedPages(author, 5, 1)
    await track(teams[at]!, author, { enrichLeads: false })
  }
  const done = new Map<Team, number>()
  for (let units = 1; done.size < teams.length; units++) {
    if ((await world.service.steps.capture()) === 'idle') throw new Error('idle before every team was served')
    const { rows } = await world.database.pool.query('select team_id from sync where finished_at is not null')
    for (const team of teams)
      if (!done.has(team) && rows.filter(({ team_id: id }) => id === team.id).length === finishedBefore(team) + 1)
        done.set(team, units)
  }
  for (const team of teams) sweeps.set(team, finishedBefore(team) + 1)
  return [...done.values()]
}

const sweeps = new Map<Team, number>()
const finishedBefore = (team: Team): number => sweeps.get(team) ?? 0

describe('a team with 10,000 pages in the queue', () => {
  it(`beside ${others} teams with 10 pages each does not double how long any of them waits [SYN-01, SYN-02]`, async () => {
    const teams = await Promise.all(Array.from({ length: others }, () => world.team()))
    const alone = await unitsUntilServed(teams, 'alone')
    const big = await world.team({ credits: 1_000_000 })
    const now = '2026-11-21T09:00:00.000Z'
    // A thousand sources with ten pages each, all queued before anybody else comes.
    await world.database.pool.query(
      `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at, next_sync_at)
        select $1, gen_random_uuid(), 'person', 'mountain-' || n, sha256(('mountain-' || n)::bytea), 'active',
          'engagers', true, false, $2, $2::timestamptz + interval '1 day' from generate_series(1, 1000) n`,
      [big.id, now],
    )
    await world.database.pool.query(
      `with runs as (
        insert into sync (team_id, id, source_id, trigger, state, settings, cursor, due_at, created_at)
        select $1, gen_random_uuid(), id, 'track', 'queued', '{}', '{"phase":"posts","at":null,"listed":[],"pages":0}',
          $2, $2 from source where team_id = $1 returning id, source_id)
      update source set open_sync_id = runs.id from runs where source.team_id = $1 and source.id = runs.source_id`,
      [big.id, now],
    )
    const beside = await unitsUntilServed(teams, 'beside')
    expect(Math.max(...beside)).toBeLessThanOrEqual(2 * Math.max(...alone))
    const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length
    expect(mean(beside)).toBeLessThanOrEqual(2 * mean(alone))
  }, 1_200_000)
})
