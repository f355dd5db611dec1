import { expect, it } from 'vitest'
import { rowFor } from './list-keys.ts'

it.each([
  ['ArrowDown', 3, 4],
  ['j', 3, 4],
  ['ArrowUp', 3, 2],
  ['k', 3, 2],
  ['PageDown', 3, 8],
  ['PageDown', 7, 9],
  ['PageUp', 3, 0],
  ['Home', 3, 0],
  ['End', 3, 9],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 0, 0],
])('%s leads from row %i of ten to row %i', (key, at, to) => {
  expect(rowFor(key, at, { last: 9, page: 5 })).toBe(to)
})

it('leaves other keys alone', () => {
  expect(rowFor('a', 3, { last: 9, page: 5 })).toBeUndefined()
})
