import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyHarvestRow, startTestSandbox, TEST_NOW, type TestSandbox } from '../../testing/client.ts'

const MEMBER = /^ACoAA[A-Za-z0-9_-]{34}$/
const POST = /^7\d{18}$/
const base = {
  status: z.literal(200),
  error: z.null(),
  query: z.record(z.string(), z.unknown()),
  originalQuery: z.record(z.string(), z.unknown()),
  entityId: z.string(),
  requestId: z.uuid(),
  retries: z.number(),
  payments: z.array(z.string().regex(/^linkedin/)),
  cost: z.literal(0.004),
  user: z.strictObject({ membershipTier: z.string(), planName: z.string(), requestsConcurrency: z.literal(20) }),
}
const pagination = z.strictObject({
  totalElements: z.number(),
  totalPages: z.number(),
  pageNumber: z.number(),
  previousElements: z.number(),
  pageSize: z.number(),
  paginationToken: z.string().nullable(),
})
const picture = z.object({ url: z.url(), width: z.number(), height: z.number(), expiresAt: z.number() }).nullable()
const postShape = z.object({
  id: z.string().regex(POST),
  entityId: z.string(),
  linkedinUrl: z.string().regex(/^https:\/\/www\.linkedin\.com\/posts\/[^/]+-activity-\d{19}-\w{4}$/),
  content: z.string(),
  contentAttributes: z.array(z.unknown()),
  author: z.object({
    id: z.string(),
    profileId: z.string().nullable(),
    urn: z.string(),
    publicIdentifier: z.string().nullable(),
    universalName: z.string().nullable(),
    type: z.enum(['profile', 'company']),
    name: z.string(),
    linkedinUrl: z.url(),
    info: z.string().nullable(),
    website: z.null(),
    avatar: picture,
  }),
  postedAt: z.object({
    timestamp: z.number(),
    date: z.iso.datetime(),
    postedAgoShort: z.string(),
    postedAgoText: z.string(),
  }),
  postImages: z.array(z.unknown()),
  header: z.object({ text: z.string().nullable() }),
  repostId: z.string().nullable(),
  shareUrn: z.string().regex(/^urn:li:share:\d{19}$/),
  shareLinkedinUrl: z.url(),
  socialContent: z.object({}),
  engagement: z.object({
    id: z.string().regex(POST),
    likes: z.number(),
    comments: z.number(),
    shares: z.number(),
    reactions: z.array(z.object({ type: z.string(), count: z.number() })),
  }),
  comments: z.array(z.unknown()),
})
const reactionShape = z.strictObject({
  id: z
    .string()
    .regex(/^urn:li:fsd_reaction:\(urn:li:fsd_(profile:ACoAA[\w-]{34}|company:\d+),urn:li:activity:\d{19},0\)$/),
  reactionType: z.enum(['LIKE', 'PRAISE', 'EMPATHY', 'APPRECIATION', 'INTEREST', 'ENTERTAINMENT']),
  postId: z.string(),
  actor: z.strictObject({
    id: z.string(),
    name: z.string(),
    linkedinUrl: z.string().regex(/\/in\/ACoAA[\w-]{34}$|\/company\/[^/]+\/$/),
    position: z.string().nullable(),
    pictureUrl: z.string().nullable(),
    picture,
  }),
})
const commentFields = {
  id: z.string().regex(POST),
  linkedinUrl: z.string().includes('commentUrn=urn%3Ali%3Acomment%3A%28activity%3A'),
  commentary: z.string(),
  commentaryAttributes: z.array(z.unknown()),
  createdAt: z.iso.datetime(),
  createdAtTimestamp: z.number(),
  postId: z.string().startsWith('urn:li:activity:'),
  actor: z.object({
    id: z.string(),
    type: z.enum(['profile', 'company']),
    name: z.string(),
    linkedinUrl: z.string().regex(/\/in\/[a-z0-9A-Z_-]+$|\/company\/[^/]+\/$/),
    position: z.string().nullable(),
    pictureUrl: z.string().nullable(),
    picture,
    author: z.boolean(),
  }),
  engagement: z.object({
    likes: z.number(),
    comments: z.number(),
    shares: z.number(),
    reactions: z.array(z.unknown()),
  }),
  pinned: z.boolean(),
  contributed: z.boolean(),
  edited: z.boolean(),
}
const commentShape = z.strictObject({
  ...commentFields,
  replies: z.array(z.strictObject(commentFields)).min(1).max(5).optional(),
})

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

