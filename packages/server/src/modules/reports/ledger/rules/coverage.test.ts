import { describe, expect, it } from 'vitest'
import { coverageOf, type PostHeld } from './coverage.ts'

describe('what is missing of a post [LDG-09]', () => {
  it.each<[string, Omit<PostHeld, 'postUrl'>, string | null, number, number | null]>([
    ['nothing', { declared: 5, captured: 5, heldBackBy: null }, null, 0, 0],
    ['nothing, of a post that has more than it declares', { declared: 5, captured: 7, heldBackBy: null }, null, 0, 0],
    ['nothing, though a bound was met', { declared: 5, captured: 5, heldBackBy: 'credits' }, null, 0, 0],
    ['what credits bring', { declared: 5, captured: 2, heldBackBy: 'credits' }, 'credits', 3, 3],
    ['what a higher limit brings', { declared: 5, captured: 2, heldBackBy: 'post_limit' }, 'post_limit', 3, 3],
    [
      'what vendors do not serve',
      { declared: 5, captured: 2, heldBackBy: 'provider_limit' },
      'provider_limit',
      3,
      null,
    ],
    ['what nothing brings', { declared: 5, captured: 4, heldBackBy: null }, 'lost', 1, null],
  ])('%s', (_title, post, heldBackBy, missing, creditsToGetMissing) => {
    expect(coverageOf({ postUrl: 'x', ...post })).toMatchObject({ heldBackBy, missing, creditsToGetMissing })
  })
})
