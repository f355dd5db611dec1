/** HarvestAPI's lists: posts, searches and engagement; what is asked, which rows are kept, and where the read goes on. */
import { describe, expect, it } from 'vitest'
import { failuresOf, opening, type Served } from '../../../../test/providers/answers.ts'
import { type PageCursor, type PostSearch, ProviderFailure } from '../../ports.ts'
import { createHarvestApi } from './index.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'
const zoe = 'ACwAAZ92bcdefghijklmnopqrstuvwxyzBCDEFG'
const post = { urn: 'urn:li:activity:7', url: '' }
const address = 'https%3A%2F%2Fwww.linkedin.com%2Ffeed%2Fupdate%2Furn%3Ali%3Aactivity%3A7'
const stage = (...served: Served[]) => {
  const stand = opening(served)
  return { ...stand, vendor: createHarvestApi(stand.options) }
}
const list = (elements: unknown[], pagination: object | null = null): Served => ({ body: { elements, pagination } })
const failureOf = failuresOf(ProviderFailure)
const person = { kind: 'person', handle: 'ada', urn: ada } as const
const page = { kind: 'company', slug: 'acme', urn: 'urn:li:company:42' } as const
const search: PostSearch = { term: 'x', sort: 'RELEVANCE', datePosted: 'PAST_WEEK', contentType: null, filters: {} }
const row = (more: object = {}) => ({
  id: '7',
  content: 'Text',
  author: { profileId: ada, name: 'Ada', type: 'profile', info: 'H' },
  ...more,
})

describe('posts', () => {
  it.each([
    [person, `/linkedin/profile-posts?profileId=${ada}&page=1`],
    [{ ...person, urn: null }, '/linkedin/profile-posts?profilePublicIdentifier=ada&page=1'],
    [page, '/linkedin/company-posts?companyId=42&page=1'],
    [{ ...page, urn: null }, '/linkedin/company-posts?companyUniversalName=acme&page=1'],
  ])('of %j are asked for by %s', async (of, call) => {
    const { vendor, calls } = stage(list([]))
    expect(await vendor.posts(of, null)).toEqual({
      items: [],
      next: null,
      total: null,
      cutShort: false,
      source: 'primary',
    })
    expect(calls()).toEqual([call])
  })
  it('go on at the next page with the token that came, and carry on what was declared', async () => {
    const { vendor, calls } = stage(
      list([row()], { totalElements: 3, totalPages: 3, pageSize: 1, paginationToken: 't' }),
      list([row()]),
      list([row()], { totalPages: 9 }),
    )
    const first = await vendor.posts(person, null)
    expect([first.next, first.total]).toEqual([{ page: 2, token: 't', total: 3, size: 1 }, 3])
    const second = await vendor.posts(person, first.next)
    expect(second.next).toEqual({ page: 3, token: 't', total: 3, size: 1 })
    const third = await vendor.posts(person, second.next)
    expect(third.next).toEqual({ page: 4, token: null, total: 3, size: 1 })
    expect(calls().slice(1)).toEqual([
      `/linkedin/profile-posts?profileId=${ada}&page=2&paginationToken=t`,
      `/linkedin/profile-posts?profileId=${ada}&page=3&paginationToken=t`,
    ])
  })
  it.each([
    [{ totalResultCount: 9 }, 9],
    [{ totalElements: 8, totalResultCount: 9 }, 8],
    [{}, 5],
    [null, 5],
  ])('beside %j are %i in all', async (pagination, total) => {
    const { vendor } = stage(list([row()], pagination))
    expect((await vendor.posts(person, { page: 2, total: 5, size: 1 })).total).toBe(total)
  })
  it('of somebody else are left out, and a page without any is refused', async () => {
    const rows = [
      row(),
      row({ author: { profileId: zoe, type: 'profile' } }),
      row({ author: { id: '42', type: 'company' } }),
      row({ id: 'x' }),
      row({ author: null }),
      null,
    ]
    expect((await stage(list(rows)).vendor.posts(person, null)).items).toHaveLength(1)
    const refused = await failureOf(stage(list([null, 7])).vendor.posts(person, null))
    expect([refused.kind, refused.message]).toEqual(['malformed', 'harvestapi posts: no row is a post'])
  })
  it.each([
    [{ header: { text: 'Ada reposted this' } }, true],
    [{ header: { text: 'Ada likes this' } }, false],
    [{ repostedBy: { name: 'x' } }, true],
    [{ repostedBy: { name: 'x' }, repost: { id: '1' } }, false],
    [{ repost: { id: '1' }, content: '  ' }, true],
    [{ repostId: '1', content: '' }, true],
    [{ repostId: '1' }, false],
    [{ content: '' }, false],
  ])('with %j are reposts: %s', async (more, repost) =>
    expect((await stage(list([row(more)])).vendor.posts(person, null)).items).toHaveLength(repost ? 0 : 1),
  )
})

