import { expect, it } from 'vitest'
import { passedMs } from './clock.ts'

it('what was noted by a clock that has been set back since is long ago', () => {
  expect(passedMs(1_000, 1_500)).toBe(500)
  expect(passedMs(1_000, 1_000)).toBe(0)
  expect(passedMs(1_000, 999)).toBe(Number.POSITIVE_INFINITY)
})
