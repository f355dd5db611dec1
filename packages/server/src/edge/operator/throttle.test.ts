import { expect, it } from 'vitest'
import { makeThrottle, maxWrongTokens } from './throttle.ts'

it('an address that gave a hundred wrong tokens waits for the rest of the minute; others do not', () => {
  let now = 5_000
  const throttle = makeThrottle(() => now)
  for (let n = 0; n < maxWrongTokens; n++) {
    expect(throttle.waits('a')).toBeNull()
    throttle.wrong('a')
    now += 100
  }
  expect([throttle.waits('a'), throttle.waits('b')]).toEqual([50, null])
  now = 64_999
  expect(throttle.waits('a')).toBe(1)
  now = 65_000
  expect(throttle.waits('a')).toBeNull()
  throttle.wrong('a')
  expect(throttle.waits('a')).toBeNull()
})
