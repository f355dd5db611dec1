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

  it('shows the same posts as everywhere else, some of them by pages, found again with the same people', async () => {
    const rows = await everyHarvestRow(sandbox, '/linkedin/post-search', {
      search: 'product led growth',
      postedLimit: 'month',
    })
    expect(rows.some(({ author }) => author.type === 'company')).toBe(true)
    expect(
      Math.max(
        ...Map.groupBy(rows, ({ author }) => author.id)
          .values()
          .map((posts) => posts.length),
      ),
    ).toBeGreaterThan(3)
    for (const row of rows.slice(0, 20)) {
      const { json } = await sandbox.harvest('/linkedin/post', {
        url: `https://www.linkedin.com/feed/update/urn:li:activity:${row.engagement.id}`,
      })
      expect({ ...row, id: '', entityId: '', linkedinUrl: '' }).toEqual({
        ...json.element,
        id: '',
        entityId: '',
        linkedinUrl: '',
      })
    }
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

  it('match by all words in any order, a phrase by quotes, either side of OR, within 85 characters', async () => {
    const text = 'Owls, and #Ravens: a Quick study'
    sandbox.world.seedSearch({ posts: [{ author: 'jane-doe', text }], generated: false })
    for (const term of [
      'ravens owls',
      '"and ravens"',
      'OWLS',
      'hawks OR quick',
      `owls ${'x'.repeat(85)}`.slice(0, 5),
      `owls${' '.repeat(81)}hawks`,
    ])
      expect([term, texts(await harvest(term))]).toEqual([term, [text]])
    for (const term of ['raven', '"ravens owls"', 'owls hawks', `owls${' '.repeat(80)}hawks`])
      expect([term, texts(await harvest(term))]).toEqual([term, []])
  })

  it('are narrowed by every filter, at both vendors', async () => {
    const { world } = sandbox
    const acme = world.seedCompany({ slug: 'acme', industry: 'Owls' })
    const [jane, bob] = [
      world.seedPerson({ handle: 'jane-doe', headline: 'Keeper of owls', title: 'Falconer', company: 'acme' }),
      world.seedPerson({ handle: 'bob-c', headline: 'CTO', company: null }),
    ]
    world.seedSearch({
      generated: false,
      posts: [
        { author: 'jane-doe', text: 'one owl', contentType: 'document' },
        { author: 'bob-c', text: 'two owl', mentions: ['jane-doe', { company: 'acme' }], contentType: 'live_video' },
        { author: { company: 'acme' }, text: 'three owl', postedAt: ago(10), contentType: 'collaborative_article' },
        { author: 'bob-c', text: 'four owl', contentType: 'job' },
      ],
    })
    const cases: Array<[Record<string, string>, Record<string, string>, string]> = [
      [{ profileId: jane.id }, { fromMember: jane.id }, 'one'],
      [{ companyId: acme.id }, { fromOrganization: acme.id }, 'three'],
      [{ mentioningMember: jane.id }, { mentionsMember: jane.id }, 'two'],
      [{ mentioningCompany: acme.id }, { mentionsOrganization: acme.id }, 'two'],
      [{ mentioningMember: bob.id }, { mentionsMember: bob.id }, ''],
      [{ authorsCompanyId: acme.id }, { authorCompany: acme.id }, 'one'],
      [{ authorsIndustryId: '9999' }, { authorIndustry: '9999' }, 'one three'],
      [{ authorKeywords: 'cto OR falconer' }, { authorJobTitle: 'cto OR falconer' }, 'four one two'],
      [{ contentType: 'documents' }, { contentType: 'documents' }, 'one'],
      [{ contentType: 'live_videos' }, { contentType: 'liveVideos' }, 'two'],
      [{ contentType: 'jobs' }, { contentType: 'jobs' }, 'four'],
      [{ contentType: 'collaborative_articles' }, { contentType: 'collaborativeArticles' }, 'three'],
      [{ contentType: 'videos' }, { contentType: 'photos' }, ''],
      [{ postedLimit: 'week' }, { datePosted: 'past-week' }, 'four one two'],
    ]
    const both = [{ profileId: `${jane.id},${bob.id}` }, { fromMember: `${jane.id},${bob.id}` }] as const
    expect(
      texts(await harvest('owl', both[0]))
        .map((text) => text.split(' ')[0])
        .sort(),
    ).toEqual(['four', 'one', 'two'])
    // The other vendor takes one member at a time; a list is the name of nobody.
    expect((await linkd('owl', both[1])).posts).toEqual([])
    for (const [harvests, linkds, expected] of cases) {
      const first = (list: string[]): string =>
        list
          .map((text) => text.split(' ')[0])
          .sort()
          .join(' ')
      expect([harvests, first(texts(await harvest('owl', harvests)))]).toEqual([harvests, expected])
      expect([linkds, first((await linkd('owl', linkds)).posts.map((post: any) => post.text))]).toEqual([
        linkds,
        expected,
      ])
    }
    expect((await sandbox.harvest('/linkedin/post-search', { search: 'owl', sortBy: 'best' })).status).toBe(400)
    expect((await sandbox.linkd('/api/v1/search/posts', { keyword: 'owl', datePosted: 'week' })).status).toBe(422)
  })

  it('in a group have no activity number in a search', async () => {
    sandbox.world.seedSearch({ posts: [{ author: 'jane-doe', text: 'A parliament of owls', inGroup: true }] })
    const [row] = (await harvest('parliament owls')).elements
    expect(JSON.stringify({ ...row, author: null, socialContent: null })).not.toMatch(/activity/)
    expect((await linkd('parliament owls')).posts[0].urn).toMatch(/^urn:li:groupPost:/)
  })
})

describe('pages', () => {
  it('can be made to repeat, to shrink, and to claim more', async () => {
    const whole = await everyHarvestRow(sandbox, '/linkedin/post-search', {
      search: 'developer tools',
      postedLimit: 'month',
    })
    const page = async (fault: object, number: number): Promise<any> => {
      sandbox.world.clearFaults()
      sandbox.world.fault({ vendor: 'harvestapi', operation: 'post-search', ...fault } as never)
      return harvest('developer tools', { postedLimit: 'month', page: number })
    }
    expect((await page({ kind: 'duplicate_page' }, 2)).elements).toEqual(whole.slice(0, 50))
    expect((await page({ kind: 'short_page', rows: 4 }, 2)).elements).toEqual(whole.slice(50, 54))
    const empty = await page({ kind: 'empty_more' }, 9)
    expect([empty.elements, empty.pagination.totalElements > 450]).toEqual([[], true])
  })
})