const viralPost = (): string =>
  sandbox.world.postsOf('viral-anna').find((post) => post.reactions.length === 2400)?.id ?? ''

describe('single reads', () => {
  it('resolve a handle by slug and by URL', async () => {
    const bySlug = await sandbox.harvest('/linkedin/profile-id', { publicIdentifier: 'jane-doe' })
    const byUrl = await sandbox.harvest('/linkedin/profile-id', { url: 'https://www.linkedin.com/in/jane-doe/?x=1' })
    z.strictObject({ element: z.object({ id: z.string().regex(MEMBER) }), ...base }).parse(bySlug.json)
    expect(byUrl.json.element).toEqual(bySlug.json.element)
  })

  it('give a profile by slug, URL, id and reactor URL, with the first job in the documented places', async () => {
    const person = sandbox.world.seedPerson({
      handle: 'jane-doe',
      country: 'FR',
      positions: [
        { title: 'Intern', companyName: 'Old', end: { year: 2019 } },
        { title: 'CTO', company: 'nord-logic' },
        { title: 'Advisor', companyName: 'Self' },
      ],
    })
    const answers = await Promise.all(
      [
        { query: 'jane-doe' },
        { url: 'https://www.linkedin.com/in/jane-doe' },
        { publicIdentifier: 'Jane-Doe' },
        { profileId: person.id },
        { query: `https://www.linkedin.com/in/${person.id}` },
      ].map((query) => sandbox.harvest('/linkedin/profile', query)),
    )
    for (const { json } of answers) expect(json.element).toEqual(answers[0]?.json.element)
    const element = answers[0]?.json.element
    z.object({
      id: z.literal(person.id),
      publicIdentifier: z.literal('jane-doe'),
      objectUrn: z.string().startsWith('urn:li:member:'),
      location: z.object({ parsed: z.object({ countryFull: z.literal('France'), countryCode: z.literal('FR') }) }),
    }).parse(element)
    expect(element.experience.map((job: any) => [job.position, job.endDate.text])).toEqual([
      ['Intern', 'Jan 2019'],
      ['CTO', 'Present'],
      ['Advisor', 'Present'],
    ])
    expect(element.currentPosition.map((job: any) => job.position)).toEqual(['CTO', 'Advisor'])
    expect(element.currentPosition[0]).toMatchObject({
      companyUniversalName: 'nord-logic',
      companyId: sandbox.world.company('nord-logic')?.id,
    })
    expect(element.currentPosition[1].companyLinkedinUrl).toContain('/search/results/all/?keywords=')
    expect(element.currentPosition[1]).not.toHaveProperty('companyId')
  })

  it('shorten the jobs of a main profile', async () => {
    sandbox.world.seedPerson({
      handle: 'jane-doe',
      positions: Array.from({ length: 8 }, (_, i) => ({ title: `Job ${i}`, companyName: 'X' })),
    })
    expect(
      (await sandbox.harvest('/linkedin/profile', { publicIdentifier: 'jane-doe', main: 'true' })).json.element
        .experience,
    ).toHaveLength(5)
  })

  it('give a company by slug, URL, id and search', async () => {
    const company = sandbox.world.company('acme-rockets')
    const answers = await Promise.all(
      [
        { universalName: 'acme-rockets' },
        { url: 'https://www.linkedin.com/company/acme-rockets/about' },
        { companyId: company?.id ?? '' },
        { query: 'acme-rockets' },
        { search: 'Acme Rockets' },
      ].map((query) => sandbox.harvest('/linkedin/company', query)),
    )
    for (const { json } of answers) expect(json.element).toEqual(answers[0]?.json.element)
    z.strictObject({
      ...base,
      element: z.object({
        id: z.string().regex(/^\d+$/),
        universalName: z.literal('acme-rockets'),
        name: z.string(),
        employeeCountRange: z.object({ start: z.number(), end: z.number().nullable() }),
        industries: z.array(z.object({ id: z.string(), name: z.string(), urn: z.string(), title: z.string() })),
        locations: z.array(z.object({ headquarter: z.boolean(), parsed: z.object({ countryFull: z.string() }) })),
      }),
    }).parse(answers[0]?.json)
  })

  it('give one post by its own address, by activity, by share and by ugcPost', async () => {
    const [post] = sandbox.world.postsOf('jane-doe')
    const first = await sandbox.harvest('/linkedin/post', {
      url: `https://www.linkedin.com/feed/update/urn:li:activity:${post?.id}/`,
    })
    postShape.parse(first.json.element)
    expect(first.json.element).toMatchObject({
      id: post?.id,
      author: { publicIdentifier: 'jane-doe', type: 'profile' },
    })
    const { linkedinUrl, shareUrn } = first.json.element
    for (const url of [linkedinUrl, shareUrn, shareUrn.replace('share', 'ugcPost')])
      expect((await sandbox.harvest('/linkedin/post', { url })).json.element.id).toBe(post?.id)
  })

  it('show a repost with its original', async () => {
    const original = sandbox.world.seedPost({ author: 'bob-c', text: 'first!' })
    const post = sandbox.world.seedPost({ author: 'jane-doe', text: null, repostOf: original.id })
    const { json } = await sandbox.harvest('/linkedin/post', { url: post.id })
    expect(json.element).toMatchObject({
      repostId: original.id,
      repost: { id: original.id, content: 'first!' },
      header: { text: expect.stringContaining('reposted this') },
      repostedBy: { publicIdentifier: 'jane-doe' },
    })
  })

  it('say 404 for what does not exist and 400 for a call without its parameter', async () => {
    for (const [path, query] of [
      ['profile-id', { publicIdentifier: 'nobody-x' }],
      ['profile', { query: 'missing-x' }],
      ['company', { universalName: 'missing-x' }],
      ['profile-posts', { profile: 'nobody-x' }],
      ['company-posts', { companyUniversalName: 'nobody-x' }],
      ['post', { url: 'urn:li:activity:9100000000000000000' }],
      ['post-reactions', { post: '123' }],
      ['post-comments', { post: 'x' }],
    ] as const) {
      const answer = await sandbox.harvest(`/linkedin/${path}`, query)
      expect([path, answer.status, answer.json.status, answer.json.cost]).toEqual([path, 404, 404, 0])
      expect(answer.json).not.toHaveProperty('element')
      expect((await sandbox.harvest(`/linkedin/${path}`)).status).toBe(400)
    }
    expect((await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', page: '0' })).json).toEqual({
      error: 400,
      message: 'page must be a whole number from 1',
    })
    expect((await sandbox.harvest('/linkedin/unheard-of')).status).toBe(404)
  })
})

