import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideRetry, readRetryAfter, retryWindowMs } from './calls.ts'

const state = { tries: 1, elapsedMs: 0, remainingMs: 30_000, retryAfterMs: undefined, random: 0 }

describe('the wait', () => {
  it.each([
    [{}, 150],
    [{ random: 0.5 }, 300],
    [{ random: 0.999 }, 450],
    [{ tries: 2 }, 300],
    [{ tries: 3 }, null],
    [{ tries: 4 }, null],
    [{ elapsedMs: 4_850 }, 150],
    [{ elapsedMs: 4_851 }, null],
    [{ remainingMs: 151 }, 150],
    [{ remainingMs: 150 }, null],
    [{ retryAfterMs: 0 }, 0],
    [{ retryAfterMs: 1_000, random: 0.5 }, 1_050],
    [{ retryAfterMs: 1_000, random: 0.001 }, 1_001],
    [{ retryAfterMs: 5_000 }, 5_000],
    [{ retryAfterMs: 5_001 }, null],
  ])('after %j is %s', (change, waitMs) => expect(decideRetry({ ...state, ...change })).toBe(waitMs))

  it('is never shorter than asked, and leads beyond neither the window nor the deadline', () => {
    const states = fc.record({
      tries: fc.integer({ min: 1, max: 5 }),
      elapsedMs: fc.nat(10_000),
      remainingMs: fc.nat(40_000),
      retryAfterMs: fc.option(fc.nat(10_000), { nil: undefined }),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    })
    fc.assert(
      fc.property(states, (one) => {
        const waitMs = decideRetry(one)
        if (waitMs === null) return
        expect(waitMs).toBeGreaterThanOrEqual(one.retryAfterMs ?? 0)
        expect(one.elapsedMs + waitMs).toBeLessThanOrEqual(retryWindowMs + 1)
        expect(waitMs).toBeLessThanOrEqual(one.remainingMs)
      }),
    )
  })
})

describe('a Retry-After', () => {
  it.each([
    ['2', 2_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['9999999', 9_999_999_000],
    ['1.0001', 1_001],
    ['x5', undefined],
    ['5x', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:12 GMT', 2_000],
  ])('%j is %s ms', (header, ms) => expect(readRetryAfter(header, 10_000)).toBe(ms))
})
