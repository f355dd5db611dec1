/** LinkdAPI's lists: posts, searches and engagement; what is asked, which rows are kept, and where the read goes on. */
import { describe, expect, it } from 'vitest'
import { failuresOf, opening, type Served } from '../../../../test/providers/answers.ts'
import { type PageCursor, type PostSearch, ProviderFailure, type SearchFilters } from '../../ports.ts'
import { createLinkdApi } from './index.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'
const zoe = 'ACwAAZ92bcdefghijklmnopqrstuvwxyzBCDEFG'
const post = { urn: 'urn:li:activity:7', url: '' }
const stage = (...served: Served[]) => {
  const stand = opening(served)
  return { ...stand, vendor: createLinkdApi(stand.options) }
}
const ok = (data: unknown): Served => ({ body: { success: true, data } })
const failureOf = failuresOf(ProviderFailure)
const person = { kind: 'person', handle: 'ada', urn: ada } as const
const page = { kind: 'company', slug: 'acme', urn: 'urn:li:company:42' } as const
const row = (more: object = {}) => ({ urn: 'urn:li:activity:7', text: 'Text', author: { urn: ada }, ...more })
const pages = { kind: 'company', slug: 'acme', urn: null } as const
const ofPage = (more: object = {}) => row({ author: { urn: 'urn:li:company:42', type: 'company' }, ...more })

describe('posts', () => {
  it('of a person are read by place and cursor, of a page by place', async () => {
    const { vendor, calls } = stage(ok({ posts: [row(), row()], cursor: 'c' }), ok({ posts: [row()], cursor: 'c' }))
    const first = await vendor.posts(person, null)
    expect(first).toMatchObject({ next: { id: ada, start: 2, cursor: 'c' }, total: null, cutShort: false })
    // The same cursor again leads nowhere.
    expect((await vendor.posts(person, first.next)).next).toBeNull()
    const other = stage(ok({ posts: [ofPage()], cursor: 'c' }), ok({ posts: [] }))
    const one = await other.vendor.posts(page, null)
    expect(one.next).toEqual({ id: '42', start: 1, cursor: null })
    expect(await other.vendor.posts(page, one.next)).toMatchObject({ next: null, cutShort: false })
    expect([...calls(), ...other.calls()]).toEqual([
      `/api/v1/posts/all?urn=${ada}&start=0`,
      `/api/v1/posts/all?urn=${ada}&start=2&cursor=c`,
      '/api/v1/companies/company/posts?id=42&start=0',
      '/api/v1/companies/company/posts?id=42&start=1',
    ])
  })
  it.each([
    [{ posts: [row()], cursor: '' }, null, false],
    [{ posts: [row()], cursor: null }, null, false],
    [{ posts: [], cursor: '' }, null, false],
    [{ posts: [], cursor: 'c' }, null, true],
  ])('answered with %j go on at %j, cut short: %s', async (data, next, cutShort) =>
    expect(await stage(ok(data)).vendor.posts(person, null)).toMatchObject({ next, cutShort }),
  )
  it('of somebody whose number is not known are asked for by it, once a read', async () => {
    const { vendor, calls } = stage(ok({ urn: ada }), ok({ posts: [row()], cursor: 'c' }))
    const first = await vendor.posts({ ...person, urn: null }, null)
    await vendor.posts({ ...person, urn: null }, first.next)
    const other = stage(ok({ id: 42 }), ok({ posts: [ofPage()] }))
    expect((await other.vendor.posts(pages, null)).next).toMatchObject({ id: '42' })
    expect([...calls(), ...other.calls()]).toEqual([
      '/api/v1/profile/username-to-urn?username=ada',
      `/api/v1/posts/all?urn=${ada}&start=0`,
      `/api/v1/posts/all?urn=${ada}&start=1&cursor=c`,
      '/api/v1/companies/company/universal-name-to-id?universalName=acme',
      '/api/v1/companies/company/posts?id=42&start=0',
    ])
    for (const [of, message] of [
      [{ ...person, urn: null }, 'linkdapi posts: the answer has no member id'],
      [pages, 'linkdapi posts: the answer has no company id'],
    ] as const)
      expect((await failureOf(stage(ok({ urn: 'x', id: 'x' })).vendor.posts(of, null))).message).toBe(message)
  })
  it('of somebody else, announced as reposts and without a number are left out', async () => {
    const posts = [row(), row({ author: { urn: zoe } }), row({ header: 'Ada reposted this' }), row({ urn: 'x' }), null]
    expect((await stage(ok({ posts })).vendor.posts(person, null)).items).toHaveLength(1)
    expect((await failureOf(stage(ok({ posts: [7] })).vendor.posts(person, null))).message).toBe(
      'linkdapi posts: no row is a post',
    )
    expect((await failureOf(stage(ok({})).vendor.posts(person, null))).message).toBe(
      'linkdapi posts: the answer has no posts',
    )
  })
})

