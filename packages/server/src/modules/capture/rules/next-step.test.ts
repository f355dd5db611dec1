import { describe, expect, it } from 'vitest'
import type { Post } from '../../../providers/ports.ts'
import type { Engagement } from '../../leads/rules/engagement.ts'
import { authorOf, selectPosts } from './engagements.ts'
import { hitProviderLimit, retryAt } from './next-step.ts'
import { take } from './take.ts'

describe('the wall of a vendor', () => {
  it.each([
    ['everything declared was seen', { seen: 2_000, declared: 2_000, cutShort: true }, false],
    ['more was seen than declared', { seen: 2_001, declared: 2_000, cutShort: true }, false],
    ['one less was seen and the vendor cut it short', { seen: 1_999, declared: 2_000, cutShort: true }, true],
    ['exactly the wall was seen', { seen: 1_000, declared: 2_000, cutShort: false }, true],
    ['one below the wall was seen', { seen: 999, declared: 2_000, cutShort: false }, false],
    ['exactly 95 % was seen', { seen: 1_900, declared: 2_000, cutShort: false }, false],
    ['a little less than 95 % was seen', { seen: 1_899, declared: 2_000, cutShort: false }, true],
    ['nothing is declared', { seen: 1_500, declared: null, cutShort: true }, false],
  ] as const)('%s: %j', (_title, reactions, expected) => {
    expect(hitProviderLimit(reactions)).toBe(expected)
  })
})

describe('a page that failed', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const seconds = (attempts: number, askedMs?: number) => {
    const at = retryAt(attempts, now, askedMs)
    return at && (at.getTime() - now.getTime()) / 1_000
  }
  it('is asked for again after 15 s, 1 min, 5 min and 20 min, and then no more', () => {
    expect([0, 1, 2, 3, 4].map((attempts) => seconds(attempts))).toEqual([15, 60, 300, 1_200, null])
  })
  it("grants a vendor's longer wish, up to an hour, and no shorter one", () => {
    expect([seconds(0, 90_000), seconds(0, 1_000), seconds(0, 86_400_000), seconds(3, 1_500_000)]).toEqual([
      90, 15, 3_600, 1_500,
    ])
    expect(seconds(4, 90_000)).toBeNull()
  })
})

describe('the posts of a page', () => {
  const now = new Date(Date.UTC(2026, 0, 31))
  const of = (day: number | null): Post => ({
    urn: String(day),
    url: '',
    text: null,
    author: { kind: 'person', urn: null, name: null, url: null, headline: null },
    postedAt: day === null ? null : new Date(Date.UTC(2026, 0, day)).toISOString(),
    contentType: null,
    totalReactionCount: 1,
    commentsCount: 1,
    aliases: [],
  })
  const chosen = (page: (number | null)[], wanted: { left: number; sinceDays: number | null }) => {
    const { posts, readOn } = selectPosts(page.map(of), { ...wanted, now })
    return [posts.map((post) => post.urn), readOn]
  }
  it('are the newest although a pinned post comes first, each once', () => {
    expect(chosen([2, 30, 29], { left: 2, sinceDays: null })).toEqual([['30', '29'], false])
    expect(chosen([2, 30, 2], { left: 5, sinceDays: null })).toEqual([['30', '2'], true])
    expect(chosen([30, null, 10], { left: 50, sinceDays: 7 })).toEqual([['30'], false])
  })
  it('put undated ones last where days are not limited', () => {
    expect(chosen([null, 3, 30], { left: 5, sinceDays: null })).toEqual([['30', '3', 'null'], true])
  })
  it('take a post that is exactly as old as the limit, and read on behind it', () => {
    expect(chosen([30, 24], { left: 5, sinceDays: 7 })).toEqual([['30', '24'], true])
    expect(chosen([30, 23], { left: 5, sinceDays: 7 })).toEqual([['30'], false])
  })
  it('an old one at the head may be pinned: the listing is read on', () => {
    expect(chosen([2], { left: 5, sinceDays: 7 })).toEqual([[], true])
    expect(chosen([2, 30], { left: 5, sinceDays: 7 })).toEqual([['30'], true])
    expect(chosen([2, 30, 29, 2], { left: 5, sinceDays: 7 })).toEqual([['30', '29'], true])
    expect(chosen([2, 30, 10, 2], { left: 5, sinceDays: 7 })).toEqual([['30'], false])
  })
  it('an undated one at the end hides no older one before it', () => {
    expect(chosen([30, 2, null], { left: 5, sinceDays: 7 })).toEqual([['30'], false])
    expect(chosen([30, null], { left: 5, sinceDays: 7 })).toEqual([['30'], true])
  })
  it('end the listing when they are as many as wanted', () => {
    expect(chosen([30, 29], { left: 2, sinceDays: null })).toEqual([['30', '29'], false])
    expect(chosen([30, 29], { left: 3, sinceDays: null })).toEqual([['30', '29'], true])
  })
})

describe('a row that is stored already', () => {
  const by = (reaction: Engagement['reaction']): Engagement => ({
    key: '1',
    person: { urn: 'a', name: null, handle: null, headline: null, linkedinUrl: '', avatarUrl: null },
    type: reaction === null ? 'Comment' : 'Like',
    reaction,
    isReply: false,
    commentText: null,
    commentPostedAt: null,
  })
  it.each([
    ['a comment', by(null), null, []],
    ['a reaction that is the same', by('Like'), 'Like', []],
    ['a reaction that has changed', by('Praise'), 'Like', [{ key: '1', reaction: 'Praise' }]],
    ['a reaction whose name is not served any more', by(null), 'Like', []],
  ] as const)('%s is neither stored nor charged again', (_title, engagement, stored, changed) => {
    expect(
      take({
        engagements: [engagement],
        stored: new Map([['1', stored]]),
        counted: new Set(),
        blocked: new Set(),
        charged: new Set(),
        bounds: [],
      }),
    ).toEqual({
      rows: [],
      changed,
      charge: [],
      free: [{ key: '1', reason: 'seen_before' }],
      judged: 1,
      stop: null,
      rest: [],
    })
  })
})

describe('the address of an author', () => {
  const handle = (url: string | null) => {
    const author = authorOf({ urn: 'x', author: { kind: 'person', urn: 'ACoAAx', name: null, url, headline: null } })
    return typeof author === 'string' ? author : author.person.handle
  }
  it.each([
    ['https://www.linkedin.com/in/Ann-Lee?trk=1', 'ann-lee'],
    ['https://www.linkedin.com/company/acme', null],
    ['https://www.linkedin.com/in/ACwAAZ9bcdefghijklmnopqrstuvwxyzBCDEFGH', null],
    ['https://www.linkedin.com/in/mACoAx', 'macoax'],
    [null, null],
  ])('%s names %s', (url, expected) => {
    expect(handle(url)).toBe(expected)
  })
})
