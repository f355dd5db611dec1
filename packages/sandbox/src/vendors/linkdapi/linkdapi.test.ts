import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyHarvestRow, everyLinkdRow, startTestSandbox, type TestSandbox } from '../../testing/client.ts'

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