describe('a post', () => {
  const read = async (more: object) => stage(ok({ post: row(more) })).vendor.post('urn:li:activity:7')
  it('has what it says of itself', async () =>
    expect(
      await read({
        urn: 'urn:li:ugcPost:1',
        url: 'https://www.linkedin.com/posts/a-activity-7-x?y=1',
        postedAt: { fullDate: '2026-01-02 00:00:00' },
        engagements: { totalReactions: 3, commentsCount: 2 },
      }),
    ).toMatchObject({
      urn: 'urn:li:activity:7',
      aliases: ['urn:li:ugcPost:1'],
      url: 'https://www.linkedin.com/posts/a-activity-7-x',
      postedAt: '2026-01-02T00:00:00.000Z',
      totalReactionCount: 3,
      commentsCount: 2,
    }))
  it.each([
    [[], null],
    [[{ type: 'poll' }, { type: 'image' }, { type: 'video' }], 'IMAGE'],
    [[{ type: 'image', url: 'https://www.linkedin.com/jobs/view/1' }], 'JOB'],
    [[{ type: 'image', url: 'https://example.com' }], 'IMAGE'],
  ])('with the media %j shows %s', async (mediaContent, type) =>
    expect((await read({ mediaContent })).contentType).toBe(type),
  )
  it.each([
    [
      {
        urn: 'urn:li:company:42',
        type: 'company',
        name: 'Acme',
        url: 'https://www.linkedin.com/company/acme',
        headline: ' H ',
      },
      {
        kind: 'company',
        urn: 'urn:li:company:42',
        url: 'https://www.linkedin.com/company/acme',
        name: 'Acme',
        headline: 'H',
      },
    ],
    [
      { id: ada, name: 'Ada', url: 'https://www.linkedin.com/in/Ada' },
      { kind: 'person', urn: ada, url: 'https://www.linkedin.com/in/ada', name: 'Ada', headline: null },
    ],
    [
      { urn: ada, id: zoe },
      { kind: 'person', urn: ada, url: `https://www.linkedin.com/in/${ada}`, name: null, headline: null },
    ],
  ])('by %j is by %j', async (author, by) => expect((await read({ author })).author).toEqual(by))
})

