/** Breadth: the posts of a run take turns, each with an equal share of what is left, and no page is bought twice (G148). */
import { beforeAll, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { onlySeeded, rowOf, rowsOf, run, runAgain, search, seedFans, topic, urn } from './keyword-run-stage.ts'
import { likes, overtake, people, workThrough } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const seedPosts = (word: string, sizes: readonly number[]) => sizes.map((size) => seedFans(world, word, size))

async function perPost(team: Team, id: string, posts: readonly { readonly id: string }[]): Promise<number[]> {
  const rows = await rowsOf(world, team, id)
  return posts.map((post) => rows.filter((row) => row.post_urn === urn(post.id)).length)
}

const pagesOf = (posts: readonly { readonly id: string }[]): number[] => {
  const calls = world.network
    .calls({ vendor: 'harvestapi' })
    .filter((call) => /reactions|comments|replies/.test(call.operation))
  return posts.map((post) => calls.filter((call) => JSON.stringify(call.query).includes(post.id)).length)
}

it('every post gets a share of creditCap before any gets a second: of 20 none of thirty takes two [KRN-07, KEY-36, G148]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  const posts = seedPosts(
    word,
    Array.from({ length: 30 }, () => 40),
  )
  world.network.clearCalls()
  const row = await run(world, team, { keyword: word, creditCap: 20, captureMode: 'breadth' })
  const counts = await perPost(team, row.id, posts)
  expect([
    row.lastRun,
    counts.filter((count) => count === 1).length,
    counts.filter((count) => count > 1),
  ]).toMatchObject([{ stoppedBy: 'credits', creditsSpent: 20 }, 20, []])
  expect(Math.max(...pagesOf(posts))).toBe(1)
})

it('what is left of a page is kept for the next turn, not bought again; what a post leaves is the others’ [KRN-07, G148]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  const posts = seedPosts(word, [60, 60, 2])
  world.network.clearCalls()
  const row = await run(world, team, { keyword: word, creditCap: 62, captureMode: 'breadth' })
  const [first, second, small] = await perPost(team, row.id, posts)
  expect([small, first! + second!, Math.abs(first! - second!) <= 2]).toEqual([2, 60, true])
  expect([row.lastRun, pagesOf(posts)]).toMatchObject([
    { stoppedBy: 'credits', creditsSpent: 62, engagersSeen: 122 },
    [1, 1, 1],
  ])
})

it('with maxEngagementsPerPost no post takes more than that, however large its share [KRN-07, KEY-37, G148]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  const posts = seedPosts(word, [50, 50, 3, 50])
  world.network.clearCalls()
  const row = await run(world, team, { keyword: word, creditCap: 12, captureMode: 'breadth', maxEngagementsPerPost: 2 })
  expect([await perPost(team, row.id, posts), row.lastRun, pagesOf(posts)]).toMatchObject([
    [2, 2, 2, 2],
    { stoppedBy: 'exhausted', creditsSpent: 8 },
    [1, 1, 1, 1],
  ])
})

it(
  'pages longer than a share are gone through to their end, and every next page after it: the run stores what ' +
    'depth stores, for the same pages [KRN-07, KRN-08, G148]',
  async () => {
    const word = topic(world)
    const fans = people(world, 3)
    const threads = fans.map((person) => ({
      person,
      text: 'Good',
      replies: people(world, 12).map((each) => ({ person: each, text: 'So it is' })),
    }))
    const posts = [1, 2, 3].map(() =>
      world.network.seedPost({
        author: world.handle('author'),
        text: word,
        reactions: likes(people(world, 105)),
        comments: threads,
      }),
    )
    const outcomes = []
    for (const captureMode of ['depth', 'breadth'] as const) {
      const team = await world.team()
      world.network.clearCalls()
      // A cap equal to the number of people, so that the first shares are small.
      const row = await run(world, team, { keyword: word, creditCap: 354, captureMode })
      const { syncId: _sync, ...lastRun } = row.lastRun
      outcomes.push({
        lastRun: { stoppedBy: lastRun.stoppedBy, creditsSpent: lastRun.creditsSpent },
        pages: pagesOf(posts),
        rows: (await rowsOf(world, team, row.id))
          .map((each) => `${each.engagement_type} ${each.person_urn} ${each.post_urn}`)
          .sort(),
      })
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[0]).toMatchObject({
      lastRun: { stoppedBy: 'exhausted', creditsSpent: 354 },
      rows: { length: 3 * (105 + 3 * 13) },
    })
  },
)

it('a page of people who are stored already is no turn: its post is read on to the next, which gets its share [KRN-07, G148]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  const [old] = seedPosts(word, [150])
  const { id } = await run(world, team, { keyword: word, creditCap: 100, captureMode: 'breadth' })
  expect(await perPost(team, id, [old!])).toEqual([100])
  const fresh = seedPosts(word, [20, 20, 20])
  await team.call('PATCH', `/keyword/${id}`, { creditCap: 4 })
  await runAgain(world, team, id)
  // In any order of the posts.
  expect(await perPost(team, id, [old!, ...fresh])).toEqual([101, 1, 1, 1])
})

it.each(['capture.charged', 'capture.after-commit'] as const)(
  'a run that dies at %s, in its turns too, leaves what an undisturbed one leaves [KRN-02, CRD-19, G148]',
  async (point) => {
    const word = topic(world)
    const posts = seedPosts(word, [9, 7, 2, 9])
    const settings = { keyword: word, creditCap: 20, captureMode: 'breadth' }
    const outcome = async (team: Team, id: string) => ({
      counts: await perPost(team, id, posts),
      spent: (await rowOf(team, id)).lastRun.creditsSpent,
      balance: await team.balance(),
    })
    const calm = await world.team()
    const expected = await outcome(calm, (await run(world, calm, settings)).id)
    const team = await world.team()
    await world.arm(point, 3)
    const { id } = await search(team, settings)
    await workThrough(world, point, 3)
    await world.drain()
    expect(await outcome(team, id)).toEqual(expected)
  },
)

it('a worker that was overtaken with a page writes nothing of its share nor of the rest [KRN-02, CRD-19, G148]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  const posts = seedPosts(word, [30, 30])
  const match = { operation: 'post-reactions' }
  world.network.hold(match)
  const { id } = await search(team, { keyword: word, creditCap: 20, captureMode: 'breadth' })
  await overtake(world, match)
  expect([await perPost(team, id, posts), (await rowOf(team, id)).lastRun.creditsSpent, await team.balance()]).toEqual([
    [10, 10],
    20,
    expect.any(Number),
  ])
})
