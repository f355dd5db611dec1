/** Recorded shapes (recorded/README.md) of the data vendors: golden files of their adapters, and the sandbox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NetworkProvider, type PostSearch, ProviderFailure } from '../../src/providers/ports.ts'
import type { Outside } from './fixtures.ts'
import { adaptersAnswering, adapterKey, vendorNames, type VendorName } from './quick.ts'
import { differences, expectGolden, expectRecorded, recordingsOf, type Recorded } from './recorded-shapes.ts'

const urn = `ACoAA${'AdaQuillInvented'.repeat(3).slice(0, 34)}`
const post = { urn: 'urn:li:activity:7390000000000000001', url: '' }
const search: PostSearch = {
  term: 'moons',
  sort: 'RELEVANCE',
  datePosted: 'PAST_MONTH',
  contentType: null,
  filters: {},
}
const person = { kind: 'person', handle: 'ada-quill', urn } as const
const page = { kind: 'company', slug: 'paper-moon', urn: 'urn:li:company:42' } as const

/** The adapter call that makes exactly this request. */
const asks: Readonly<Record<string, (vendor: NetworkProvider) => Promise<unknown>>> = {
  'profile-id': (vendor) => vendor.resolveHandle('ada-quill'),
  profile: (vendor) => vendor.profile({ urn }),
  company: (vendor) => vendor.company({ slug: 'paper-moon' }),
  'profile-posts': (vendor) => vendor.posts(person, null),
  'company-posts': (vendor) => vendor.posts(page, null),
  post: (vendor) => vendor.post(post.urn),
  'post-reactions': (vendor) => vendor.reactions(post, null),
  'post-comments': (vendor) => vendor.comments(post, null),
  'post-comment-replies': (vendor) =>
    vendor.replies(post, {
      commentId: '739000000000000101',
      cursor: { url: 'https://www.linkedin.com/feed/update/x', page: 1 },
    }),
  'post-search': (vendor) => vendor.searchPosts(search, null),
  'profile-username-to-urn': (vendor) => vendor.resolveHandle('ada-quill'),
  'profile-full': (vendor) => vendor.profile({ urn }),
  'companies-company-universal-name-to-id': (vendor) => vendor.posts({ ...page, urn: null }, null),
  'companies-company-info': (vendor) => vendor.company({ slug: 'paper-moon' }),
  'companies-company-info-v2': (vendor) => vendor.company({ urn: page.urn }),
  'posts-all': (vendor) => vendor.posts(person, null),
  'companies-company-posts': (vendor) => vendor.posts(page, null),
  'posts-info': (vendor) => vendor.post(post.urn),
  'posts-likes': (vendor) => vendor.reactions(post, null),
  'posts-comments': (vendor) => vendor.comments(post, null),
  'search-posts': (vendor) => vendor.searchPosts(search, null),
}

const twoCalls = 'companies-company-universal-name-to-id'
const noPosts = { body: { success: true, statusCode: 200, message: 'ok', errors: null, data: { posts: [] } } }

async function normalised(
  vendor: VendorName,
  operation: string,
  { status, headers = {}, body }: Recorded,
): Promise<unknown> {
  const answer = { status, headers, body }
  const stage = adaptersAnswering(
    ...(operation === twoCalls && status === 200 && (body as { success?: boolean }).success
      ? [answer, noPosts]
      : [answer]),
  )
  try {
    return await asks[operation]!(vendor === 'harvestapi' ? stage.harvest : stage.linkd)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const { kind, vendorMessage, requestId } = error
    return {
      failure: kind,
      vendorMessage,
      requestId,
      calls: stage.asked.filter(({ pathname }) => !pathname.includes('/credits/')).length,
    }
  }
}

describe.each(vendorNames)('%s', (vendor) => {
  const files = recordingsOf(vendor)
  test('every operation in use has at least five recorded answers, each with where and when its shape was seen', () => {
    expect(files).toHaveLength(vendor === 'harvestapi' ? 10 : 11)
    expect(files.filter(({ operation }) => asks[operation] === undefined)).toEqual([])
    expectRecorded(files)
  })
  test.each(files)('$operation is read as its golden says', async ({ operation, answers }) => {
    const read: Record<string, unknown> = {}
    for (const answer of answers) read[answer.name] = await normalised(vendor, operation, answer)
    expect(JSON.stringify(read)).not.toContain(adapterKey)
    await expectGolden(vendor, operation, read)
  })
})

