import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Post } from '../../../providers/ports.ts'
import {
  afterPage,
  beginning,
  cleanRequest,
  countedPost,
  engagementOf,
  maxLookUps,
  maxWeighed,
  nextPlace,
  nextStep,
  readBounds,
  type Place,
} from './run.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const post = (over: Partial<Post> = {}): Post => ({
  urn: 'urn:li:activity:1',
  url: 'https://www.linkedin.com/feed/update/urn:li:activity:1',
  text: 'Text',
  author: { kind: 'person', urn: 'ACoAann', name: 'Ann', url: 'https://www.linkedin.com/in/ann', headline: null },
  postedAt: '2026-11-01T00:00:00.000Z',
  contentType: null,
  totalReactionCount: 3,
  commentsCount: 2,
  aliases: [],
  ...over,
})

describe('a post that was found', () => {
  it.each([
    [3, 2, 5],
    [null, 2, 2],
    [3, null, 3],
    [null, null, 0],
    [-1, 2, 2],
    [99_999_999_999, 1, 10_000_000],
  ])(
    'with %s reactions and %s comments has an engagement of %s [DIS-14]',
    (totalReactionCount, commentsCount, engagement) => {
      expect(engagementOf({ totalReactionCount, commentsCount })).toBe(engagement)
    },
  )
  it('counts for its author, unless that is a page or nobody can say who, or it is older than a month [DIS-12, DIS-16]', () => {
    expect(countedPost(post(), now)).toMatchObject({
      engagement: 5,
      author: { key: 'author:urn:li:activity:1', type: 'Author', person: { urn: 'ACoAann', handle: 'ann' } },
    })
    expect(countedPost(post({ postedAt: null }), now)).not.toBeNull()
    expect(countedPost(post({ postedAt: '2026-10-21T09:00:00.000Z' }), now)).not.toBeNull()
    expect(countedPost(post({ postedAt: '2026-10-21T08:59:59.000Z' }), now)).toBeNull()
    expect(countedPost(post({ author: { ...post().author, kind: 'company' } }), now)).toBeNull()
    expect(countedPost(post({ author: { ...post().author, urn: null } }), now)).toBeNull()
  })
})

describe('what a run weighs', () => {
  it.each([
    [1, 100],
    [20, 100],
    [21, 105],
    [50, 250],
    [100, 500],
    [500, 500],
  ])('for %i people it looks up %i profiles at most [DIS-23]', (maxInfluencers, most) => {
    expect(maxLookUps(maxInfluencers)).toBe(most)
    expect(maxWeighed({ countries: ['Germany'], maxInfluencers })).toBe(most)
    expect(maxWeighed({ countries: [], maxInfluencers })).toBe(maxInfluencers)
  })
  it('is saved cleaned, nothing twice [DIS-22]', () => {
    const request = {
      keywords: ['AI agents', 'ai Agents', 'b'],
      countries: [' usa ', 'United  States', 'méxico', 'Mexico', 'America', ' Atlantis '],
      minEngagement: 0,
      maxInfluencers: 5,
    }
    expect(cleanRequest(request)).toEqual({
      ...request,
      keywords: ['AI agents', 'b'],
      countries: ['United States', 'Mexico', 'America', 'Atlantis'],
    })
  })
})

describe('the reading of a run', () => {
  const pages = (shown: number): Place => {
    let place = beginning
    while (!place.done) place = afterPage(place, { shown, next: { page: place.pages + 1 }, source: 'primary' })
    return place
  }
  it.each([
    [50, 10, 500],
    [49, 11, 539],
    [10, 40, 400],
    [0, 40, 0],
  ])('with %i posts a page ends after %i pages and %i posts [DIS-13]', (shown, count, posts) => {
    expect(pages(shown)).toMatchObject({ pages: count, posts, done: true })
  })
  it('of every page size between 7 and 100 reads 250 to 700 posts, however long the network goes on [DIS-13]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 100 }), (shown) => {
        const { posts } = pages(shown)
        expect(posts).toBeGreaterThanOrEqual(250)
        expect(posts).toBeLessThanOrEqual(700)
      }),
    )
  })
  it('ends with the last page and takes the keywords in turn', () => {
    expect(afterPage(beginning, { shown: 3, next: null, source: 'primary' })).toEqual({
      at: null,
      pages: 1,
      posts: 3,
      done: true,
    })
    expect(afterPage(beginning, { shown: 3, next: { page: 2 }, source: 'fallback' })).toEqual({
      at: { from: 'fallback', cursor: { page: 2 } },
      pages: 1,
      posts: 3,
      done: false,
    })
    const at = (count: number, done = false): Place => ({ ...beginning, pages: count, done })
    expect(nextPlace([at(1), at(0), at(0)])).toBe(1)
    expect(nextPlace([at(1), at(1, true), at(1)])).toBe(0)
    expect(nextPlace([at(1, true)])).toBeNull()
    expect(readBounds.pages).toBeGreaterThan(0)
  })
  it('is followed by ranking, looking up and adding', () => {
    expect(nextStep({ phase: 'search', places: [beginning] })).toEqual({ kind: 'search', index: 0 })
    expect(nextStep({ phase: 'search', places: [{ ...beginning, done: true }] })).toEqual({ kind: 'rank' })
    expect(nextStep({ phase: 'check', places: [] })).toEqual({ kind: 'check' })
    expect(nextStep({ phase: 'add', places: [] })).toEqual({ kind: 'add' })
  })
})