describe('a post', () => {
  const read = async (more: object) => stage({ body: { element: row(more) } }).vendor.post('urn:li:activity:7')
  it('with nothing but its number has nothing else', async () =>
    expect(await read({ content: ' ', author: null })).toEqual({
      urn: 'urn:li:activity:7',
      url: 'https://www.linkedin.com/feed/update/urn:li:activity:7',
      text: null,
      author: { kind: 'person', urn: null, name: null, url: null, headline: null },
      postedAt: null,
      contentType: null,
      totalReactionCount: null,
      commentsCount: null,
      aliases: [],
    }))
  it('is known by every URN that it mentions', async () =>
    expect(
      await read({
        id: 'x',
        engagement: { id: 'urn:li:ugcPost:1' },
        entityId: 'urn:li:activity:8',
        shareUrn: 'urn:li:share:2',
        shareLinkedinUrl: 'https://x/ugcPost-3',
      }),
    ).toMatchObject({ urn: 'urn:li:activity:8', aliases: ['urn:li:ugcPost:1', 'urn:li:share:2', 'urn:li:ugcPost:3'] }))
  it('keeps its own address on the network, and says when it was posted', async () =>
    expect(
      await read({
        linkedinUrl: 'https://www.linkedin.com/posts/a-activity-7-x?y=1',
        postedAt: { timestamp: Date.UTC(2026, 0, 2), date: '2020-01-01' },
      }),
    ).toMatchObject({ url: 'https://www.linkedin.com/posts/a-activity-7-x', postedAt: '2026-01-02T00:00:00.000Z' }))
  it.each([
    [undefined, null, null],
    [{ likes: 3, comments: 2 }, 3, 2],
    [{ likes: 0 }, 0, null],
    [{ likes: 3, reactions: [{ type: 'LIKE', count: 3 }, { type: 'x' }, { count: 2 }] }, 5, null],
    [{ likes: 9, reactions: [{ count: 3 }] }, 9, null],
    [{ reactions: [{ count: 3 }] }, 3, null],
    [{ reactions: [{ count: 0 }] }, null, null],
  ])('with the engagement %j has %s reactions and %s comments', async (engagement, reactions, comments) =>
    expect(await read({ engagement })).toMatchObject({ totalReactionCount: reactions, commentsCount: comments }),
  )
  it.each([
    [{}, null],
    [{ postVideo: { x: 1 } }, 'VIDEO'],
    [{ document: { x: 1 }, postImages: ['x'] }, 'DOCUMENT'],
    [{ postImages: ['x'] }, 'IMAGE'],
    [{ postImages: [] }, null],
    [{ postVideo: { x: 1 }, document: { x: 1 } }, 'VIDEO'],
    [{ postVideo: { x: 1 }, article: { link: 'https://www.linkedin.com/jobs/view/1' } }, 'JOB'],
    [{ postImages: ['x'], article: { link: 'https://example.com' } }, 'IMAGE'],
  ])('with %j shows %s', async (more, contentType) => expect((await read(more)).contentType).toBe(contentType))
  it.each([
    [
      { id: '42', type: 'company', name: 'Acme', linkedinUrl: 'https://www.linkedin.com/company/acme', info: ' I ' },
      {
        kind: 'company',
        urn: 'urn:li:company:42',
        url: 'https://www.linkedin.com/company/acme',
        name: 'Acme',
        headline: 'I',
      },
    ],
    [
      { urn: 'urn:li:company:42', universalName: 'Own', linkedinUrl: 'https://www.linkedin.com/company/acme' },
      {
        kind: 'company',
        urn: 'urn:li:company:42',
        url: 'https://www.linkedin.com/company/own',
        name: null,
        headline: null,
      },
    ],
    [
      { id: ada, name: 'Ada', publicIdentifier: 'Own', linkedinUrl: 'https://www.linkedin.com/in/ada' },
      { kind: 'person', urn: ada, url: 'https://www.linkedin.com/in/own', name: 'Ada', headline: null },
    ],
    [
      { urn: ada, linkedinUrl: 'https://www.linkedin.com/in/Ada' },
      { kind: 'person', urn: ada, url: 'https://www.linkedin.com/in/ada', name: null, headline: null },
    ],
    [
      { profileId: ada, id: zoe },
      { kind: 'person', urn: ada, url: `https://www.linkedin.com/in/${ada}`, name: null, headline: null },
    ],
    [
      { id: 'urn:li:company:42' },
      {
        kind: 'company',
        urn: 'urn:li:company:42',
        url: 'https://www.linkedin.com/company/42',
        name: null,
        headline: null,
      },
    ],
    [{ name: 'Ada' }, { kind: 'person', urn: null, url: null, name: 'Ada', headline: null }],
  ])('by %j is by %j', async (author, read_) => expect((await read({ author })).author).toEqual(read_))
})

