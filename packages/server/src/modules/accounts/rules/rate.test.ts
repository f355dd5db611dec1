import { expect, test } from 'vitest'
import { bucketOf, describeWindow, retryAfterSeconds, windowOfNobody } from './rate.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)

test('GET alone is a read [RAT-01, RAT-02]', () => {
  expect(bucketOf('GET')).toBe('reads')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'get', 'PROPFIND'])
    expect(bucketOf(method)).toBe('writes')
})

test('a window resets a minute after it was opened, and never shows less than nothing left [RAT-09, RAT-10]', () => {
  expect(describeWindow({ openedAt: at(500), used: 3, refused: false }, 120)).toEqual({
    limit: 120,
    remaining: 117,
    resetAt: at(60_500),
    refused: false,
  })
  expect(describeWindow({ openedAt: at(0), used: 120, refused: true }, 50).remaining).toBe(0)
})

test('Retry-After is whole seconds, rounded up, at least one [RAT-13]', () => {
  const window = describeWindow({ openedAt: at(0), used: 120, refused: true }, 120)
  expect(retryAfterSeconds(window, at(0))).toBe(60)
  expect(retryAfterSeconds(window, at(58_001))).toBe(2)
  expect(retryAfterSeconds(window, at(59_999))).toBe(1)
  expect(retryAfterSeconds(window, at(60_000))).toBe(1)
})

test('where no team is known the minute of the clock is shown', () => {
  expect(windowOfNobody(120, at(61_000))).toEqual({ limit: 120, remaining: 120, resetAt: at(120_000), refused: false })
  expect(windowOfNobody(60, at(60_000)).resetAt).toEqual(at(120_000))
})
