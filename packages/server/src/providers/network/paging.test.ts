/** Where a read ends, around the totals that a list declares, and what is read from a cursor. */
import { describe, expect, it } from 'vitest'
import { cursorNumber, cursorText, decideEnd, type NumberedPage, pageOf } from './paging.ts'

const list: NumberedPage = { page: 1, served: 10, total: null, totalPages: null, pageSize: null }

describe('a page with rows', () => {
  it.each([
    [{}, false, false],
    [{ totalPages: 0, page: 5 }, false, false],
    [{ totalPages: 3, page: 2 }, false, false],
    [{ totalPages: 3, page: 3 }, true, false],
    [{ totalPages: 3, page: 4 }, true, false],
    [{ totalPages: 3, page: 3, total: 300 }, true, false],
    [{ totalPages: 3, page: 3, pageSize: 100 }, true, false],
    [{ totalPages: 3, page: 3, total: 300, pageSize: 100 }, true, false],
    [{ totalPages: 3, page: 3, total: 301, pageSize: 100 }, true, true],
    [{ totalPages: 3, page: 2, total: 301, pageSize: 100 }, false, false],
  ])('%j: last %s, cut short %s', (at, last, cutShort) =>
    expect(decideEnd({ ...list, ...at })).toEqual({ last, cutShort }),
  )
})

describe('a page without rows is the last', () => {
  it.each([
    [{}, false],
    [{ totalPages: 3, page: 3 }, true],
    [{ totalPages: 3, page: 4 }, false],
    [{ totalPages: 3, page: 3, total: 0 }, false],
    [{ totalPages: 0, page: 2, total: 101, pageSize: 100 }, true],
    [{ totalPages: 0, page: 2, total: 100, pageSize: 100 }, false],
    [{ page: 2, total: 101, pageSize: 100 }, true],
    [{ page: 2, total: 101 }, false],
    [{ page: 1, pageSize: 100 }, false],
    [{ page: 1, total: 0, pageSize: 100 }, false],
  ])('%j: cut short %s', (at, cutShort) =>
    expect(decideEnd({ ...list, served: 0, ...at })).toEqual({ last: true, cutShort }),
  )
})

it('a page is not cut short unless that is said, and names whoever is first', () => {
  expect(pageOf([1], { next: { page: 2 }, total: 5 })).toEqual({
    items: [1],
    next: { page: 2 },
    total: 5,
    cutShort: false,
    source: 'primary',
  })
  expect(pageOf([], { next: null, total: null, cutShort: true }).cutShort).toBe(true)
})

it('a cursor is believed only where it holds what was put in', () => {
  const numbers = [0, 7, -1, 1.5, 2 ** 53, '7', true, null]
  expect(numbers.map((page) => cursorNumber({ page }, 'page'))).toEqual([0, 7, null, null, null, null, null, null])
  expect(['t', '', 7, false, null].map((token) => cursorText({ token }, 'token'))).toEqual([
    't',
    null,
    null,
    null,
    null,
  ])
  expect([
    cursorNumber(null, 'page'),
    cursorText(null, 'token'),
    cursorNumber({}, 'page'),
    cursorText({}, 'token'),
  ]).toEqual([null, null, null, null])
})
