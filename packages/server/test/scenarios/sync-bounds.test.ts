import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  daysAgo,
  leadsOf,
  likes,
  people,
  resweep,
  sourceOf,
  statusOf,
  sweep,
  teamAndPost,
  track,
} from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function prolific(count: number, daysApart = 0.1): Promise<{ author: string; fans: string[] }> {
  const author = world.handle('author')
  const fans = people(world, count)
  const now = (await world.now()).getTime()
  for (const [at, person] of fans.entries())
    world.network.seedPost({
      author,
      postedAt: new Date(now - (at + 1) * daysApart * 86_400_000).toISOString(),
      reactions: [{ person }],
    })
  return { author, fans }
}

const namesOf = (leads: { linkedinUrl: string }[]): string[] =>
  leads.map((lead) => lead.linkedinUrl.split('/').at(-1)!).sort()

describe('how far a sync reads', () => {
  it('the first sync reads the 15 newest posts and later ones the 4 newest [SYN-04, ENR-35]', async () => {
    const team = await world.team()
    const { author, fans } = await prolific(18)
    const first = await sweep(world, team, author)
    expect(first.progress).toMatchObject({ postsTotal: 15, postsProcessed: 15, leadsCaptured: 15 })
    expect(namesOf(await leadsOf(team, author))).toEqual(fans.slice(0, 15).sort())
    const second = await resweep(world, team, author)
    expect([second.progress.postsTotal, second.progress.leadsCaptured, second.capture.creditsSpent]).toEqual([4, 0, 0])
  })

  it.each([
    [6, { firstSyncPosts: 2 }, 2],
    [10, { firstSyncDays: 30, firstSyncPosts: 3 }, 3],
  ])(
    'of %i posts the first sync reads by %j the newest %i, later ones 4 [ENR-35, ENR-38, SYN-04]',
    async (posts, settings, read) => {
      const [team, { author }] = [await world.team(), await prolific(posts)]
      expect((await sweep(world, team, author, { ...settings, enrichLeads: false })).progress.postsTotal).toBe(read)
      expect((await resweep(world, team, author)).progress.postsTotal).toBe(4)
    },
  )

  it('counts posts over all pages of a listing: of 67 on five pages among what is passed on, the newest 50 [ENR-35, SYN-04]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const other = world.network.seedPost({ author: world.handle('other'), reactions: 0, comments: 0 }).id
    const now = (await world.now()).getTime()
    // Every third post is the author's own: 16 or 17 on each page of fifty, so the third page completes fifty.
    const posts = Array.from({ length: 201 }, (_, at) => ({
      ...(at % 3 === 0 ? {} : { text: '', repostOf: other }),
      postedAt: new Date(now - (at + 1) * 60_000).toISOString(),
      reactions: 0,
      comments: 0,
    }))
    world.network.seedPerson({ handle: author, posts })
    expect((await sweep(world, team, author, { firstSyncPosts: 50 })).progress.postsTotal).toBe(50)
  })

  it('leaves an author who only shares posts of others after twelve pages of them [SYN-04]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const other = world.network.seedPost({ author: world.handle('other'), reactions: 0, comments: 0 }).id
    const now = (await world.now()).getTime()
    // Pages of fifty: the author's only own post is on the thirteenth.
    const posts = Array.from({ length: 610 }, (_, at) => ({
      ...(at === 605 ? {} : { text: '', repostOf: other }),
      postedAt: new Date(now - (at + 1) * 60_000).toISOString(),
      reactions: 0,
      comments: 0,
    }))
    world.network.seedPerson({ handle: author, posts })
    world.network.clearCalls()
    expect((await sweep(world, team, author)).progress.postsTotal).toBe(0)
    expect(world.network.calls({ operation: 'profile-posts' })).toHaveLength(12)
  })

  it('firstSyncDays reads the posts of those days, undated ones left out [ENR-38, ENR-39]', async () => {
    const team = await world.team()
    const { author, fans } = await prolific(9, 2)
    world.network.seedPost({ author, postedAt: null, reactions: likes(people(world, 1)) })
    const status = await sweep(world, team, author, { firstSyncDays: 7 })
    expect(status.progress.postsTotal).toBe(3)
    expect(namesOf(await leadsOf(team, author))).toEqual(fans.slice(0, 3).sort())
  })

  it('an undated post counts without a limit of days [ENR-40]', async () => {
    const [team, { author }] = [await world.team(), await prolific(2, 300)]
    world.network.seedPost({ author, postedAt: null, reactions: likes(people(world, 1)) })
    expect((await sweep(world, team, author)).progress.postsTotal).toBe(3)
  })

  it('replies are captured unless captureReplies is false [SYN-02, TRK-45]', async () => {
    const team = await world.team()
    const [author, other] = people(world, 2, 'author')
    const [asker, answerer] = people(world, 2)
    for (const writer of [author!, other!])
      world.network.seedPost({
        author: writer,
        comments: [{ person: asker!, text: 'Why?', replies: [{ person: answerer!, text: 'Because' }] }],
      })
    await sweep(world, team, author!)
    await sweep(world, team, other!, { captureReplies: false })
    expect((await leadsOf(team, author!)).map((lead) => lead.commentText).sort()).toEqual(['Because', 'Why?'])
    expect((await leadsOf(team, other!)).map((lead) => lead.commentText)).toEqual(['Why?'])
    expect(await team.balance()).toBe(10_000 - 3)
  })

  it('more replies than come with a comment are read too [SYN-02]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPost({
      author,
      comments: [
        {
          person: world.handle(),
          text: 'First',
          replies: people(world, 25).map((person) => ({ person, text: 'Reply' })),
        },
      ],
    })
    const status = await sweep(world, team, author)
    expect([status.capture.leadRowsCaptured, status.capture.coverage]).toEqual([26, { declared: 26, captured: 26 }])
  })

  it('settings changed while a sync runs bind from the next one [SYN-05, TRK-12]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 5)) })
    world.network.hold({ operation: 'post-reactions' })
    await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    await track(team, author, { creditCapPerSync: 2 })
    world.network.release()
    await world.drain()
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 5 })
    world.network.seedPost({ author, reactions: likes(people(world, 5)) })
    expect((await resweep(world, team, author)).capture).toMatchObject({ stoppedBy: 'credits', leadRowsCaptured: 2 })
  })

  it('a posts-only watch stores the lower of cap and posts a sync; credits when the cap kept one out [G154, FIX-07, CRD-18]', async () => {
    const watch = { mode: 'posts_only', confirmSpend: true }
    for (const [posts, postsPerSync, creditCapPerSync, stored, stoppedBy] of [
      [7, 5, 3, 3, 'credits'],
      [7, 3, 5, 3, 'exhausted'],
      [3, 5, 3, 3, 'exhausted'],
      [7, 5, null, 5, 'exhausted'],
    ] as const) {
      const team = await world.team({ credits: 100 })
      const { author } = await prolific(posts)
      const asked = await team.post('/enrich/profile', {
        username: author,
        saveTrackedProfile: true,
        mode: 'posts_only',
        postsPerSync,
        creditCapPerSync,
      })
      expect([asked.status, asked.body.estimatedDailyMax]).toEqual([409, stored])
      const status = await sweep(world, team, author, { ...watch, postsPerSync, creditCapPerSync })
      expect(status.capture).toMatchObject({ stoppedBy, creditsSpent: stored })
      expect(await team.balance()).toBe(100 - stored)
    }
  })

  it('a posts-only watch stores new posts, captures nobody and reads no engagement [SYN-03, SYN-31, CRD-17, CRD-18]', async () => {
    const team = await world.team({ credits: 100 })
    const { author } = await prolific(7)
    world.network.clearCalls()
    await sweep(world, team, author, { mode: 'posts_only', postsPerSync: 5, confirmSpend: true })
    expect(await team.balance()).toBe(95)
    expect(await leadsOf(team, author)).toEqual([])
    expect(world.network.calls({ operation: 'post-reactions' })).toEqual([])
    expect((await sourceOf(team, author)).lastRun).toMatchObject({ postsFetched: 5, creditsSpent: 5 })
    const { rows } = await world.database.pool.query(
      'select count(*)::int as stored from source_post where team_id = $1',
      [team.id],
    )
    expect(rows[0]).toEqual({ stored: 5 })
    await resweep(world, team, author)
    expect(await team.balance()).toBe(95)
    world.network.seedPost({ author, postedAt: await daysAgo(world, 0) })
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 1, leadRowsCaptured: 0 })
    expect(await team.balance()).toBe(94)
  })
})