describe('a search', () => {
  it('sends every criterion as the vendor names it', async () => {
    const { vendor, calls } = stage(list([]))
    await vendor.searchPosts(search, null)
    await vendor.searchPosts(
      {
        term: 'a OR b',
        sort: 'DATE_POSTED',
        datePosted: 'PAST_24_HOURS',
        contentType: 'LIVE_VIDEO',
        filters: {
          authorIndustry: ['1', '2'],
          authorCompany: ['3'],
          authorKeyword: ['Head of', '()', 'CEO'],
          fromPerson: [ada],
          fromCompany: ['4'],
          mentionsPerson: [zoe],
          mentionsCompany: ['5'],
        },
      },
      { page: 2, token: 't' },
    )
    const asked = calls().map((call) => Object.fromEntries(new URL(call, 'https://v.example').searchParams))
    expect(asked).toEqual([
      { search: 'x', sortBy: 'relevance', postedLimit: 'week', page: '1' },
      {
        search: 'a or b',
        sortBy: 'date',
        postedLimit: '24h',
        contentType: 'live_videos',
        authorsIndustryId: '1,2',
        authorsCompanyId: '3',
        authorKeywords: 'Head of OR CEO',
        profileId: ada,
        companyId: '4',
        mentioningMember: zoe,
        mentioningCompany: '5',
        page: '2',
        paginationToken: 't',
      },
    ])
    expect(calls()[0]).toMatch(/^\/linkedin\/post-search\?/)
    const empty = stage(list([]))
    await empty.vendor.searchPosts(
      { ...search, datePosted: 'PAST_MONTH', filters: { authorKeyword: ['()'], fromPerson: [] } },
      null,
    )
    expect(empty.calls()[0]).toBe('/linkedin/post-search?search=x&sortBy=relevance&postedLimit=month&page=1')
  })
  it.each(['VIDEO', 'IMAGE', 'JOB', 'DOCUMENT', 'COLLABORATIVE_ARTICLE'] as const)(
    'for %s says so',
    async (contentType) => {
      const { vendor, calls } = stage(list([]))
      await vendor.searchPosts({ ...search, contentType }, null)
      expect(calls()[0]).toContain(`contentType=${contentType.toLowerCase()}s`)
    },
  )
  it('judges what it found by the whole term only where not all of it was sent', async () => {
    const found = [
      row({ content: 'none of it' }),
      row({ id: '8', content: `x ${'word '.repeat(30)}end` }),
      row({ repostedBy: 'x' }),
    ]
    const read = async (term: string) =>
      (await stage(list(found)).vendor.searchPosts({ ...search, term }, null)).items.map(({ urn }) => urn.at(-1))
    expect([await read('x'), await read(`${'word '.repeat(20)}end`)]).toEqual([['7', '8'], ['8']])
    expect((await failureOf(stage(list([7])).vendor.searchPosts(search, null))).message).toBe(
      'harvestapi searchPosts: no row is a post',
    )
  })
  it('ends after 2,000 rows, and says that every filter was applied', async () => {
    const at = async (number: number) => stage(list([row()])).vendor.searchPosts(search, { page: number })
    expect(await at(39)).toMatchObject({ next: { page: 40 }, unapplied: [] })
    expect((await at(40)).next).toBeNull()
  })
})

