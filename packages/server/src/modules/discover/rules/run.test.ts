import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterPage, beginning, engagementOf, maxLookUps, maxWeighed, type Place } from './run.ts'

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
})

describe('the reading of a run', () => {
  const pages = (shown: number): Place => {
    let place = beginning
    while (!place.done) place = afterPage(place, { shown, next: { page: place.pages + 1 }, source: 'primary' })
    return place
  }
  it('of every page size between 7 and 100 reads 250 to 700 posts, however long the network goes on [DIS-13]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 100 }), (shown) => {
        const { posts } = pages(shown)
        expect(posts).toBeGreaterThanOrEqual(250)
        expect(posts).toBeLessThanOrEqual(700)
      }),
    )
  })
})