describe('the sandbox', () => {
  let outside: Outside
  const bodies = new Map<string, unknown>()
  beforeAll(async () => {
    // Loaded only for these tests: the others open no socket.
    outside = await (await import('./fixtures.ts')).openOutside()
    const { world } = outside.sandbox
    // Searches find only what is seeded; generating three months of the whole network takes seconds.
    world.seedSearch({ generated: false })
    world.seedCompany({ slug: 'paper-moon', name: 'Paper Moon', country: 'US', employees: 320 })
    const ada = world.seedPerson({
      handle: 'ada-quill',
      name: 'Ada Quill',
      country: 'US',
      positions: [
        { title: 'Intern', companyName: 'Old Mill', start: { year: 2018 }, end: { year: 2020 } },
        { title: 'Head of Growth', company: 'paper-moon', start: { year: 2021 } },
      ],
    })
    const made = world.seedPost({
      author: 'ada-quill',
      text: 'On moons',
      postedAt: '2026-11-19T10:00:00.000Z',
      reactions: 30,
      comments: [
        {
          person: 'zoe-marsh',
          text: 'Lovely',
          at: '2026-11-19T11:00:00.000Z',
          replies: [{ person: 'ada-quill', text: 'Indeed', at: '2026-11-19T12:00:00.000Z' }],
        },
      ],
    })
    world.seedPost({
      author: { company: 'paper-moon' },
      text: 'Ours',
      postedAt: '2026-11-19T10:00:00.000Z',
      reactions: 2,
      comments: 0,
    })
    const number = made.id
    const url = `https://www.linkedin.com/feed/update/urn:li:activity:${number}`
    const company = world.company('paper-moon')!.id
    const calls: Readonly<Record<VendorName, Readonly<Record<string, readonly [string, Record<string, string>]>>>> = {
      harvestapi: {
        'profile-id': ['/linkedin/profile-id', { publicIdentifier: 'ada-quill' }],
        profile: ['/linkedin/profile', { profileId: ada.id, main: 'true' }],
        company: ['/linkedin/company', { universalName: 'paper-moon' }],
        'profile-posts': ['/linkedin/profile-posts', { profileId: ada.id }],
        'company-posts': ['/linkedin/company-posts', { companyId: company }],
        post: ['/linkedin/post', { url }],
        'post-reactions': ['/linkedin/post-reactions', { post: url }],
        'post-comments': ['/linkedin/post-comments', { post: url, sortBy: 'date' }],
        'post-comment-replies': ['/linkedin/post-comment-replies', { url: '' }],
        'post-search': ['/linkedin/post-search', { search: 'moons' }],
      },
      linkdapi: {
        'profile-username-to-urn': ['/api/v1/profile/username-to-urn', { username: 'ada-quill' }],
        'profile-full': ['/api/v1/profile/full', { urn: ada.id }],
        'companies-company-universal-name-to-id': [
          '/api/v1/companies/company/universal-name-to-id',
          { universalName: 'paper-moon' },
        ],
        'companies-company-info': ['/api/v1/companies/company/info', { name: 'paper-moon' }],
        'companies-company-info-v2': ['/api/v1/companies/company/info-v2', { id: company }],
        'posts-all': ['/api/v1/posts/all', { urn: ada.id }],
        'companies-company-posts': ['/api/v1/companies/company/posts', { id: company }],
        'posts-info': ['/api/v1/posts/info', { urn: number }],
        'posts-likes': ['/api/v1/posts/likes', { urn: number }],
        'posts-comments': ['/api/v1/posts/comments', { urn: number }],
        'search-posts': ['/api/v1/search/posts', { keyword: 'moons' }],
      },
    }
    for (const vendor of vendorNames) {
      for (const [operation, [path, asked]] of Object.entries(calls[vendor])) {
        const comments = bodies.get('harvestapi post-comments') as { elements: { linkedinUrl: string }[] } | undefined
        const query = new URLSearchParams(
          operation === 'post-comment-replies' ? { url: comments!.elements[0]!.linkedinUrl } : asked,
        )
        const answer = await outside.egress.request({
          method: 'GET',
          url: `${outside.sandbox.addresses[vendor]}${path}?${query}`,
          headers: {
            'x-api-key': 'good-key',
            'x-linkdapi-apikey': 'good-key',
            'user-agent': 'lead-engagement-service/1.0',
          },
          timeoutMs: 10_000,
          maxBytes: 8_000_000,
        })
        expect([operation, answer.status]).toEqual([operation, 200])
        bodies.set(`${vendor} ${operation}`, JSON.parse(answer.body.toString('utf8')))
      }
    }
  })
  afterAll(() => outside.close())

  test.each(vendorNames.flatMap((vendor) => recordingsOf(vendor).map((file) => ({ vendor, ...file }))))(
    '$vendor $operation has the keys, types and conventions of the recordings',
    ({ vendor, operation, answers }) => {
      const successes = answers.filter(
        ({ status, body, odd }) =>
          !odd &&
          status === 200 &&
          typeof body === 'object' &&
          ((body as { success?: boolean }).success === true || (body as { error?: unknown }).error === null),
      )
      expect(
        differences(
          bodies.get(`${vendor} ${operation}`),
          successes.map(({ body }) => body),
        ),
      ).toEqual([])
    },
  )
})
