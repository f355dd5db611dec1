/** What tracking promised is captured once it can be paid, and only once, however often credits run out. */
import { describe, expect, it } from 'vitest'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { daysAgo, leadsOf, likes, people, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function prolific(posts: number, author = world.handle('author')): Promise<{ author: string; fans: string[] }> {
  const fans = people(world, posts)
  for (const [index, fan] of fans.entries())
    world.network.seedPost({ author, postedAt: await daysAgo(world, index + 1), reactions: likes([fan]) })
  return { author, fans }
}

const runsOf = async (team: Team): Promise<number> =>
  Number((await world.database.pool.query('select count(*) from sync where team_id = $1', [team.id])).rows[0].count)
const handlesOf = (rows: readonly Answer['body'][]): string[] =>
  rows.map((row) => row.linkedinUrl.split('/').at(-1)).sort()

describe('a first sync that the empty balance ended', () => {
  it(
    'is still to be made: every run reads its window until all of it is captured, each person once, and only then ' +
      'the newest posts [G144, SYN-04, ENR-35, CRD-14]',
    async () => {
      const team = await world.team({ credits: 3 })
      const { author, fans } = await prolific(12)
      const first = await sweep(world, team, author, { firstSyncPosts: 10 })
      expect(first).toMatchObject({
        state: 'completed',
        errorCode: 'insufficient_enriching_credits',
        capture: { stoppedBy: 'credits', creditsSpent: 3 },
      })
      for (const [granted, leads] of [
        [4, 7],
        [1, 8],
        [100, 10],
      ] as const) {
        await team.change({ grantCredits: granted })
        await world.advance('25h')
        expect([(await leadsOf(team, author)).length, (await statusOf(team, author)).progress.postsTotal]).toEqual([
          leads,
          10,
        ])
      }
      expect(handlesOf(await leadsOf(team, author))).toEqual(fans.slice(0, 10).toSorted())
      expect([await team.balance(), (await statusOf(team, author)).capture]).toMatchObject([
        98,
        { stoppedBy: 'exhausted', creditsSpent: 2 },
      ])
      await world.advance('25h')
      expect((await statusOf(team, author)).progress.postsTotal).toBe(4)
      expect(await team.balance()).toBe(98)
    },
  )

  it('goes on with the posts it was not done with although newer ones have pushed them out of the window [G144, ENR-35]', async () => {
    const team = await world.team({ credits: 2 })
    const { author, fans } = await prolific(5)
    await sweep(world, team, author, { firstSyncPosts: 5 })
    expect(await leadsOf(team, author)).toHaveLength(2)
    await world.move('10d')
    const { fans: later } = await prolific(6, author)
    await team.change({ grantCredits: 1 })
    await world.drain()
    expect(handlesOf(await leadsOf(team, author))).toEqual([...fans.slice(0, 2), later[0]].toSorted())
    await team.change({ grantCredits: 100 })
    await world.advance('25h')
    expect(handlesOf(await leadsOf(team, author))).toEqual([...fans, ...later.slice(0, 5)].toSorted())
    expect(await team.balance()).toBe(103 - 10)
    await world.advance('25h')
    expect([(await statusOf(team, author)).progress.postsTotal, await team.balance()]).toEqual([4, 93])
  })

  it('goes on within the days that were asked for when tracking, not within those before a later run [G144, ENR-38]', async () => {
    const team = await world.team({ credits: 1 })
    const { author, fans } = await prolific(9)
    await sweep(world, team, author, { firstSyncDays: 7 })
    await world.move('30d')
    await team.change({ grantCredits: 50 })
    await world.drain()
    const captured = handlesOf(await leadsOf(team, author))
    expect([captured, captured.length >= 6, captured.length < 9]).toEqual([
      fans.slice(0, captured.length).toSorted(),
      true,
      true,
    ])
  })

  it('goes on also after a run that the network failed in between, and charges nobody twice [G144, SYN-23]', async () => {
    const team = await world.team({ credits: 2 })
    const { author, fans } = await prolific(6)
    await sweep(world, team, author, { firstSyncPosts: 6 })
    await team.change({ grantCredits: 100 })
    world.network.fault({ kind: 'status_500' })
    await world.advance('25h')
    for (const wait of ['15s', '60s', '5m', '20m']) await world.advance(wait)
    expect(await statusOf(team, author)).toMatchObject({ state: 'failed', errorCode: 'provider_error' })
    world.network.clearFaults()
    await prolific(7, author)
    await world.advance('25h')
    const captured = handlesOf(await leadsOf(team, author))
    expect(captured).toEqual(expect.arrayContaining(fans))
    expect([new Set(captured).size, await team.balance()]).toEqual([captured.length, 102 - captured.length])
  })

  it('queues a sync when the source is tracked again, of a post and of a company as well [G144, ENR-45, TRK-38, POS-16]', async () => {
    const [team, slug] = [await world.team({ credits: 1 }), world.handle('acme')]
    const fans = people(world, 3)
    world.network.seedPost({ author: { company: slug }, reactions: likes(fans) })
    expect((await sweep(world, team, slug, {}, 'company')).errorCode).toBe('insufficient_enriching_credits')
    await team.change({ grantCredits: 10 })
    expect((await track(team, slug, {}, 'company')).syncId).toEqual(expect.any(String))
    await world.drain()
    expect(await leadsOf(team, slug)).toHaveLength(3)
    expect(await track(team, slug, {}, 'company')).toMatchObject({
      syncId: null,
      syncNotQueuedReason: expect.stringContaining('next scheduled run'),
    })

    const other = await world.team({ credits: 1 })
    const post = world.network.seedPost({ author: world.handle('author'), reactions: likes(people(world, 3)) })
    const send = () => other.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })
    expect((await send()).body.syncId).toEqual(expect.any(String))
    await world.drain()
    await other.change({ grantCredits: 10 })
    expect((await send()).body.syncId).toEqual(expect.any(String))
    await world.drain()
    expect([(await other.get('/leads')).body.total, await other.balance()]).toEqual([3, 8])
  })

  it(
    'is called what it is where sources are listed: budget with its code, no cap that the source does not have; a ' +
      'cap stays a cap [G17, SYN-19]',
    async () => {
      const team = await world.team({ credits: 3 })
      const { author } = await prolific(5)
      const capped = world.handle('author')
      world.network.seedPost({ author: capped, reactions: likes(people(world, 2)) })
      await sweep(world, team, capped, { creditCapPerSync: 1 })
      await sweep(world, team, author)
      expect((await sourceOf(team, author)).lastRun).toMatchObject({
        stoppedBy: 'budget',
        errorCode: 'insufficient_enriching_credits',
        creditsSpent: 2,
      })
      expect((await sourceOf(team, capped)).lastRun).toMatchObject({
        stoppedBy: 'credit_cap',
        errorCode: null,
        creditsSpent: 1,
      })
    },
  )
})

