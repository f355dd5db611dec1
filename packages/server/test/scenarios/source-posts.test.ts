import { describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString()
const rowFields = [
  'author',
  'commentsCount',
  'contentType',
  'detectedAt',
  'postUrn',
  'postedAt',
  'text',
  'totalReactionCount',
  'url',
]

async function watch(team: Team, posts: number, postsPerSync = 60) {
  const author = world.handle('author')
  world.network.seedPerson({
    handle: author,
    name: 'Ada Author',
    headline: 'Writes',
    posts: Array.from({ length: posts }, (_, index) => ({
      postedAt: at(index + 1),
      text: `post ${index + 1}`,
      reactions: index,
      comments: 1,
    })),
  })
  await team.post('/enrich/profile', {
    username: author,
    saveTrackedProfile: true,
    mode: 'posts_only',
    postsPerSync,
    confirmSpend: true,
  })
  await world.drain()
  const id: string = (await team.get('/sources')).body.sources.find(
    (source: { username: string }) => source.username === author,
  ).id
  return { author, id }
}

describe('GET /sources/{id}/posts', () => {
  it('lists what the watch has seen, newest first, every field in every row, for free [SRC-06, SRC-07]', async () => {
    const team = await world.team({ credits: 100 })
    const { id, author } = await watch(team, 3)
    await watch(team, 2)
    expect(await team.balance()).toBe(95)
    const { status, body } = await team.get(`/sources/${id}/posts`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ sourceId: id, total: 3, limit: 50, offset: 0, hasMore: false })
    expect(body.posts.map((post: { text: string }) => post.text)).toEqual(['post 3', 'post 2', 'post 1'])
    for (const post of body.posts) expect(Object.keys(post).sort()).toEqual(rowFields)
    expect(body.posts[0]).toMatchObject({
      postedAt: at(3),
      totalReactionCount: 2,
      commentsCount: 1,
      contentType: null,
      author: { name: 'Ada Author', url: `https://www.linkedin.com/in/${author}`, headline: 'Writes' },
      detectedAt: (await world.now()).toISOString(),
    })
    expect(body.posts[0].postUrn).toMatch(/^urn:li:activity:\d+$/)
    expect(await team.balance()).toBe(95)
  })

  it('says null where nothing was recorded [SRC-07]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    world.network.seedPerson({
      handle: author,
      headline: null,
      posts: [{ postedAt: at(1), text: null, contentType: 'text' }],
    })
    world.network.fault({ kind: 'missing_fields', fields: ['engagement', 'engagements', 'postedAt'] })
    await team.post('/enrich/profile', {
      username: author,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 5,
      confirmSpend: true,
    })
    await world.drain()
    const id = (await team.get('/sources')).body.sources[0].id
    const { body } = await team.get(`/sources/${id}/posts`)
    expect(body.posts).toEqual([
      expect.objectContaining({
        text: null,
        author: expect.objectContaining({ headline: null }),
        commentsCount: null,
        totalReactionCount: null,
        contentType: null,
        postedAt: null,
      }),
    ])
  })

  it('posts of later sweeps join on top [SRC-06]', async () => {
    const team = await world.team({ credits: 100 })
    const { id, author } = await watch(team, 7)
    world.network.seedPost({ author, postedAt: '2026-11-21T08:30:00.000Z', text: 'fresh' })
    await world.advance('25h')
    expect((await team.get(`/sources/${id}/posts`)).body).toMatchObject({
      total: 8,
      posts: expect.arrayContaining([expect.objectContaining({ text: 'fresh' })]),
    })
    expect((await team.get(`/sources/${id}/posts?limit=1`)).body.posts[0].text).toBe('fresh')
    for (const query of ['limit=0', 'limit=101', 'offset=-1'])
      expect((await team.get(`/sources/${id}/posts?${query}`)).status).toBe(400)
  })

  it('is refused for a source that captures engagers [SRC-12]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    world.network.seedPost({ author, reactions: 2 })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    await world.drain()
    const id = (await team.get('/sources')).body.sources[0].id
    const { status, body } = await team.get(`/sources/${id}/posts`)
    expect(status).toBe(400)
    expect(body.error).toContain('posts-only')
  })

  it('goes on answering for an untracked watch: nothing paid for is lost', async () => {
    const team = await world.team({ credits: 100 })
    const { id, author } = await watch(team, 2)
    await team.del(`/profile/${author}`)
    expect((await team.get(`/sources/${id}/posts`)).body.total).toBe(2)
  })
})