describe('a search', () => {
  const search: PostSearch = { term: 'x', sort: 'RELEVANCE', datePosted: 'PAST_WEEK', contentType: null, filters: {} }
  const found = (more: object = {}) => ({
    postID: '7',
    postURL: 'https://www.linkedin.com/posts/a-activity-7-x',
    text: 'x',
    ...more,
  })
  const ask = async (filters: SearchFilters, cursor: PageCursor | null, data: object) => {
    const { vendor, calls } = stage(ok({ posts: [], ...data }))
    const read = await vendor.searchPosts({ ...search, filters }, cursor)
    return { read, asked: Object.fromEntries(new URL(calls()[0]!, 'https://v.example').searchParams) }
  }
  it('sends every criterion as the vendor names it', async () => {
    const { vendor, calls } = stage(ok({ posts: [] }))
    await vendor.searchPosts(
      {
        term: 'a OR b',
        sort: 'DATE_POSTED',
        datePosted: 'PAST_24_HOURS',
        contentType: 'LIVE_VIDEO',
        filters: {
          authorIndustry: ['1'],
          authorCompany: ['3'],
          fromPerson: [ada],
          fromCompany: ['4', '6'],
          mentionsPerson: [zoe],
          mentionsCompany: ['5'],
        },
      },
      { start: 10 },
    )
    expect(calls()[0]).toMatch(/^\/api\/v1\/search\/posts\?/)
    expect(Object.fromEntries(new URL(calls()[0]!, 'https://v.example').searchParams)).toEqual({
      keyword: 'a or b',
      start: '10',
      sortBy: 'date_posted',
      datePosted: 'past-24h',
      contentType: 'liveVideos',
      fromOrganization: '4,6',
      mentionsOrganization: '5',
      authorIndustry: '1',
      authorCompany: '3',
      fromMember: ada,
      mentionsMember: zoe,
    })
    expect((await ask({}, null, {})).asked).toEqual({
      keyword: 'x',
      start: '0',
      sortBy: 'relevance',
      datePosted: 'past-week',
    })
    const month = stage(ok({ posts: [] }))
    await month.vendor.searchPosts({ ...search, datePosted: 'PAST_MONTH' }, null)
    expect(month.calls()[0]).toContain('datePosted=past-month')
  })
  it.each([
    ['VIDEO', 'videos'],
    ['IMAGE', 'photos'],
    ['JOB', 'jobs'],
    ['DOCUMENT', 'documents'],
    ['COLLABORATIVE_ARTICLE', 'collaborativeArticles'],
  ] as const)('for %s asks for %s', async (contentType, word) => {
    const { vendor, calls } = stage(ok({ posts: [] }))
    await vendor.searchPosts({ ...search, contentType }, null)
    expect(calls()[0]).toContain(`contentType=${word}`)
  })
  it.each([
    [{ posts: [found()], hasMore: true, total: 9 }, null, { start: 1, total: 9 }, 9, false],
    [{ posts: [found()], hasMore: true }, { start: 10, total: 9 }, { start: 11, total: 9 }, 9, false],
    [{ posts: [found()], hasMore: false, total: 9 }, null, null, 9, false],
    [{ posts: [found()], total: 2 }, null, { start: 1, total: 2 }, 2, false],
    [{ posts: [found()], total: 1 }, null, null, 1, false],
    [{ posts: [], total: 1 }, null, null, 1, true],
    [{ posts: [], hasMore: true }, null, null, null, true],
    [{ posts: [], hasMore: false }, null, null, null, false],
    [{ posts: [found()], hasMore: true }, { start: 1_998 }, { start: 1_999, total: null }, null, false],
    [{ posts: [found()], hasMore: true }, { start: 1_999 }, null, null, false],
  ])('answered with %j at %j goes on at %j of %s, cut short: %s', async (data, at, next, total, cutShort) =>
    expect((await ask({}, at, data)).read).toMatchObject({ next, total, cutShort, unapplied: [] }),
  )
  it('takes a turn for every choice of what one call takes once, the first filter changing fastest', async () => {
    const filters = { authorIndustry: ['1', '2'], authorCompany: [], fromPerson: ['a', 'b', 'c'] }
    const chosen = async (turn: number) => {
      const { asked } = await ask(filters, { turn, start: 0, seen: 0 }, {})
      return [asked.authorIndustry, asked.authorCompany, asked.fromMember]
    }
    expect([await chosen(0), await chosen(1), await chosen(2), await chosen(5)]).toEqual([
      ['1', undefined, 'a'],
      ['2', undefined, 'a'],
      ['1', undefined, 'b'],
      ['2', undefined, 'c'],
    ])
  })
  it.each([
    [
      { posts: [found()], hasMore: true, total: 9 },
      { turn: 0, start: 3, seen: 5 },
      { turn: 0, start: 4, seen: 6 },
      false,
    ],
    [
      { posts: [found()], hasMore: false, total: 9 },
      { turn: 0, start: 3, seen: 5 },
      { turn: 1, start: 0, seen: 6 },
      false,
    ],
    [{ posts: [], hasMore: true }, { turn: 0, start: 3, seen: 5 }, { turn: 1, start: 0, seen: 5 }, true],
    [{ posts: [found()], hasMore: false }, { turn: 1, start: 3, seen: 5 }, null, false],
    [
      { posts: [found()], hasMore: true },
      { turn: 0, start: 3, seen: 1_998 },
      { turn: 0, start: 4, seen: 1_999 },
      false,
    ],
    [{ posts: [found()], hasMore: true }, { turn: 0, start: 3, seen: 1_999 }, null, false],
    [{ posts: [found()], hasMore: true, total: 9 }, null, { turn: 0, start: 1, seen: 1 }, false],
  ])('of two turns, answered with %j at %j goes on at %j, cut short: %s', async (data, at, next, cutShort) =>
    expect((await ask({ fromPerson: ['a', 'b'] }, at, data)).read).toMatchObject({ next, total: null, cutShort }),
  )
  it('takes fifty turns at most, and says that some are missing', async () => {
    const many = (count: number) => ({ fromPerson: Array.from({ length: count }, (_, at) => `p${at}`) })
    const last = async (count: number, turn: number) => {
      const { read } = await ask(many(count), { turn, start: 0, seen: 0 }, { posts: [found()], hasMore: false })
      return [read.next === null, read.cutShort]
    }
    expect([await last(50, 48), await last(50, 49), await last(51, 48), await last(51, 49)]).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [true, true],
    ])
  })
  it('looks at headlines itself, at the whole term where not all was sent, and leaves reposts out', async () => {
    const posts = [
      found({ author: { urn: ada, headline: 'Founder' } }),
      found({ postID: '8', postURL: null, author: { urn: ada, headline: 'Chef' }, text: `x ${'word '.repeat(30)}end` }),
      found({ postID: '9', postURL: null, header: 'Ada reposted this' }),
      found({ postID: 'x', postURL: null }),
    ]
    const kept = async (change: Partial<PostSearch>) =>
      (await stage(ok({ posts })).vendor.searchPosts({ ...search, ...change }, null)).items.map(({ urn }) =>
        urn.slice(-1),
      )
    expect(await kept({})).toEqual(['7', '8'])
    expect(await kept({ filters: { authorKeyword: ['chef'] } })).toEqual(['8'])
    expect(await kept({ term: `${'word '.repeat(20)}end` })).toEqual(['8'])
    expect((await failureOf(stage(ok({ posts: [7] })).vendor.searchPosts(search, null))).message).toBe(
      'linkdapi searchPosts: no row is a post',
    )
    expect((await failureOf(stage(ok({})).vendor.searchPosts(search, null))).message).toBe(
      'linkdapi searchPosts: the answer has no posts',
    )
  })
})

