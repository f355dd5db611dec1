import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createNetwork } from '../../src/providers/network/index.ts'
import type { Network, PostSearch } from '../../src/providers/ports.ts'
import { type Outside, openOutside } from './fixtures.ts'
import { failureOf } from './quick.ts'

let outside: Outside
let network: Network
const listed = (id: 'harvestapi' | 'linkdapi') => ({ id, vendor: outside.vendor(id) })
const search: PostSearch = {
  term: 'cold outreach',
  sort: 'RELEVANCE',
  datePosted: 'PAST_WEEK',
  contentType: null,
  filters: {},
}
let post: { urn: string; url: string }
beforeAll(async () => {
  outside = await openOutside()
  const { id } = outside.sandbox.world.seedPost({
    author: 'ada-quill',
    reactions: 250,
    comments: [{ person: 'c-1', replies: Array.from({ length: 7 }, (_, index) => ({ person: `r-${index}` })) }],
    postedAt: '2026-11-19T10:00:00.000Z',
  })
  post = { urn: `urn:li:activity:${id}`, url: '' }
})
afterAll(() => outside.close())
beforeEach(() => {
  outside.sandbox.world.clearFaults()
  outside.sandbox.world.clearCalls()
  network = createNetwork([listed('harvestapi'), listed('linkdapi')])
})
const vendorsAsked = () => [...new Set(outside.sandbox.world.calls().map(({ vendor }) => vendor))]

describe('failover', () => {
  test('a search stays with whoever served its first page', async () => {
    outside.sandbox.world.fault({ kind: 'status_500', vendor: 'harvestapi', times: 3 })
    const first = await network.searchPosts(search, null)
    expect(first).toMatchObject({ source: 'linkdapi', unapplied: [] })
    expect(first.items).toHaveLength(10)
    outside.sandbox.world.clearCalls()
    const second = await network.searchPosts(search, { from: first.source, cursor: first.next! })
    expect(second.source).toBe('linkdapi')
    expect(vendorsAsked()).toEqual(['linkdapi'])
    outside.sandbox.world.fault({ kind: 'status_500', vendor: 'linkdapi' })
    expect((await failureOf(network.searchPosts(search, { from: second.source, cursor: second.next! }))).provider).toBe(
      'linkdapi',
    )
  })

  test('replies stay with whoever named them', async () => {
    const page = await network.comments(post, null)
    expect(page.moreReplies).toHaveLength(1)
    const replies = await network.replies(post, page.source, page.moreReplies[0]!)
    expect(replies.items).toHaveLength(7)
    expect(replies.source).toBe('harvestapi')
  })

  test.each(['status_500', 'status_429', 'html_200', 'reset', 'error_in_200'] as const)(
    'single reads fail over on %s',
    async (kind) => {
      outside.sandbox.world.fault({ kind, vendor: 'harvestapi' })
      expect((await network.resolveHandle('ada-quill')).handle).toBe('ada-quill')
      expect((await network.profile({ handle: 'ada-quill' })).handle).toBe('ada-quill')
      expect((await network.company({ slug: 'blue-works' })).slug).toBe('blue-works')
      expect((await network.post(post.urn)).urn).toBe(post.urn)
      expect((await network.posts({ kind: 'person', handle: 'ada-quill', urn: null }, null)).source).toBe('linkdapi')
      expect((await network.comments(post, null)).source).toBe('linkdapi')
      expect((await network.searchPosts(search, null)).source).toBe('linkdapi')
    },
  )

  test('not_found is an answer and does not fail over', async () => {
    expect((await failureOf(network.resolveHandle('nobody-1'))).kind).toBe('not_found')
    expect(vendorsAsked()).toEqual(['harvestapi'])
  })

  test('a vendor taken out of the settings gets no cursor, and none of its cursors goes to another [0047]', async () => {
    const { source, next } = await network.reactions(post, null)
    expect([source, network.roleOf(source)]).toEqual(['harvestapi', 'primary'])
    outside.sandbox.world.clearCalls()
    const alone = createNetwork([listed('linkdapi')])
    expect(await failureOf(alone.reactions(post, { from: source, cursor: next! }))).toMatchObject({
      provider: 'harvestapi',
      kind: 'unavailable',
    })
    expect(vendorsAsked()).toEqual([])
    const { source: other, next: later } = await alone.reactions(post, null)
    // Putting another vendor first does not change a read in progress.
    expect((await network.reactions(post, { from: other, cursor: later! })).source).toBe('linkdapi')
    expect(vendorsAsked()).toEqual(['linkdapi'])
  })

  test('without a fallback, what it served cannot go on', async () => {
    const alone = createNetwork([listed('harvestapi')])
    expect(await failureOf(alone.reactions(post, { from: 'fallback', cursor: { start: 10 } }))).toMatchObject({
      kind: 'unavailable',
    })
    outside.sandbox.world.fault({ kind: 'status_500', vendor: 'harvestapi' })
    expect((await failureOf(alone.reactions(post, null))).kind).toBe('unavailable')
    expect(vendorsAsked()).toEqual(['harvestapi'])
  })
})