describe('reactions', () => {
  const actor = {
    id: ada,
    name: 'Ada',
    position: 'H',
    pictureUrl: 'https://img.example/p',
    picture: 'https://img.example/q',
  }
  it('are read by page, each with whoever reacted', async () => {
    const { vendor, calls } = stage(
      list(
        [
          { id: 'x', reactionType: 'PRAISE', actor },
          {
            id: `urn:li:fsd_reaction:(urn:li:fsd_profile:${zoe},urn:li:activity:7,0)`,
            actor: { picture: 'https://img.example/q' },
          },
          { id: 'x', actor: { id: '42', type: 'company', linkedinUrl: 'https://www.linkedin.com/company/acme' } },
          { id: 'x', actor: { name: 'Nobody' } },
          { id: `urn:li:fsd_reaction:(urn:li:fsd_profile:${zoe},urn:li:activity:7,0)`, actor: {} },
          { id: `urn:li:fsd_reaction:(urn:li:fsd_profile:${zoe},urn:li:activity:7,0)`, actor: null },
        ],
        { totalElements: 200, totalPages: 2 },
      ),
    )
    const read = await vendor.reactions(post, null)
    expect(calls()).toEqual([`/linkedin/post-reactions?post=${address}&page=1`])
    expect(read.items).toEqual([
      {
        reaction: 'Praise',
        actor: {
          kind: 'person',
          urn: ada,
          name: 'Ada',
          headline: 'H',
          handle: null,
          linkedinUrl: `https://www.linkedin.com/in/${ada}`,
          avatarUrl: 'https://img.example/p',
        },
      },
      { reaction: 'Like', actor: expect.objectContaining({ urn: zoe, avatarUrl: 'https://img.example/q' }) },
      { reaction: 'Like', actor: expect.objectContaining({ kind: 'company' }) },
    ])
    expect([read.next, read.total]).toEqual([{ page: 2, token: null, total: 200, size: null }, 200])
    await vendor.reactions(post, read.next)
    expect(calls()[1]).toBe(`/linkedin/post-reactions?post=${address}&page=2`)
  })
  it('of which no row has the shape are refused', async () =>
    expect((await failureOf(stage(list([7])).vendor.reactions(post, null))).message).toBe(
      'harvestapi reactions: no row is a reaction',
    ))
})

describe('comments', () => {
  const by = (id: string) => ({ id, name: 'x' })
  const base = 'https://www.linkedin.com/feed/update/urn:li:activity:7'
  it('are read newest first by page and token, each with its replies', async () => {
    const { vendor, calls } = stage(
      list(
        [
          {
            id: '1',
            commentary: ' Text ',
            createdAtTimestamp: Date.UTC(2026, 0, 2),
            actor: by(ada),
            replies: [{ id: '2', actor: by(zoe) }, { id: '3', actor: { name: 'Nobody' } }, { actor: by(zoe) }],
          },
          { linkedinUrl: `${base}?commentUrn=4`, actor: by(zoe), createdAt: '2026-01-02' },
          { id: '5', actor: { name: 'Nobody' }, replies: [{ id: '6', actor: by(ada) }] },
          { actor: by(zoe), replies: [{ id: '7', actor: by(ada) }] },
          { linkedinUrl: `${base}?commentUrn=8&replyUrn=9`, actor: by(ada) },
        ],
        { paginationToken: 't' },
      ),
    )
    const read = await vendor.comments(post, { page: 2, token: 's' })
    expect(calls()).toEqual([`/linkedin/post-comments?post=${address}&sortBy=date&page=2&paginationToken=s`])
    expect(
      read.items.map(({ id, parentId, postedAt, text }) => [id, parentId, postedAt?.slice(0, 10) ?? null, text]),
    ).toEqual([
      ['1', null, '2026-01-02', 'Text'],
      ['2', '1', null, null],
      ['4', null, '2026-01-02', null],
      ['6', '5', null, null],
      ['9', '8', null, null],
    ])
    expect([read.next, read.moreReplies]).toEqual([{ page: 3, token: 't', total: null, size: null }, []])
    const first = stage(list([]))
    await first.vendor.comments(post, null)
    expect(first.calls()).toEqual([`/linkedin/post-comments?post=${address}&sortBy=date&page=1`])
  })
  it('name those that have more replies than came with them', async () => {
    const comment = (id: string, comments: number | null, replies: number, more: object = {}) => ({
      id,
      actor: by(ada),
      engagement: { comments },
      replies: Array.from({ length: replies }, (_, at) => ({ id: `${id}${at}`, actor: by(zoe) })),
      ...more,
    })
    const { vendor } = stage(
      list([
        comment('1', 2, 2),
        comment('2', 3, 2),
        comment('3', null, 0),
        comment('4', 1, 0, { linkedinUrl: base }),
        comment('5', 1, 0, { linkedinUrl: `${base}\u0000` }),
      ]),
    )
    const ownOf = (id: string) => `${base}?commentUrn=urn%3Ali%3Acomment%3A(activity%3A7%2C${id})`
    expect((await vendor.comments(post, null)).moreReplies).toEqual([
      { commentId: '2', cursor: { url: ownOf('2'), page: 1 } },
      { commentId: '4', cursor: { url: base, page: 1 } },
      { commentId: '5', cursor: { url: ownOf('5'), page: 1 } },
    ])
  })
  it('go on without a token that no database keeps', async () => {
    const { vendor } = stage(list([{ id: '1', actor: by(ada) }], { totalPages: 9, paginationToken: 'a\u0000b' }))
    expect((await vendor.comments(post, null)).next).toEqual({ page: 2, token: null, total: null, size: null })
  })
  it('of which no row has the shape are refused', async () =>
    expect((await failureOf(stage(list([7])).vendor.comments(post, null))).message).toBe(
      'harvestapi comments: no row is a comment',
    ))
})