describe('keys and money', () => {
  it('refuse a missing or bad key as documented', async () => {
    for (const headers of [{}, { 'x-api-key': 'bad-key' }]) {
      const { status, json } = await sandbox.harvest(
        '/linkedin/profile',
        { query: 'jane-doe' },
        headers as Record<string, string>,
      )
      expect([status, json.error]).toEqual([401, { error: 'Invalid API key', status: 401 }])
      expect(Object.keys(json)).toEqual(['status', 'error', 'timestamp', 'path'])
    }
  })

  it('count the dollars of a key', async () => {
    await sandbox.harvest('/linkedin/profile', { query: 'jane-doe' })
    const { json } = await sandbox.harvest('/users/my-api-user')
    expect(json).toMatchObject({
      user: { totalBalance: 779.996, activePackages: [{ amountRemaining: 779.996 }], requestsConcurrency: 20 },
      usage: { balance: 779.996 },
    })
  })

  it('let 20 calls run and 10 queue, and refuse the rest with 429', async () => {
    sandbox.world.limits({ harvestapiConcurrency: 2, harvestapiQueue: 3 })
    sandbox.world.hold({ operation: 'profile' })
    const calls = Array.from({ length: 7 }, () => sandbox.harvest('/linkedin/profile', { query: 'jane-doe' }))
    await sandbox.world.untilWaiting(2)
    await expect.poll(() => sandbox.world.calls({ status: 429 }).length).toBe(2)
    expect(sandbox.world.waiting()).toBe(2)
    sandbox.world.release()
    expect((await Promise.all(calls)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429])
  })
})

