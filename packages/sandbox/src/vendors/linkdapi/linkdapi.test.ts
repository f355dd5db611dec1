import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyHarvestRow, everyLinkdRow, startTestSandbox, type TestSandbox } from '../../testing/client.ts'

const ok = <T extends z.ZodType>(data: T) =>
  z.strictObject({ success: z.literal(true), statusCode: z.literal(200), message: z.string(), errors: z.null(), data })
const postShape = z.object({
  text: z.string(),
  url: z.url(),
  urn: z.string().regex(/^urn:li:activity:\d{19}$/),
  author: z.object({
    name: z.string(),
    headline: z.string(),
    urn: z.string(),
    id: z.string().regex(/^(urn:li:member:)?\d+$/),
    url: z.url(),
    profilePictureURL: z.string().optional(),
    type: z.string().optional(),
  }),
  postedAt: z.object({ timestamp: z.number(), fullDate: z.string(), relativeDay: z.string() }).nullable(),
  edited: z.boolean(),
  engagements: z.object({
    totalReactions: z.number(),
    commentsCount: z.number(),
    repostsCount: z.number(),
    reactions: z.array(z.strictObject({ reactionType: z.string(), reactionCount: z.number() })),
  }),
  mediaContent: z.array(z.object({ type: z.enum(['image', 'video', 'article', 'document']), url: z.url() })).nullable(),
  resharedPostContent: z.object({ urn: z.string() }).nullable(),
})
const author = z.strictObject({
  name: z.string(),
  headline: z.string(),
  urn: z.string(),
  id: z.string(),
  url: z.string(),
  profilePictureURL: z.string(),
})

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

describe('the doorman', () => {
  it('turns library user agents away as Cloudflare does', async () => {
    for (const agent of ['node', 'undici', '', 'axios/1.7']) {
      const { status, text } = await sandbox.linkd(
        '/api/v1/profile/full',
        { username: 'jane-doe' },
        { 'user-agent': agent, 'x-linkdapi-apikey': 'key' },
      )
      expect([agent, status, text]).toEqual([agent, 403, 'error code: 1010'])
    }
  })

  it('refuses a missing or bad key', async () => {
    for (const headers of [{}, { 'x-linkdapi-apikey': 'bad-key' }]) {
      const { status, json } = await sandbox.linkd(
        '/api/v1/profile/full',
        { username: 'jane-doe' },
        headers as Record<string, string>,
      )
      expect([status, json.success, json.statusCode]).toEqual([401, false, 401])
    }
  })
})

