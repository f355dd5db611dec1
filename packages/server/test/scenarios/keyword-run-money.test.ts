/** What a keyword search may spend (its cap, the team's daily ceiling, the balance), and posts-only searches. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  onlySeeded,
  rowOf,
  rowsOf,
  run,
  runAgain,
  runsOf,
  search,
  searchCalls,
  seedFans,
  statusOf,
  topic,
} from './keyword-run-stage.ts'
import { likes, people, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const seedPosts = (word: string, count: number) => Array.from({ length: count }, () => seedFans(world, word, 1))
const credit = (team: { change(change: Record<string, unknown>): Promise<unknown> }, grantCredits: number) =>
  team.change({ grantCredits })

describe('the balance', () => {
  it('that runs out ends the run budget, uncounted; sweeps are then skipped until credits return [CRD-33, KRN-10, KRN-16]', async () => {
    const [team, word] = [await world.team({ credits: 3 }), topic(world)]
    seedFans(world, word, 5)
    const first = await run(world, team, { keyword: word })
    expect([first.lastRun, first.schedule.runsCompleted]).toMatchObject([{ stoppedBy: 'budget', creditsSpent: 3 }, 0])
    expect(await statusOf(team, first.id)).toMatchObject({
      state: 'completed',
      stoppedBy: 'budget',
      errorCode: 'insufficient_enriching_credits',
      capture: { stoppedBy: null },
    })
    await runAgain(world, team, first.id)
    await runAgain(world, team, first.id)
    expect([
      await runsOf(world, first.id),
      (await rowOf(team, first.id)).schedule.runsCompleted,
      await team.balance(),
    ]).toEqual([1, 0, 0])
    await credit(team, 10)
    await world.drain()
    const back = await rowOf(team, first.id)
    expect([back.lastRun, back.schedule.runsCompleted, await runsOf(world, first.id)]).toMatchObject([
      { stoppedBy: 'exhausted', creditsSpent: 2 },
      1,
      2,
    ])
  })

  it('that ran out midway keeps a search due that is tracked again: it runs once there are credits [CRD-33, KRN-10]', async () => {
    const [team, word] = [await world.team({ credits: 3 }), topic(world)]
    seedFans(world, word, 5)
    const { id } = await run(world, team, { keyword: word })
    const again = await search(team, { keyword: word })
    expect([again.id, again.syncId, again.syncNotQueuedReason]).toEqual([
      id,
      null,
      expect.stringContaining('runs as soon as there are some'),
    ])
    await world.drain()
    expect(await runsOf(world, id)).toBe(1)
    await credit(team, 10)
    await world.drain()
    expect([await runsOf(world, id), (await rowOf(team, id)).lastRun]).toMatchObject([2, { creditsSpent: 2 }])
  })

  it('of 0 keeps a new search from running, and asks nobody anything [CRD-33]', async () => {
    const [team, word] = [await world.team({ credits: 0 }), topic(world)]
    seedFans(world, word, 2)
    const made = await search(team, { keyword: word })
    await world.drain()
    expect([
      made.syncId,
      await runsOf(world, made.id),
      searchCalls(world, word),
      (await rowOf(team, made.id)).lastRun,
    ]).toEqual([null, 0, [], undefined])
    await credit(team, 5)
    await world.drain()
    expect((await rowOf(team, made.id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 2 })
  })

  it('that another run has emptied before the first page ends the run budget at once [CRD-33, KRN-10]', async () => {
    const [team, word, author] = [await world.team({ credits: 2 }), topic(world), world.handle('author')]
    world.network.seedPost({ author, text: 'Elsewhere', reactions: likes(people(world, 2)), comments: [] })
    world.network.fault({ kind: 'status_503', operation: 'post-search', match: { search: word } })
    world.network.fault({ kind: 'status_503', operation: 'search/posts', match: { keyword: word } })
    const { id } = await search(team, { keyword: word })
    await world.drain()
    await track(team, author, { enrichLeads: false })
    await world.drain()
    world.network.clearFaults()
    await world.advance('15s')
    expect([(await rowOf(team, id)).lastRun, await team.balance()]).toMatchObject([
      { stoppedBy: 'budget', creditsSpent: 0, postsScanned: 0 },
      0,
    ])
  })
})

describe("the team's daily ceiling", () => {
  it('counts people of keyword searches only, of all of the UTC day, and ends runs team_cap, counted [KRN-14, KRN-16, KRN-10, G76]', async () => {
    const [team, one, two, author] = [
      await world.team({ keywordDailyCeiling: 4 }),
      topic(world),
      topic(world),
      world.handle('author'),
    ]
    world.network.seedPost({ author, text: 'Elsewhere', reactions: likes(people(world, 6)), comments: [] })
    await track(team, author, { enrichLeads: false })
    await world.drain()
    for (const text of [one, two]) {
      const fans = people(world, 3)
      const comments = fans.map((person) => ({ person, text: 'Yes' }))
      world.network.seedPost({ author: world.handle('author'), text, reactions: likes(fans), comments })
    }
    expect((await run(world, team, { keyword: one })).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 3,
    })
    const capped = await run(world, team, { keyword: two })
    expect([capped.lastRun, capped.schedule.runsCompleted]).toMatchObject([
      { stoppedBy: 'team_cap', creditsSpent: 1 },
      1,
    ])
    const third = topic(world)
    seedFans(world, third, 1)
    const none = await run(world, team, { keyword: third })
    expect([none.lastRun, searchCalls(world, third)]).toMatchObject([
      { stoppedBy: 'team_cap', creditsSpent: 0, postsScanned: 0 },
      [],
    ])
    expect((await runAgain(world, team, capped.id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 2 })
    expect(await team.balance()).toBe(10_000 - 6 - 7)
  })
})

describe('a posts-only search', () => {
  const watch = { mode: 'posts_only', postsPerSync: 2 } as const

  it('stores up to postsPerSync new posts a run, a credit each, captures nobody [KRN-15, KRN-13, CRD-19, WHK-11, SYN-03]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    const inbox = await world.inbox()
    seedPosts(word, 3)
    world.network.hold({ operation: 'post-search', match: { search: word } })
    const { id } = await search(team, { keyword: word, ...watch })
    await team.put(`/keyword/${id}/webhook`, { webhookUrl: inbox.url })
    world.network.release()
    await world.drain()
    const first = await rowOf(team, id)
    expect([first.lastRun, first.schedule.runsCompleted]).toMatchObject([
      { stoppedBy: 'post_limit', creditsSpent: 2, postsFetched: 2, engagersSeen: 0 },
      1,
    ])
    expect((await team.get(`/sources/${id}/posts`)).body).toMatchObject({
      total: 2,
      posts: [{ text: word, author: { name: expect.any(String) } }, { text: word }],
    })
    expect(inbox.received.map(({ body }) => [body.event, body.source.type])).toEqual([
      ['post.detected', 'keyword'],
      ['post.detected', 'keyword'],
    ])
    expect((await runAgain(world, team, id)).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 1,
      postsFetched: 1,
    })
    expect((await runAgain(world, team, id)).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 0,
      postsFetched: 0,
    })
    expect([(await rowsOf(world, team, id)).length, await team.balance(), inbox.received.length]).toEqual([
      0,
      10_000 - 3,
      3,
    ])
  })

  it('is exhausted when there are as many, bound by the smaller of both caps [KRN-15, CRD-20, KRN-11, KRN-12]', async () => {
    const [team, exact, capped] = [await world.team(), topic(world), topic(world)]
    seedPosts(exact, 2)
    seedPosts(capped, 3)
    expect((await run(world, team, { keyword: exact, ...watch })).lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 2,
    })
    expect((await run(world, team, { keyword: capped, ...watch, creditCap: 1 })).lastRun).toMatchObject({
      stoppedBy: 'credits',
      creditsSpent: 1,
      postsFetched: 1,
    })
  })

  it('stops where the balance or the day of the team ends [KRN-14, CRD-33]', async () => {
    const [poor, bound, word] = [
      await world.team({ credits: 1 }),
      await world.team({ keywordDailyCeiling: 1 }),
      topic(world),
    ]
    seedPosts(word, 2)
    expect((await run(world, poor, { keyword: word, ...watch })).lastRun).toMatchObject({
      stoppedBy: 'budget',
      creditsSpent: 1,
    })
    expect((await run(world, bound, { keyword: word, ...watch })).lastRun).toMatchObject({
      stoppedBy: 'team_cap',
      creditsSpent: 1,
    })
  })
})