describe('tracking without credits', () => {
  type Tracking = { readonly path: string; readonly body: Record<string, unknown> }
  const six = () => likes(people(world, 6))
  const kinds: Readonly<Record<string, () => Promise<Tracking>>> = {
    'a person': async () => {
      const { author } = await prolific(6)
      return { path: '/enrich/profile', body: { username: author, saveTrackedProfile: true, firstSyncPosts: 6 } }
    },
    'a post': async () => {
      const { id } = world.network.seedPost({ author: world.handle('author'), reactions: six() })
      return { path: '/post/track', body: { postUrl: `urn:li:activity:${id}` } }
    },
    'a keyword search': async () => {
      const word = world.handle('topic')
      const [author, postedAt] = [world.handle('author'), await daysAgo(world, 1)]
      world.network.seedPost({ author, text: `about ${word}`, postedAt, reactions: six() })
      const scope = { creditCap: 50, captureMode: 'depth', datePosted: 'PAST_WEEK', confirmSpend: true }
      return { path: '/keyword/track', body: { keyword: word, ...scope } }
    },
  }

  it.each(Object.entries(kinds))(
    'makes %s, opens no run and says so; the first sync is made when there are credits, with no further call [G144, G16, ENR-43]',
    async (_kind, request) => {
      const team = await world.team({ credits: 0 })
      const { path, body } = await request()
      const answer = await team.post(path, body)
      expect([200, 201]).toContain(answer.status)
      expect(answer.body).toMatchObject({
        syncId: null,
        syncNotQueuedReason: expect.stringMatching(/^No enriching credits are left/),
      })
      await world.drain()
      const [source] = (await team.get('/sources')).body.sources
      expect([
        source.status,
        Date.parse(source.nextSyncAt) <= (await world.now()).getTime(),
        source.lastRun,
        await runsOf(team),
      ]).toEqual(['active', true, undefined, 0])
      expect((await team.get(`/sources/${source.id}/sync`)).body).toMatchObject({ state: 'idle', isFinal: true })
      // Days later, still without credits, nothing has run, and the answer is the same.
      await world.advance('3d')
      expect((await team.post(path, body)).body).toMatchObject({
        syncId: null,
        syncNotQueuedReason: expect.stringMatching(/^No enriching credits are left/),
      })
      expect(await runsOf(team)).toBe(0)
      await team.change({ grantCredits: 100 })
      await world.drain()
      expect([
        await runsOf(team),
        (await team.get(`/leads?profileId=${source.id}`)).body.total,
        await team.balance(),
      ]).toEqual([1, 6, 94])
    },
  )

  it('again before the first sync makes it due at once, as does reviving; one under way is answered as ever [G144, TRK-38]', async () => {
    const team = await world.team({ credits: 1 })
    const { author } = await prolific(3)
    const { syncId } = await track(team, author)
    await team.change({ credits: 0 })
    expect(await track(team, author)).toMatchObject({ syncId })
    await world.drain()
    expect((await track(team, author)).syncId).toBeNull()
    await team.change({ grantCredits: 5 })
    await world.drain()
    expect(await leadsOf(team, author)).toHaveLength(3)

    const spent = await world.team({ credits: 3 })
    await sweep(world, spent, author)
    await spent.del(`/profile/${author}`)
    expect(await track(spent, author)).toMatchObject({
      syncId: null,
      syncNotQueuedReason: expect.stringMatching(/^No enriching credits are left/),
    })
    expect(await sourceOf(spent, author)).toMatchObject({
      status: 'active',
      nextSyncAt: (await world.now()).toISOString(),
    })
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await spent.change({ grantCredits: 5 })
    await world.drain()
    expect([(await leadsOf(spent, author)).length, await spent.balance()]).toEqual([4, 4])
  })
})
