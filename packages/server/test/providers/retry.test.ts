import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideRetry, MAX_TRIES, readRetryAfter, RETRY_WINDOW_MS } from '../../src/providers/network/retry.ts'

const state = { tries: 1, elapsedMs: 0, remainingMs: 30_000, retryAfterMs: undefined, random: 0.5 }

test('at most three tries and five seconds in all', () => {
  expect(decideRetry(state)).toBe(300)
  expect(decideRetry({ ...state, tries: 2 })).toBe(600)
  expect(decideRetry({ ...state, tries: MAX_TRIES })).toBeNull()
  expect(decideRetry({ ...state, elapsedMs: 4_900 })).toBeNull()
  expect(decideRetry({ ...state, remainingMs: 200 })).toBeNull()
  expect(decideRetry({ ...state, retryAfterMs: 3_000 })).toBe(3_050)
  expect(decideRetry({ ...state, retryAfterMs: 6_000 })).toBeNull()
})

test('no wait is shorter than asked, and none leads beyond the window or the deadline', () => {
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
      expect(one.elapsedMs + waitMs).toBeLessThanOrEqual(RETRY_WINDOW_MS + 1)
      expect(waitMs).toBeLessThanOrEqual(one.remainingMs)
    }),
  )
})

test.each([
  ['2', 2_000],
  [' 0 ', 0],
  ['1.5', 1_500],
  ['Thu, 01 Jan 1970 00:00:12 GMT', 2_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
] as const)('Retry-After %s', (header, ms) => expect(readRetryAfter(header, 10_000)).toBe(ms))