describe('reactions', () => {
  const like = (actor: object, reactionType?: string) => ({ actor, reactionType })
  it('are read ten a page, each with whoever reacted', async () => {
    const { vendor, calls } = stage(
      ok({
        likes: [
          like(
            {
              urn: ada,
              name: 'Ada',
              headline: 'H',
              url: 'https://www.linkedin.com/in/ada',
              profilePictureURL: 'https://img.example/p',
            },
            'PRAISE',
          ),
          like({ id: zoe }),
          like({ type: 'company', id: '42', name: 'Acme' }),
          like({ name: 'Nobody' }),
        ],
        pages: 3,
        totalLikes: 25,
      }),
    )
    const read = await vendor.reactions(post, null)
    expect(read.items).toEqual([
      {
        reaction: 'Praise',
        actor: {
          kind: 'person',
          urn: ada,
          name: 'Ada',
          headline: 'H',
          handle: 'ada',
          linkedinUrl: 'https://www.linkedin.com/in/ada',
          avatarUrl: 'https://img.example/p',
        },
      },
      { reaction: 'Like', actor: expect.objectContaining({ urn: zoe }) },
      {
        reaction: 'Like',
        actor: { kind: 'company', name: 'Acme', linkedinUrl: 'https://www.linkedin.com/company/42' },
      },
    ])
    expect(read).toMatchObject({ next: { start: 10 }, total: 25, cutShort: false })
    await vendor.reactions(post, read.next)
    expect(calls()).toEqual(['/api/v1/posts/likes?urn=7&start=0', '/api/v1/posts/likes?urn=7&start=10'])
  })
  it.each([
    [{ start: 10 }, { likes: [like({ id: ada })], pages: 3, totalLikes: 25 }, { start: 20 }, false],
    [{ start: 20 }, { likes: [like({ id: ada })], pages: 3, totalLikes: 30 }, null, false],
    [{ start: 20 }, { likes: [like({ id: ada })], pages: 3, totalLikes: 31 }, null, true],
    [{ start: 15 }, { likes: [like({ id: ada })], pages: 2, totalLikes: 20 }, null, false],
    [{ start: 20 }, { likes: [], pages: 3, totalLikes: 25 }, null, true],
  ])('at %j answered with %j go on at %j, cut short: %s', async (at, data, next, cutShort) =>
    expect(await stage(ok(data)).vendor.reactions(post, at)).toMatchObject({ next, cutShort }),
  )
  it('without a list, or of which no row has the shape, are refused', async () => {
    expect((await failureOf(stage(ok({})).vendor.reactions(post, null))).message).toBe(
      'linkdapi reactions: the answer has no likes',
    )
    expect((await failureOf(stage(ok({ likes: [7] })).vendor.reactions(post, null))).message).toBe(
      'linkdapi reactions: no row is a reaction',
    )
  })
})