describe('single reads', () => {
  it('resolve a user name', async () => {
    const { json } = await sandbox.linkd('/api/v1/profile/username-to-urn', { username: 'jane-doe' })
    const told = z.strictObject({ urn: z.string().regex(/^ACoAA[\w-]{34}$/), username: z.literal('jane-doe') })
    expect(ok(told).safeParse(json)).toMatchObject({ success: true })
  })

  it('give the full profile by name and urn, and the overview', async () => {
    const person = sandbox.world.seedPerson({
      handle: 'jane-doe',
      country: 'FR',
      positions: [
        { title: 'Intern', companyName: 'Old', end: { year: 2019 } },
        { title: 'CTO', company: 'nord-logic' },
      ],
    })
    const full = await sandbox.linkd('/api/v1/profile/full', { username: 'jane-doe' })
    expect((await sandbox.linkd('/api/v1/profile/full', { urn: person.id })).json).toEqual(full.json)
    ok(
      z.object({
        urn: z.literal(person.id),
        username: z.literal('jane-doe'),
        geo: z.object({ countryCode: z.literal('fr'), country: z.string() }),
        currentPositions: z.array(z.unknown()).length(1),
        fullPositions: z.array(z.object({ companyId: z.number(), end: z.object({ year: z.number() }) })).length(2),
      }),
    ).parse(full.json)
    expect(full.json.data.fullPositions[1]).toMatchObject({
      title: 'CTO',
      companyUsername: 'nord-logic',
      end: { year: 0 },
    })
    const overview = await sandbox.linkd('/api/v1/profile/overview', { username: 'jane-doe' })
    expect(overview.json.data).toMatchObject({
      urn: person.id,
      location: { countryCode: 'fr', countryName: 'France' },
      CurrentPositions: [{ name: 'Nord Logic' }],
    })
  })

  it('give a company by id and name, flat and wrapped', async () => {
    const { json } = await sandbox.linkd('/api/v1/companies/company/universal-name-to-id', { universalName: 'acme' })
    const flat = await sandbox.linkd('/api/v1/companies/company/info', { id: json.data.id })
    const wrapped = await sandbox.linkd('/api/v1/companies/company/info-v2', { id: json.data.id })
    ok(
      z.object({
        id: z.string(),
        universalName: z.literal('acme'),
        images: z.object({ logo: z.string(), cover: z.string() }),
        staffCount: z.number(),
        staffCountRange: z.string().endsWith(' employees'),
        headquarter: z.object({ countryCode: z.string() }).nullable(),
        industriesV2: z.array(z.string()),
        founded: z.object({ year: z.number() }),
      }),
    ).parse(flat.json)
    expect(wrapped.json.data.company).toEqual(flat.json.data)
    expect((await sandbox.linkd('/api/v1/companies/company/info', { name: 'acme' })).json).toEqual(flat.json)
  })

  it('say not found inside HTTP 200, and 422 for a malformed number', async () => {
    for (const [path, query] of [
      ['profile/username-to-urn', { username: 'nobody-x' }],
      ['profile/full', { username: 'missing-x' }],
      ['companies/company/universal-name-to-id', { universalName: 'missing-x' }],
      ['posts/info', { urn: '9100000000000000000' }],
      ['posts/likes', { urn: '12' }],
    ] as const) {
      const { status, json } = await sandbox.linkd(`/api/v1/${path}`, query)
      expect([path, status, json.success, json.statusCode, json.data]).toEqual([path, 200, false, 404, null])
    }
    expect((await sandbox.linkd('/api/v1/posts/likes', { urn: 'urn:li:activity:7500000000000000000' })).status).toBe(
      422,
    )
    expect((await sandbox.linkd('/api/v1/profile/full')).status).toBe(422)
    expect((await sandbox.linkd('/api/v1/unheard/of')).status).toBe(404)
  })

  it('count credits, and name the tier', async () => {
    await sandbox.linkd('/api/v1/profile/overview', { username: 'jane-doe' })
    await sandbox.linkd('/api/v1/profile/full', { username: 'nobody-x' })
    expect((await sandbox.linkd('/api/i/v1/credits/balance/k/')).json.data).toEqual({ balance: 49_998 })
    expect((await sandbox.linkd('/api/i/v1/credits/tier/k/')).json.data).toMatchObject({
      balance: 49_998,
      current_tier: { name: 'Business', limit_per_minute: 6_000 },
    })
    expect((await sandbox.linkd('/api/i/v1/credits/tier/k')).status).toBe(404)
  })
})

describe('lists', () => {
  it('give 100 posts, then 20 by cursor, each once, with the text of about a third withheld', async () => {
    const person = sandbox.world.seedPerson({ handle: 'jane-doe', posts: Array.from({ length: 150 }, () => ({})) })
    const first = await sandbox.linkd('/api/v1/posts/all', { urn: person.id })
    ok(z.strictObject({ cursor: z.string(), posts: z.array(postShape).length(100) })).parse(first.json)
    expect(
      (await sandbox.linkd('/api/v1/posts/all', { urn: person.id, cursor: first.json.data.cursor })).json.data.posts,
    ).toHaveLength(20)
    const rows = await everyLinkdRow(sandbox, '/api/v1/posts/all', { urn: person.id, list: 'posts' })
    expect(new Set(rows.map((row) => row.urn)).size).toBe(150)
    const silent = rows.filter((row) => row.text === '')
    expect(silent.length).toBeGreaterThan(30)
    expect(silent.length).toBeLessThan(75)
    const info = await sandbox.linkd('/api/v1/posts/info', { urn: silent[0].urn.replace('urn:li:activity:', '') })
    ok(z.strictObject({ post: postShape, comments: z.array(z.unknown()) })).parse(info.json)
    expect(info.json.data.post.text).not.toBe('')
  })

  it('give company posts by numeric id', async () => {
    const { json } = await sandbox.linkd('/api/v1/companies/company/posts', {
      id: sandbox.world.company('acme')?.id ?? '',
    })
    ok(z.strictObject({ posts: z.array(postShape).length(20) })).parse(json)
    const { id } = sandbox.world.company('acme')!
    expect(json.data.posts[0].author).toMatchObject({ type: 'COMPANY', id, urn: `urn:li:fsd_company:${id}` })
  })

  it('give likes by ten up to the wall', async () => {
    const post = sandbox.world.postsOf('viral-anna').find(({ reactions }) => reactions.length === 2400)?.id ?? ''
    const { json } = await sandbox.linkd('/api/v1/posts/likes', { urn: post, start: 20 })
    ok(
      z.strictObject({
        currentPage: z.literal(3),
        pages: z.literal(240),
        totalLikes: z.literal(2400),
        likes: z.array(z.strictObject({ actor: author, reactionType: z.string() })).length(10),
      }),
    ).parse(json)
    const rows = await everyLinkdRow(sandbox, '/api/v1/posts/likes', { urn: post, list: 'likes', step: 10 })
    expect(new Set(rows.map((row) => row.actor.urn)).size).toBe(1100)
  })

  it('give comments and replies flat by cursor, with ids only in the permalinks', async () => {
    const post = sandbox.world.seedPost({
      author: 'jane-doe',
      comments: Array.from({ length: 14 }, (_, i) => ({
        person: `reader-${i}`,
        replies: i % 2 ? [{ person: 'jane-doe' }, { person: 'bob-c' }] : [],
      })),
    })
    const rows = await everyLinkdRow(sandbox, '/api/v1/posts/comments', { urn: post.id, count: 10, list: 'comments' })
    const row = z.strictObject({
      author,
      comment: z.string(),
      createdAt: z.number(),
      permalink: z.url(),
      edited: z.boolean(),
      isPinned: z.boolean(),
      engagements: z.object({ totalReactions: z.number() }),
    })
    for (const entry of rows) row.parse(entry)
    const ids = rows.map(({ permalink }) => {
      const params = new URL(permalink).searchParams
      const urn = params.get('replyUrn') ?? params.get('commentUrn') ?? ''
      expect(params.get('dashReplyUrn') ?? params.get('dashCommentUrn')).toContain('urn:li:fsd_comment:(')
      return /,(\d+)\)$/.exec(urn)?.[1]
    })
    expect(ids).toEqual(post.comments.flatMap((comment) => [comment.id, ...comment.replies.map((reply) => reply.id)]))
    expect(rows.filter(({ permalink }) => permalink.includes('replyUrn='))).toHaveLength(14)
  })
})

