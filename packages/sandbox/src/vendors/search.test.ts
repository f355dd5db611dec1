import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyHarvestRow, startTestSandbox, TEST_NOW, type TestSandbox } from '../testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => {
  sandbox.world.reset()
  sandbox.clock.ms = TEST_NOW
})
afterAll(() => sandbox.close())

const DAY = 86_400_000
const harvest = async (search: string, query: Record<string, string | number> = {}): Promise<any> =>
  (await sandbox.harvest('/linkedin/post-search', { search, ...query })).json
const linkd = async (keyword: string, query: Record<string, string | number> = {}): Promise<any> =>
  (await sandbox.linkd('/api/v1/search/posts', { keyword, ...query })).json.data
const texts = (answer: any): string[] => answer.elements.map((post: any) => post.content).sort()
const ago = (days: number): string => new Date(TEST_NOW - days * DAY).toISOString()
const month = async (term: string): Promise<number> =>
  (await harvest(term, { postedLimit: 'month' })).pagination.totalElements

describe('search over the generated world', () => {
  // Six thousand posts are written for it: seconds on a quiet machine, and its time is no part of what it asks.
  it('finds hundreds of posts a month about a common topic, a few about a rare one, none about nothing', async () => {
    for (const term of ['sales automation', 'AI agents', '"cold outreach"', 'digital health']) {
      const count = await month(term)
      expect([term, count >= 250 && count <= 700]).toEqual([term, true])
    }
    expect(await month('sales')).toBeGreaterThan(1_000)
    const rare = await month('rail freight')
    expect(rare).toBeGreaterThan(0)
    expect(rare).toBeLessThan(30)
    expect(await harvest('qqqq zzzz')).toMatchObject({ elements: [], pagination: { totalElements: 0, totalPages: 0 } })
  }, 120_000)

  it('is the same for the same seed, and grows with the clock', async () => {
    const other = await startTestSandbox()
    const query = { search: 'cloud migration', sortBy: 'date', postedLimit: 'week' }
    expect((await other.harvest('/linkedin/post-search', query)).json).toEqual(
      (await sandbox.harvest('/linkedin/post-search', query)).json,
    )
    await other.close()
    const before = await everyHarvestRow(sandbox, '/linkedin/post-search', query)
    sandbox.clock.ms += DAY
    const after = await everyHarvestRow(sandbox, '/linkedin/post-search', query)
    const fresh = after.filter(({ id }) => !before.some((post) => post.id === id))
    expect(fresh.length).toBeGreaterThan(3)
    for (const post of fresh) expect(post.postedAt.timestamp).toBeGreaterThan(TEST_NOW)
    for (const post of after) expect(post.postedAt.timestamp).toBeGreaterThan(TEST_NOW - 6 * DAY)
  })
})

describe('seeded posts', () => {
  it('are found by both vendors beside generated ones, or alone', async () => {
    const seeded = await sandbox.control('POST', 'search', {
      posts: [
        {
          author: { handle: 'jane-doe', name: 'Jane D', headline: 'CTO', country: 'IT' },
          text: 'Cold outreach by owls',
          postedAt: ago(2),
          contentType: 'video',
          declaredReactions: 77,
          comments: 2,
        },
        { author: { slug: 'acme', name: 'Acme', industry: 'Owls' }, text: 'Owls do cold outreach' },
        { author: 'bob-c', text: 'Outreach, cold as an owl', postedAt: ago(20) },
      ],
    })
    expect(seeded.json.posts).toHaveLength(3)
    expect(seeded.json.posts[0]).toMatchObject({
      author: { slug: 'jane-doe', name: 'Jane D' },
      contentType: 'video',
      declared: { reactions: 77 },
      comments: 2,
    })
    expect(texts(await harvest('owls'))).toEqual(['Cold outreach by owls', 'Owls do cold outreach'])
    expect((await linkd('owls')).posts.map((post: any) => post.author.name).sort()).toEqual(['Acme', 'Jane D'])
    expect(await month('cold outreach')).toBeGreaterThan(100)
    await sandbox.control('POST', 'search', { generated: false })
    expect(texts(await harvest('cold outreach', { postedLimit: 'week' }))).toEqual([
      'Cold outreach by owls',
      'Owls do cold outreach',
    ])
    expect(await harvest('cold outreach', { profileId: sandbox.world.personAt(11).id })).toMatchObject({ elements: [] })
    await sandbox.control('POST', 'reset')
    expect(await month('cold outreach')).toBeGreaterThan(100)
    expect((await sandbox.control('POST', 'search', { posts: [{ author: { handle: 'x', slug: 'y' } }] })).status).toBe(
      400,
    )
  })

  it('replace what their author has generated, and go when they are taken away', async () => {
    const { author } = (await harvest('sales automation')).elements.find((post: any) => post.author.type === 'profile')
    const { id } = sandbox.world.seedPost({ author: author.publicIdentifier, text: 'Nothing but owls' })
    const rows = await everyHarvestRow(sandbox, '/linkedin/post-search', { search: 'sales automation' })
    expect(rows.some((post) => post.author.id === author.id)).toBe(false)
    expect(texts(await harvest('owls'))).toEqual(['Nothing but owls'])
    sandbox.world.seedPost({ id, author: author.publicIdentifier, exists: false })
    expect(texts(await harvest('owls'))).toEqual([])
  })
})