describe('replies', () => {
  const reply = { id: '2', actor: { id: ada } }
  const read = async (cursor: PageCursor, ...served: Served[]) => {
    const { vendor, calls } = stage(...served)
    return { read: await vendor.replies(post, { commentId: '1', cursor }), calls: calls() }
  }
  it('are asked for by the address of their comment, from the second page on with its number', async () => {
    const first = await read({ url: 'u', page: 1 }, list([reply], { paginationToken: 't', totalElements: 5 }))
    expect(first.calls).toEqual(['/linkedin/post-comment-replies?url=u'])
    expect(first.read).toMatchObject({
      items: [{ id: '2', parentId: '1' }],
      next: { url: 'u', page: 2, token: 't' },
      total: 5,
    })
    const second = await read(first.read.next!, list([reply], { paginationToken: 't', totalElements: 5 }))
    expect(second.calls).toEqual(['/linkedin/post-comment-replies?url=u&page=2&paginationToken=t'])
    expect(second.read).toMatchObject({ next: null, total: 5 })
  })
  it('end without a token, and at the end of the list', async () => {
    expect((await read({ url: 'u' }, list([reply], { totalElements: 5 }))).read).toMatchObject({
      next: null,
      total: 5,
      cutShort: false,
    })
    expect((await read({ url: 'u' }, list([], { paginationToken: 't' }))).read.next).toBeNull()
    expect(
      (await read({ url: 'u' }, list([], { paginationToken: 't', totalElements: 5, pageSize: 5 }))).read.cutShort,
    ).toBe(true)
    expect((await read({ url: 'u' }, list([reply, { id: 'x', actor: {} }], {}))).read.items).toHaveLength(1)
  })
  it('of no comment, or of which no row has the shape, are refused', async () => {
    expect((await failureOf(read({}, list([reply])))).message).toBe('harvestapi replies: the cursor names no comment')
    expect((await failureOf(read({ url: 'u' }, list([7])))).message).toBe('harvestapi replies: no row is a reply')
  })
})

describe('a list', () => {
  it('that is refused as empty has no rows, and costs what it says', async () => {
    const stand = opening([
      { status: 400, body: { error: 'No included data', cost: 0.5, pagination: { totalPages: 9 } } },
    ])
    const costs: unknown[] = []
    const vendor = createHarvestApi({ ...stand.options, log: ({ cost, outcome }) => void costs.push([outcome, cost]) })
    expect(await vendor.reactions(post, null)).toMatchObject({ items: [], next: null, cutShort: false })
    expect(costs).toEqual([['ok', 0.5]])
  })
  it.each([
    [{ elements: null }, 'malformed'],
    [{ elements: {} }, 'malformed'],
    [{ element: {} }, 'malformed'],
    [{ elements: [], error: { status: 429 } }, 'rate_limited'],
    [{ elements: [], error: 'Something' }, 'malformed'],
  ])('answered with %j fails as %s', async (body, kind) =>
    expect((await failureOf(stage({ body }).vendor.reactions(post, null))).kind).toBe(kind),
  )
  it('with rows is read whatever error stands beside it', async () =>
    expect(
      (
        await stage({ body: { elements: [{ id: ada, actor: { id: ada } }], error: 'Something' } }).vendor.reactions(
          post,
          null,
        )
      ).items,
    ).toHaveLength(1))
})