describe('both vendors', () => {
  it('show the same person, company, posts, reactors and comments', async () => {
    const [profile, full] = [
      (await sandbox.harvest('/linkedin/profile', { query: 'jane-doe' })).json.element,
      (await sandbox.linkd('/api/v1/profile/full', { username: 'jane-doe' })).json.data,
    ]
    expect([
      profile.id,
      profile.firstName,
      profile.headline,
      profile.location.countryCode ?? '',
      profile.experience.map((job: any) => job.position),
    ]).toEqual([
      full.urn,
      full.firstName,
      full.headline,
      full.geo.countryCode.toUpperCase(),
      full.fullPositions.map((job: any) => job.title),
    ])
    const [a, b] = [
      (await sandbox.harvest('/linkedin/company', { universalName: 'acme' })).json.element,
      (await sandbox.linkd('/api/v1/companies/company/info', { name: 'acme' })).json.data,
    ]
    expect([a.id, a.name, a.employeeCount, a.industries[0].name]).toEqual([
      b.id,
      b.name,
      b.staffCount,
      b.industriesV2[0],
    ])
    const posts = await everyHarvestRow(sandbox, '/linkedin/profile-posts', { profile: 'viral-anna' })
    const same = await everyLinkdRow(sandbox, '/api/v1/posts/all', { urn: posts[0].author.id, list: 'posts' })
    expect(
      posts.map((post) => [
        `urn:li:activity:${post.id}`,
        post.postedAt.timestamp,
        post.engagement.likes,
        post.engagement.comments,
      ]),
    ).toEqual(
      same.map((post) => [
        post.urn,
        post.postedAt.timestamp,
        post.engagements.totalReactions,
        post.engagements.commentsCount,
      ]),
    )
    const viral = posts.find((post) => post.engagement.likes === 2400).id
    expect(
      (await everyHarvestRow(sandbox, '/linkedin/post-reactions', { post: viral })).map((row) => [
        row.actor.id,
        row.reactionType,
      ]),
    ).toEqual(
      (await everyLinkdRow(sandbox, '/api/v1/posts/likes', { urn: viral, list: 'likes', step: 10 })).map((row) => [
        row.actor.urn,
        row.reactionType,
      ]),
    )
    const tops = await everyHarvestRow(sandbox, '/linkedin/post-comments', { post: viral })
    const flat = await everyLinkdRow(sandbox, '/api/v1/posts/comments', { urn: viral, count: 50, list: 'comments' })
    const idOf = (permalink: string): string =>
      /,(\d+)\)$/.exec(new URL(permalink).searchParams.get('commentUrn') ?? '')?.[1] ?? ''
    expect(
      new Set(flat.filter(({ permalink }) => !permalink.includes('replyUrn')).map(({ permalink }) => idOf(permalink))),
    ).toEqual(new Set(tops.map(({ id }) => id)))
    const slugs = new Map(flat.map((row) => [row.author.urn, row.author.url]))
    for (const row of tops) expect(slugs.get(row.actor.id)).toBe(row.actor.linkedinUrl)
    expect(flat).toHaveLength(posts.find((post) => post.id === viral).engagement.comments)
  })
})
