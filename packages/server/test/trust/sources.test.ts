/** What sources pay for twice, what they miss, and how fast they deliver (LDG-08..LDG-10). */
import { describe, expect, it } from 'vitest'
import { likes, people, sourceOf, sweep, track } from '../scenarios/sync-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** Tracks authors whose posts these people react to; returns the ids of the sources. */
async function tracked(team: Team, fans: readonly (readonly string[])[]): Promise<string[]> {
  const ids = []
  for (const each of fans) {
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(each), comments: [] })
    await sweep(world, team, author)
    ids.push((await sourceOf(team, author)).id)
  }
  return ids
}

describe('overlap', () => {
  it('pairs active sources by whom both have captured, the largest first [LDG-08]', async () => {
    const team = await world.team({ credits: 100 })
    const [ann, ben, cat, dan, eve] = people(world, 5) as [string, string, string, string, string]
    const [a, b, c] = await tracked(team, [
      [ann, ben, cat, dan],
      [ann, ben, cat, eve],
      [eve, ann],
    ])
    const { body } = await team.get('/sources/overlap')
    const pair = (...ids: (string | undefined)[]) => ids.sort()
    expect(body.pairs.map((each: any) => [pair(each.a, each.b), each.people, each.creditsPaidTwice])).toEqual([
      [pair(a, b), 3, 3],
      [pair(b, c), 2, 2],
      [pair(a, c), 1, 1],
    ])
    expect(body.sources).toEqual([
      { sourceId: b, savedIfStopped: 4 },
      { sourceId: a, savedIfStopped: 3 },
      { sourceId: c, savedIfStopped: 2 },
    ])
  })

  it('leaves out charges that were given back, sources that are stopped, and, of savings, what is older than 30 days [LDG-08]', async () => {
    const team = await world.team({ credits: 100 })
    const fans = people(world, 3)
    const [a, b, c] = await tracked(team, [fans, fans, fans])
    const { entries } = (await team.get(`/credits/ledger?kind=charge&sourceId=${a}`)).body
    await team.post('/credits/disputes', { entryId: entries[0].id, reason: 'duplicate' })
    await team.del(`/profile/${(await team.get('/sources')).body.sources.find(({ id }: any) => id === c).username}`)
    const overlap = async () => (await team.get('/sources/overlap')).body
    expect((await overlap()).pairs).toMatchObject([{ people: 3, creditsPaidTwice: 2 }])
    expect((await overlap()).sources.map((each: any) => each.savedIfStopped)).toEqual([2, 2])
    await world.move('31d')
    expect((await overlap()).pairs).toMatchObject([{ people: 3 }])
    expect((await overlap()).sources.map((each: any) => each.savedIfStopped)).toEqual([0, 0])
    expect(new Set((await overlap()).sources.map((each: any) => each.sourceId))).toEqual(new Set([a, b]))
  })
})

describe('coverage', () => {
  const coverageOf = async (team: Team, author: string, query = '') => {
    const { status, body, text } = await team.get(`/sources/${(await sourceOf(team, author)).id}/coverage${query}`)
    expect(status, text).toBe(200)
    return body
  }
  it('says of a post that was read to its end that what is missing is lost: company pages and the author [LDG-09]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    world.network.seedPost({
      author,
      reactions: [...likes(people(world, 3)), { person: { company: 'acme' } }],
      comments: [{ person: author, text: 'Thanks' }],
    })
    world.network.seedPost({ author, reactions: likes(people(world, 2)), comments: [] })
    await sweep(world, team, author)
    const { posts, ...page } = await coverageOf(team, author)
    expect(page).toEqual({ total: 2, limit: 50, offset: 0, hasMore: false })
    expect(posts.map(({ postUrl: _, ...post }: any) => post)).toEqual(
      expect.arrayContaining([
        { declared: 5, captured: 3, heldBackBy: 'lost', missing: 2, creditsToGetMissing: null },
        { declared: 2, captured: 2, heldBackBy: null, missing: 0, creditsToGetMissing: 0 },
      ]),
    )
    expect((await coverageOf(team, author, '?limit=1&offset=1')).posts).toEqual([posts[1]])
  })

  it('says what credits would bring of what a cap or the balance kept out, and no more once they did [LDG-09]', async () => {
    const [team, author] = [await world.team({ credits: 4 }), world.handle('author')]
    world.network.seedPost({ author, reactions: likes(people(world, 9)), comments: [] })
    await sweep(world, team, author)
    expect((await coverageOf(team, author)).posts).toMatchObject([
      { declared: 9, captured: 4, heldBackBy: 'credits', missing: 5, creditsToGetMissing: 5 },
    ])
    await team.change({ grantCredits: 100 })
    expect((await team.post(`/sources/${(await sourceOf(team, author)).id}/sync`)).status).toBe(200)
    await world.drain()
    expect((await coverageOf(team, author)).posts).toMatchObject([
      { declared: 9, captured: 9, heldBackBy: null, missing: 0, creditsToGetMissing: 0 },
    ])
  })

  it('says what vendors do not serve of a post that declares more [LDG-09]', async () => {
    const [team, author] = [await world.team({ credits: 5_000 }), world.handle('author')]
    world.network.seedPost({ author, declaredReactions: 300, reactions: 40, comments: [] })
    await sweep(world, team, author, { enrichLeads: false })
    expect((await coverageOf(team, author)).posts).toMatchObject([
      { declared: 300, heldBackBy: 'provider_limit', creditsToGetMissing: null },
    ])
  })

  it('of a source that is none of the team is 404 [LDG-09]', async () => {
    const team = await world.team()
    for (const id of [crypto.randomUUID(), 'x']) expect((await team.get(`/sources/${id}/coverage`)).status).toBe(404)
  })
})

describe('freshness', () => {
  it('is the time from a comment newer than the tracking to its lead, its enrichment and its delivery [LDG-10]', async () => {
    const [team, author, inbox] = [await world.team({ credits: 100 }), world.handle('author'), await world.inbox()]
    const [ann, ben, cat] = people(world, 3) as [string, string, string]
    world.network.seedPerson({ handle: author, posts: [] })
    await track(team, author)
    await world.drain()
    const source = await sourceOf(team, author)
    await team.put(`/sources/${source.id}/webhook`, { webhookUrl: inbox.url })
    const begun = (await world.now()).getTime()
    const at = (minutes: number) => new Date(begun + minutes * 60_000).toISOString()
    world.network.seedPost({
      author,
      postedAt: at(10),
      reactions: likes([cat]),
      comments: [
        { person: ann, text: 'Early', at: at(20) },
        { person: ben, text: 'Late', at: at(50) },
        { person: cat, text: 'Before anybody tracked it', at: at(-10) },
      ],
    })
    await world.move('1h')
    expect((await team.post(`/sources/${source.id}/sync`)).status).toBe(200)
    await world.drain()
    const figures = {
      engagementToCaptured: { p50: 25 * 60, p95: (10 + 30 * 0.95) * 60 },
      capturedToEnriched: { p50: 0, p95: 0 },
      enrichedToDelivered: { p50: 0, p95: 0 },
    }
    expect((await team.get('/freshness')).body).toEqual({
      team: figures,
      sources: [{ sourceId: source.id, ...figures }],
    })
    await world.move('8d')
    const none = { engagementToCaptured: null, capturedToEnriched: null, enrichedToDelivered: null }
    expect((await team.get('/freshness')).body).toEqual({ team: none, sources: [{ sourceId: source.id, ...none }] })
  })
})