describe('lists', () => {
  it('page posts by 50 with a token, and repeat page 1 without it', async () => {
    const posts = Array.from({ length: 120 }, () => ({}))
    sandbox.world.seedPerson({ handle: 'jane-doe', posts })
    const first = await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', page: 1 })
    z.strictObject({ ...base, pagination, elements: z.array(postShape).length(50) }).parse(first.json)
    expect(first.json.pagination).toMatchObject({
      totalElements: 120,
      totalPages: 3,
      pageNumber: 1,
      previousElements: 0,
      pageSize: 50,
    })
    const trapped = await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', page: 2 })
    expect(trapped.json.elements).toEqual(first.json.elements)
    expect(
      (await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', page: 2, paginationToken: 'nonsense' }))
        .status,
    ).toBe(400)
    const ids = (
      await everyHarvestRow(sandbox, '/linkedin/profile-posts', { profile: 'https://www.linkedin.com/in/jane-doe/' })
    ).map((row) => row.id)
    expect(ids).toEqual(sandbox.world.postsOf('jane-doe').map((post) => post.id))
    expect(new Set(ids).size).toBe(120)
  })

  it('narrow posts by age, and admit it in the totals only for scrapePostedLimit', async () => {
    const all = sandbox.world.postsOf('jane-doe').length
    const week = sandbox.world
      .postsOf('jane-doe')
      .filter((post) => (post.postedAtMs ?? 0) > TEST_NOW - 7 * 86_400_000).length
    const own = (await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', postedLimit: 'week' })).json
    const scraped = (
      await sandbox.harvest('/linkedin/profile-posts', { profile: 'jane-doe', scrapePostedLimit: 'week' })
    ).json
    expect([
      own.elements.length,
      own.pagination.totalElements,
      scraped.elements.length,
      scraped.pagination.totalElements,
    ]).toEqual([week, all, week, week])
  })

  it("list a company's posts", async () => {
    const company = sandbox.world.company('acme')
    for (const query of [
      { companyUniversalName: 'acme' },
      { companyId: company?.id ?? '' },
      { company: 'https://www.linkedin.com/company/acme/' },
    ]) {
      const { json } = await sandbox.harvest('/linkedin/company-posts', query)
      expect(json.elements[0].author).toMatchObject({
        id: company?.id,
        type: 'company',
        universalName: 'acme',
        publicIdentifier: null,
      })
    }
  })

  it('give undated posts a null time', async () => {
    const post = sandbox.world.seedPost({ author: 'jane-doe', postedAt: null })
    expect((await sandbox.harvest('/linkedin/post', { url: post.id })).json.element.postedAt).toBeNull()
  })

  it('cover every reaction exactly once, 100 a page, newest first', async () => {
    const post = sandbox.world.seedPost({ author: 'jane-doe', reactions: 317 })
    const first = (await sandbox.harvest('/linkedin/post-reactions', { post: post.id })).json
    z.strictObject({ ...base, pagination, elements: z.array(reactionShape).length(100) }).parse(first)
    const rows = await everyHarvestRow(sandbox, '/linkedin/post-reactions', {
      post: `https://www.linkedin.com/feed/update/urn:li:activity:${post.id}`,
    })
    expect(new Set(rows.map((row) => row.actor.id)).size).toBe(317)
    expect(rows.map((row) => row.actor.id)).toEqual(
      post.reactions.map((reaction) => sandbox.world.personAt(Number(reaction.actor.key)).id),
    )
  })

  it('stop at the wall of 1,100 reactions though 2,400 are declared', async () => {
    const post = viralPost()
    const rows = await everyHarvestRow(sandbox, '/linkedin/post-reactions', { post })
    expect(rows).toHaveLength(1100)
    expect(new Set(rows.map((row) => row.actor.id)).size).toBe(1100)
    const beyond = await sandbox.harvest('/linkedin/post-reactions', { post, page: 12 })
    expect(beyond.json).toMatchObject({ elements: [], pagination: { totalElements: 2400, totalPages: 24 } })
    expect(rows.some((row) => row.actor.linkedinUrl.includes('/company/'))).toBe(true)
    for (const row of rows) reactionShape.parse(row)
  })

  it('page comments by 100: by date without a token, by relevance with it; totals are of top comments', async () => {
    const post = sandbox.world.seedPost({
      author: 'jane-doe',
      comments: Array.from({ length: 130 }, (_, i) => ({
        person: `reader-${i}`,
        replies: i === 0 ? Array.from({ length: 12 }, () => ({ person: 'jane-doe' })) : [],
      })),
    })
    for (const sortBy of ['date', 'relevance']) {
      const rows = await everyHarvestRow(sandbox, '/linkedin/post-comments', { post: post.id, sortBy })
      expect(new Set(rows.map((row) => row.id)).size).toBe(130)
    }
    const first = (await sandbox.harvest('/linkedin/post-comments', { post: post.id })).json
    z.strictObject({ ...base, pagination, elements: z.array(commentShape).length(100) }).parse(first)
    expect(first.pagination).toMatchObject({ totalElements: 130, pageSize: 100 })
    expect((await sandbox.harvest('/linkedin/post-comments', { post: post.id, page: 2 })).json.elements).toEqual(
      first.elements,
    )
    const byDate = (
      await sandbox.harvest('/linkedin/post-comments', { post: post.id, sortBy: 'date' })
    ).json.elements.map((row: any) => row.createdAtTimestamp)
    expect(byDate).toEqual([...byDate].sort((a, b) => b - a))
    const parent = first.elements.find((row: any) => row.replies)
    expect(parent.engagement.comments).toBe(12)
    expect(parent.replies).toHaveLength(5)
    const replies = await everyReply(parent.linkedinUrl)
    expect(new Set(replies.map((row) => row.id)).size).toBe(12)
    expect(replies.slice(0, 5)).toEqual(parent.replies)
    expect(replies[0]).toMatchObject({ actor: { author: true, linkedinUrl: 'https://www.linkedin.com/in/jane-doe' } })
    expect((await sandbox.harvest('/linkedin/post', { url: post.id })).json.element.engagement.comments).toBe(142)
  })

  it('show seeded people, pages and types exactly', async () => {
    const post = sandbox.world.seedPost({
      author: { company: 'acme' },
      reactions: [{ person: 'jane-doe', type: 'PRAISE' }, { person: { company: 'nord-logic' } }],
      comments: [{ person: 'bob-c', id: '7400000000000000009', text: 'hey', at: '2026-11-20T10:00:00Z' }],
    })
    const rows = (await sandbox.harvest('/linkedin/post-reactions', { post: post.id })).json.elements
    expect(rows.map((row: any) => [row.actor.id, row.reactionType])).toEqual([
      [sandbox.world.person('jane-doe')?.id, 'PRAISE'],
      [sandbox.world.company('nord-logic')?.id, 'LIKE'],
    ])
    const [comment] = (await sandbox.harvest('/linkedin/post-comments', { post: post.id })).json.elements
    expect(comment).toMatchObject({
      id: '7400000000000000009',
      commentary: 'hey',
      createdAt: '2026-11-20T10:00:00.000Z',
      actor: { linkedinUrl: 'https://www.linkedin.com/in/bob-c', id: sandbox.world.person('bob-c')?.id },
    })
  })

  it('show hidden members as LinkedIn Member without a headline', async () => {
    sandbox.world.seedPerson({ handle: 'shy-s', hidden: true })
    const post = sandbox.world.seedPost({ author: 'jane-doe', reactions: [{ person: 'shy-s' }] })
    expect((await sandbox.harvest('/linkedin/post-reactions', { post: post.id })).json.elements[0].actor).toMatchObject(
      { name: 'LinkedIn Member', position: null },
    )
  })

  it('are the same bytes from two sandboxes of one seed', async () => {
    const other = await startTestSandbox()
    const post = viralPost()
    for (const [path, query] of [
      ['/linkedin/profile-posts', { profile: 'viral-anna' }],
      ['/linkedin/profile-posts', { profile: 'jane-doe' }],
      ['/linkedin/post-comments', { post }],
      ['/linkedin/post-reactions', { post, page: 3 }],
      ['/linkedin/profile', { query: 'jane-doe' }],
    ] as const) {
      expect((await other.harvest(path, query)).text).toBe((await sandbox.harvest(path, query)).text)
    }
    await other.close()
  })

  it('answer a page of 100 rows from a post that is made once, however many are asked for', async () => {
    const id = viralPost()
    const [made] = sandbox.world.post(id)!.reactions
    const pages = [1, 2, 3, 1]
    const ids: string[][] = []
    for (const page of pages)
      ids.push(
        (await sandbox.harvest('/linkedin/post-reactions', { post: id, page })).json.elements.map(
          (row: { id: string }) => row.id,
        ),
      )
    expect(ids.map((page) => page.length)).toEqual([100, 100, 100, 100])
    expect(ids[3]).toEqual(ids[0])
    expect(new Set(ids.flat()).size).toBe(300)
    expect(sandbox.world.post(id)!.reactions[0]).toBe(made)
  })
})

async function everyReply(url: string): Promise<any[]> {
  const rows: any[] = []
  let token: string | null = null
  do {
    const { json } = await sandbox.harvest('/linkedin/post-comment-replies', {
      url,
      ...(token ? { paginationToken: token } : {}),
    })
    rows.push(...json.elements)
    token = json.pagination.paginationToken
  } while (token)
  return rows
}
