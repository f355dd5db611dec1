import { expect, it } from 'vitest'
import { askedWait } from './asked-wait.ts'

it.each([
  ['nothing is asked for', undefined, 20],
  ['nothing can be read', null, 20],
  ['less than our own is asked for', 5, 20],
  ['more is asked for', 30, 30],
  ['more than we keep is asked for', 9_999_999_000, 60],
])('where %s', (_where, askedMs, waitMs) => {
  expect(askedWait(20, askedMs, 60)).toBe(waitMs)
})

it('a wait of our own is not cut', () => {
  expect(askedWait(100, 9_999_999_000, 60)).toBe(100)
})
