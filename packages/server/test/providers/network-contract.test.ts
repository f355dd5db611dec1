/** What every vendor adapter promises, run against both vendors of the sandbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { createMemoryBudget } from './memory-budget.ts'
import type { Comment, NetworkProvider, PostsOf, Reaction } from '../../src/providers/ports.ts'
import { type Outside, openOutside, readAll } from './fixtures.ts'
import { failureOf, vendorNames } from './quick.ts'

let outside: Outside
let post: { urn: string; url: string }
let ada: { urn: string; handle: string }
let chatty: { id: string }
const repliers = Array.from({ length: 8 }, (_, index) => ({ person: `replier-${index}`, text: `Reply ${index}` }))

beforeAll(async () => {
  outside = await openOutside()
  const { world } = outside.sandbox
  world.seedCompany({
    slug: 'northwind-labs',
    name: 'Northwind Labs',
    website: 'northwind.example',
    employees: 3_210,
    foundedYear: 2011,
    country: 'DE',
    city: 'Berlin',
    industry: 'Software Development',
    specialities: ['Robots', 'Tea'],
  })
  const person = world.seedPerson({
    handle: 'ada-quill',
    name: 'Ada Quill',
    headline: 'Making things',
    country: 'DE',
    city: 'Berlin',
    positions: [
      { title: 'Advisor', company: null, companyName: 'Old Mill', start: { year: 2024 }, end: { year: 2025 } },
      { title: 'Head of Robots', company: 'northwind-labs', start: { year: 2021 }, end: null },
    ],
    posts: Array.from({ length: 130 }, (_, index) => ({
      text: `Post number ${index}`,
      postedAt: new Date(Date.UTC(2026, 10, 19) - index * 3_600_000).toISOString(),
    })),
  })
  ada = { urn: person.id, handle: 'ada-quill' }
  const seeded = world.seedPost({
    author: 'ada-quill',
    text: 'The big one',
    postedAt: '2026-11-19T10:00:00.000Z',
    contentType: 'image',
    declaredComments: 143,
    reactions: [
      { person: { company: 'northwind-labs' }, type: 'PRAISE' },
      ...Array.from({ length: 234 }, (_, index) => ({
        person: `reactor-${index}`,
        type: index % 2 ? ('LIKE' as const) : ('EMPATHY' as const),
      })),
    ],
    comments: [
      { person: 'commenter-x', text: 'First!', replies: repliers },
      ...Array.from({ length: 134 }, (_, index) => ({
        person: index === 7 ? { company: 'northwind-labs' } : `commenter-${index}`,
        text: `Comment ${index}`,
      })),
    ],
  })
  post = {
    urn: `urn:li:activity:${seeded.id}`,
    url: `https://www.linkedin.com/feed/update/urn:li:activity:${seeded.id}`,
  }
  chatty = world.seedCompany({
    slug: 'chatty-co',
    posts: Array.from({ length: 55 }, (_, index) => ({
      text: `News ${index}`,
      postedAt: new Date(Date.UTC(2026, 10, 18) - index * 60_000).toISOString(),
    })),
  })
})
afterAll(() => outside.close())
beforeEach(() => {
  const { world } = outside.sandbox
  world.clearFaults()
  world.clearCalls()
  outside.log.length = 0
  outside.clock.slept.length = 0
})

describe.each(vendorNames)('%s', (name) => {
  let vendor: NetworkProvider
  beforeEach(() => {
    vendor = outside.vendor(name)
  })
  const everyRead = (): [string, () => Promise<unknown>][] => [
    ['resolveHandle', () => vendor.resolveHandle('ada-quill')],
    ['profile', () => vendor.profile({ handle: 'ada-quill' })],
    ['company', () => vendor.company({ slug: 'northwind-labs' })],
    ['posts', () => vendor.posts({ kind: 'person', ...ada }, null)],
    ['post', () => vendor.post(post.urn)],
    ['reactions', () => vendor.reactions(post, null)],
    ['comments', () => vendor.comments(post, null)],
    [
      'searchPosts',
      () =>
        vendor.searchPosts(
          { term: '"the big one"', sort: 'RELEVANCE', datePosted: 'PAST_MONTH', contentType: null, filters: {} },
          null,
        ),
    ],
  ]

  describe('single reads', () => {
    test('a handle becomes a member id', async () => {
      expect(await vendor.resolveHandle('ada-quill')).toEqual(ada)
    })

    test('a hidden member has no name, and is still somebody', async () => {
      const { id } = outside.sandbox.world.seedPerson({ handle: 'hidden-one', hidden: true })
      expect(await vendor.profile({ urn: id })).toMatchObject({
        urn: id,
        name: null,
        handle: null,
        jobTitle: null,
        company: null,
        country: null,
      })
    })

    test('what does not exist is not_found, and is asked once', async () => {
      const missing: (() => Promise<unknown>)[] = [
        () => vendor.resolveHandle('nobody-1'),
        () => vendor.profile({ handle: 'nobody-1' }),
        () => vendor.company({ slug: 'nobody-1' }),
        () => vendor.posts({ kind: 'person', handle: 'nobody-1', urn: null }, null),
        () => vendor.posts({ kind: 'company', slug: 'nobody-1', urn: null }, null),
        () => vendor.post('urn:li:activity:9999999999999999999'),
        () => vendor.reactions({ urn: 'urn:li:activity:9999999999999999999', url: '' }, null),
      ]
      for (const call of missing) expect((await failureOf(call())).kind).toBe('not_found')
      expect(outside.sandbox.world.calls()).toHaveLength(missing.length)
    })
  })

  describe('paged reads', () => {
    test('a person is found by handle alone', async () => {
      const byHandle = await vendor.posts({ kind: 'person', handle: 'ada-quill', urn: null }, null)
      const byUrn = await vendor.posts({ kind: 'person', ...ada }, null)
      expect(byHandle.items).toEqual(byUrn.items)
    })

    test('all posts of a company', async () => {
      const { id } = chatty
      for (const urn of [null, `urn:li:company:${id}`]) {
        const { items } = await readAll((cursor) => vendor.posts({ kind: 'company', slug: 'chatty-co', urn }, cursor))
        expect(items).toHaveLength(55)
        expect(items[0]).toMatchObject({
          text: 'News 0',
          author: { kind: 'company', urn: `urn:li:company:${id}`, url: 'https://www.linkedin.com/company/chatty-co' },
        })
      }
    })

    test('reposts are left out, quotes and undated posts stay', async () => {
      outside.sandbox.world.seedPerson({
        handle: 'sharer',
        posts: [
          { id: '7395000000000000001', text: '', repostOf: post.urn.slice(16), postedAt: '2026-11-15T10:00:00.000Z' },
          {
            id: '7395000000000000002',
            text: 'My view on this',
            repostOf: post.urn.slice(16),
            postedAt: '2026-11-14T10:00:00.000Z',
          },
          { id: '7395000000000000003', text: 'No date', postedAt: null },
        ],
      })
      const { items } = await vendor.posts({ kind: 'person', handle: 'sharer', urn: null }, null)
      expect(items.map(({ urn, postedAt }) => [urn.slice(-1), postedAt]).toSorted()).toEqual([
        ['2', '2026-11-14T10:00:00.000Z'],
        ['3', null],
      ])
    })

    test('all reactions, with pages told from people', async () => {
      const { items, pages } = await readAll((cursor) => vendor.reactions(post, cursor))
      expect(items).toHaveLength(235)
      expect(pages.at(-1)).toMatchObject({ next: null, cutShort: false, total: 235 })
      expect(items.find(({ actor }) => actor.kind === 'company')).toEqual({
        actor: {
          kind: 'company',
          name: 'Northwind Labs',
          linkedinUrl: 'https://www.linkedin.com/company/northwind-labs',
        },
        reaction: 'Praise',
      })
      const people = items.flatMap(({ actor }) => (actor.kind === 'person' ? [actor] : []))
      expect(new Set(people.map(({ urn }) => urn)).size).toBe(234)
      for (const { urn, handle, linkedinUrl } of people) {
        expect(urn).toMatch(/^ACoA/)
        expect(linkedinUrl).toBe(`https://www.linkedin.com/in/${handle ?? urn}`)
      }
      expect(items.filter(({ reaction }) => reaction === 'Empathy')).toHaveLength(117)
    })

    test('all comments with all replies, parents first', async () => {
      const seen = new Map<string, Comment>()
      const { pages } = await readAll((cursor) => vendor.comments(post, cursor))
      for (const page of pages) {
        for (const comment of page.items) seen.set(comment.id, comment)
        for (const ref of page.moreReplies) {
          const more = await readAll((cursor) => vendor.replies(post, { ...ref, cursor: cursor ?? ref.cursor }))
          for (const comment of more.items) seen.set(comment.id, comment)
        }
      }
      const all = [...seen.values()]
      expect(all).toHaveLength(143)
      const [parent] = all.filter(({ text }) => text === 'First!')
      const replies = all.filter(({ parentId }) => parentId !== null)
      expect(replies.map(({ text }) => text).toSorted()).toEqual(repliers.map(({ text }) => text))
      expect(new Set(replies.map(({ parentId }) => parentId))).toEqual(new Set([parent?.id]))
      expect(all.every(({ id, postedAt }) => /^\d+$/.test(id) && postedAt !== null)).toBe(true)
      expect(all.filter(({ actor }) => actor.kind === 'company')).toHaveLength(1)
      for (const page of pages) {
        const order = page.items.map(({ id }) => id)
        for (const { id, parentId } of page.items)
          if (parentId !== null && order.includes(parentId))
            expect(order.indexOf(parentId)).toBeLessThan(order.indexOf(id))
      }
    })

    test('the wall of 1,100 reactions is told from the end', async () => {
      const { id } = outside.sandbox.world.seedPost({
        author: 'viral-one',
        text: 'Viral',
        reactions: 1_500,
        postedAt: '2026-01-02T00:00:00.000Z',
      })
      const { items, pages } = await readAll((cursor) =>
        vendor.reactions({ urn: `urn:li:activity:${id}`, url: '' }, cursor),
      )
      expect(items).toHaveLength(1_100)
      expect(pages.at(-1)).toMatchObject({ items: [], next: null, cutShort: true, total: 1_500 })
    })

    test('an empty page that claims more ends the read as cut short', async () => {
      outside.sandbox.world.fault({ kind: 'empty_more', vendor: name })
      for (const page of [
        await vendor.reactions(post, null),
        await vendor.comments(post, null),
        await vendor.posts({ kind: 'person', ...ada }, null),
      ])
        expect(page).toMatchObject({ items: [], next: null, cutShort: true })
    })

    test('pages told from people however many of them react', async () => {
      outside.sandbox.world.fault({ kind: 'company_reactors', vendor: name, ratio: 1 })
      const { items } = await vendor.reactions(post, null)
      expect(items.length).toBeGreaterThan(0)
      expect(items.every(({ actor }) => actor.kind === 'company')).toBe(true)
    })

    test('cursors are small plain JSON', async () => {
      const pages = [
        await vendor.reactions(post, null),
        await vendor.comments(post, null),
        await vendor.posts({ kind: 'person', ...ada }, null),
      ]
      for (const { next } of pages) {
        expect(next).not.toBeNull()
        expect(JSON.stringify(next).length).toBeLessThan(2_048)
        expect(JSON.parse(JSON.stringify(next))).toEqual(next)
      }
    })
  })

  describe('misbehaving vendors', () => {
    test('a refused key is an account failure, without retries', async () => {
      vendor = outside.vendor(name, { apiKey: 'bad-key' })
      for (const [operation, call] of everyRead()) {
        const failure = await failureOf(call())
        expect([operation, failure.kind, failure.message.includes('bad-key')]).toEqual([operation, 'account', false])
      }
      expect(outside.sandbox.world.calls()).toHaveLength(8)
    })

    test.each(['status_500', 'status_503', 'error_in_200', 'reset'] as const)(
      '%s is unavailable after three tries',
      async (kind) => {
        outside.sandbox.world.fault({ kind, vendor: name })
        for (const [operation, call] of everyRead())
          expect([operation, (await failureOf(call())).kind]).toEqual([operation, 'unavailable'])
        expect(outside.sandbox.world.calls()).toHaveLength(24)
      },
    )

    test.each(['status_500', 'status_429', 'reset'] as const)('one %s is got over', async (kind) => {
      outside.sandbox.world.fault({
        kind,
        vendor: name,
        times: 1,
        operation: name === 'harvestapi' ? 'profile' : 'profile/full',
      })
      expect(await vendor.profile({ handle: 'ada-quill' })).toMatchObject({ name: 'Ada Quill' })
    })

    test.each(['html_200', 'truncated_json', 'huge_body'] as const)(
      '%s is malformed, without retries',
      async (kind) => {
        outside.sandbox.world.fault({ kind, vendor: name, ...(kind === 'huge_body' ? { bytes: 10_000_000 } : {}) })
        for (const [operation, call] of everyRead())
          expect([operation, (await failureOf(call())).kind]).toEqual([operation, 'malformed'])
        expect(outside.sandbox.world.calls()).toHaveLength(8)
      },
    )

    test("a hang ends at the caller's time-out", async () => {
      outside.sandbox.world.fault({ kind: 'hang', vendor: name })
      expect((await failureOf(vendor.profile({ handle: 'ada-quill' }, { timeoutMs: 80 }))).kind).toBe('unavailable')
    })

    test('the caller can give up', async () => {
      outside.sandbox.world.fault({ kind: 'hang', vendor: name })
      const caller = new AbortController()
      const call = failureOf(vendor.profile({ handle: 'patient-zero' }, { signal: caller.signal }))
      const handle = name === 'harvestapi' ? 'publicIdentifier' : 'username'
      await outside.sandbox.world.untilWaiting(1, { match: { [handle]: 'patient-zero' } })
      caller.abort()
      expect((await call).kind).toBe('unavailable')
      // Asked for by this handle, because the previous test's abandoned call may arrive late.
      const asked = outside.sandbox.world.calls({ vendor: name, match: { [handle]: 'patient-zero' } })
      expect(asked).toHaveLength(1)
    })

    test('a Retry-After that fits is waited for, one that does not is handed on', async () => {
      outside.sandbox.world.fault({
        kind: 'status_429',
        vendor: name,
        times: 1,
        retryAfterS: 2,
        operation: name === 'harvestapi' ? 'company' : 'companies/company/info',
      })
      await vendor.company({ slug: 'northwind-labs' })
      expect(outside.clock.slept[0]).toBeGreaterThanOrEqual(2_000)
      outside.sandbox.world.fault({ kind: 'status_429', vendor: name, retryAfterS: 120 })
      expect(await failureOf(vendor.company({ slug: 'northwind-labs' }))).toMatchObject({
        kind: 'rate_limited',
        retryAfterMs: 120_000,
      })
    })

    test('hostile text comes out plain and bounded', async () => {
      outside.sandbox.world.fault({ kind: 'hostile_text', vendor: name })
      const reads = [
        await vendor.profile({ handle: 'ada-quill' }),
        await vendor.company({ slug: 'northwind-labs' }),
        await vendor.post(post.urn),
        (await vendor.reactions(post, null)).items,
        (await vendor.comments(post, null)).items,
        (await vendor.posts({ kind: 'person', ...ada }, null)).items,
      ]
      expect((await vendor.reactions(post, null)).items).not.toHaveLength(0)
      const texts: string[] = []
      const walk = (value: unknown): void => {
        if (typeof value === 'string') texts.push(value)
        else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
      }
      walk(reads)
      for (const text of texts) {
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/)
        expect(text.isWellFormed()).toBe(true)
        expect(text.length).toBeLessThanOrEqual(20_000)
      }
    })

    test('missing fields are null, and nobody is lost for them', async () => {
      outside.sandbox.world.fault({ kind: 'missing_fields', vendor: name })
      expect(await vendor.profile({ handle: 'ada-quill' })).toMatchObject({
        urn: ada.urn,
        countryCode: null,
        headline: null,
      })
      expect(await vendor.company({ slug: 'northwind-labs' })).toMatchObject({ name: 'northwind-labs' })
      const { items } = await vendor.reactions(post, null)
      expect(items).toHaveLength(name === 'harvestapi' ? 100 : 10)
      expect((await vendor.posts({ kind: 'person', ...ada }, null)).items[0]).toMatchObject({
        postedAt: null,
        totalReactionCount: null,
      })
      expect((await vendor.comments(post, null)).items.length).toBeGreaterThanOrEqual(10)
    })

    test('an answer without its payload is a failure, never empty', async () => {
      outside.sandbox.world.fault({ kind: 'missing_fields', vendor: name, fields: ['element', 'elements', 'data'] })
      for (const [operation, call] of everyRead())
        expect([operation, (await failureOf(call())).kind]).toEqual([operation, 'malformed'])
    })

    test('rows that name nobody are left out, a page of nothing but other things is malformed', async () => {
      outside.sandbox.world.fault({ kind: 'missing_fields', vendor: name, fields: ['actor', 'author'] })
      expect((await failureOf(vendor.reactions(post, null))).kind).toBe('malformed')
      expect((await failureOf(vendor.comments(post, null))).kind).toBe('malformed')
    })

    test('calls in flight never exceed the budget', async () => {
      const budget = createMemoryBudget({ system: systemClock })
      let inFlight = 0
      let most = 0
      const counted: typeof budget = {
        ...budget,
        acquire: async (key, request) => {
          const place = await budget.acquire(key, request)
          most = Math.max(most, (inFlight += 1))
          return { release: async () => ((inFlight -= 1), await place.release()) }
        },
      }
      outside.sandbox.world.limits({ harvestapiConcurrency: 3, harvestapiQueue: 0 })
      vendor = outside.vendor(name, { budget: counted, system: systemClock })
      await vendor.profile({ handle: 'ada-quill' })
      outside.sandbox.world.fault({ kind: 'latency', vendor: name, delayMs: 5 })
      await Promise.all(Array.from({ length: 30 }, (_, index) => vendor.profile({ handle: `somebody-${index}` })))
      expect(most).toBe(name === 'harvestapi' ? 3 : 5)
      expect(outside.sandbox.world.calls().filter(({ status }) => status === 429)).toHaveLength(0)
      outside.sandbox.world.limits({ harvestapiConcurrency: 20, harvestapiQueue: 10 })
    })

    if (name === 'harvestapi')
      test('an account is taken for one that takes one call until an answer says more, which the next start knows', async () => {
        const budget = createMemoryBudget({ system: systemClock })
        const asked: number[] = []
        const counted: typeof budget = {
          ...budget,
          acquire: (key, request) => (asked.push(request.maxInFlight()), budget.acquire(key, request)),
        }
        outside.sandbox.world.limits({ harvestapiConcurrency: 7, harvestapiQueue: 0 })
        const start = (apiKey = 'good-key') => outside.vendor(name, { budget: counted, apiKey })
        const first = start()
        await first.profile({ handle: 'ada-quill' })
        await first.profile({ handle: 'ada-quill' })
        await start().profile({ handle: 'ada-quill' })
        await start('another-key').profile({ handle: 'ada-quill' })
        expect(asked).toEqual([1, 7, 7, 1])
        outside.sandbox.world.limits({ harvestapiConcurrency: 20, harvestapiQueue: 10 })
      })

    test('each try is logged without the key', async () => {
      outside.sandbox.world.fault({ kind: 'status_500', vendor: name, times: 1 })
      await vendor.profile({ handle: 'ada-quill' })
      expect(outside.log.map(({ outcome, status, attempt }) => [outcome, status, attempt])).toEqual([
        ['unavailable', 500, 1],
        ['ok', 200, 2],
      ])
      expect(outside.log[1]?.cost).toBe(name === 'harvestapi' ? 0.004 : 0.01)
      expect(JSON.stringify(outside.log)).not.toContain('good-key')
    })
  })
})

describe('both vendors agree', () => {
  const both = async <T>(read: (vendor: NetworkProvider) => Promise<T>): Promise<[T, T]> => [
    await read(outside.vendor('harvestapi')),
    await read(outside.vendor('linkdapi')),
  ]

  test('on people, companies and posts, also generated ones', async () => {
    for (const handle of ['ada-quill', 'grace-otter', 'zed-example', 'm-ueller', 'x-1', 'viral-vera']) {
      const [one, other] = await both((vendor) => vendor.profile({ handle }))
      expect(other).toEqual(one)
    }
    for (const slug of ['northwind-labs', 'blue-works', 'apex-health', 'quanta-bank', 'some-new-slug']) {
      const [one, other] = await both((vendor) => vendor.company({ slug }))
      expect(other).toEqual(one)
    }
    const [one, other] = await both((vendor) => vendor.post(post.urn))
    expect({ ...other, aliases: [] }).toEqual({ ...one, aliases: [] })
  })

  test('on the posts of a feed but for withheld texts', async () => {
    for (const of of [
      { kind: 'person', handle: 'grace-otter', urn: null },
      { kind: 'company', slug: 'blue-works', urn: null },
    ] satisfies PostsOf[]) {
      const [one, other] = await both(async (vendor) => (await readAll((cursor) => vendor.posts(of, cursor))).items)
      const plain = (posts: typeof one) =>
        posts
          .map((each) => ({ ...each, text: null, aliases: [], url: null }))
          .toSorted((a, b) => a.urn.localeCompare(b.urn))
      expect(one.length).toBeGreaterThan(5)
      expect(plain(other)).toEqual(plain(one))
    }
  })

  test('on who reacted and how', async () => {
    const [one, other] = await both(async (vendor) => (await readAll((cursor) => vendor.reactions(post, cursor))).items)
    const key = ({ actor }: Reaction) => actor.linkedinUrl ?? ''
    expect(other.toSorted((a, b) => key(a).localeCompare(key(b)))).toEqual(
      one.toSorted((a, b) => key(a).localeCompare(key(b))),
    )
  })

  test('on who commented, under the same comment ids', async () => {
    const [one, other] = await both(async (vendor) => {
      const { pages } = await readAll((cursor) => vendor.comments(post, cursor))
      const all = new Map<string, Comment>()
      for (const page of pages) {
        for (const each of page.items) all.set(each.id, each)
        for (const ref of page.moreReplies)
          for (const each of (await vendor.replies(post, ref)).items) all.set(each.id, each)
      }
      return [...all.values()].toSorted((a, b) => a.id.localeCompare(b.id))
    })
    expect(other).toEqual(one)
  })
})
