import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyHarvestRow, startTestSandbox, type TestSandbox } from '../../testing/client.ts'
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