describe('comments', () => {
  const base = 'https://www.linkedin.com/feed/update/urn:li:activity:7'
  const comment = (query: string, more: object = {}) => ({
    author: { urn: ada },
    permalink: `${base}?${query}`,
    ...more,
  })
  it('are read by place and cursor, parents first', async () => {
    const { vendor, calls } = stage(
      ok({
        comments: [
          comment('commentUrn=1&replyUrn=2', { comment: ' Text ', createdAt: Date.UTC(2026, 0, 2) }),
          comment('commentUrn=1'),
          comment('x=1'),
          comment('commentUrn=3', { author: { name: 'Nobody' } }),
        ],
        cursor: 'c',
        totalComments: 9,
      }),
    )
    const read = await vendor.comments(post, null)
    expect(read.items.map(({ id, parentId, text, postedAt }) => [id, parentId, text, postedAt])).toEqual([
      ['1', null, null, null],
      ['2', '1', 'Text', '2026-01-02T00:00:00.000Z'],
    ])
    expect(read).toMatchObject({ next: { start: 4, cursor: 'c' }, total: 9, cutShort: false, moreReplies: [] })
    await vendor.comments(post, read.next)
    expect(calls()).toEqual([
      '/api/v1/posts/comments?urn=7&start=0&count=10',
      '/api/v1/posts/comments?urn=7&start=4&count=10&cursor=c',
    ])
  })
  it.each([
    [null, { comments: [comment('commentUrn=1')], cursor: '' }, null, false],
    [null, { comments: [comment('commentUrn=1')], cursor: null }, null, false],
    [{ start: 5, cursor: 'c' }, { comments: [comment('commentUrn=1')], cursor: 'c' }, null, false],
    [
      { start: 5, cursor: 'c' },
      { comments: [comment('commentUrn=1')], cursor: 'd', total: 6 },
      { start: 6, cursor: 'd' },
      false,
    ],
    [null, { comments: [], cursor: 'd' }, null, true],
    [{ start: 5 }, { comments: [], total: 6, totalComments: 5 }, null, true],
    [{ start: 5 }, { comments: [], total: 5 }, null, false],
    [{ start: 5 }, { comments: [] }, null, false],
  ])('at %j answered with %j go on at %j, cut short: %s', async (at, data, next, cutShort) =>
    expect(await stage(ok(data)).vendor.comments(post, at)).toMatchObject({ next, cutShort }),
  )
  it('without a list, or of which no row has the shape, are refused; replies cannot be asked for', async () => {
    expect((await failureOf(stage(ok({})).vendor.comments(post, null))).message).toBe(
      'linkdapi comments: the answer has no comments',
    )
    expect((await failureOf(stage(ok({ comments: [7] })).vendor.comments(post, null))).message).toBe(
      'linkdapi comments: no row is a comment',
    )
    expect((await failureOf(stage().vendor.replies(post, { commentId: '1', cursor: {} }))).message).toBe(
      'linkdapi replies: replies come with the comments',
    )
  })
})
