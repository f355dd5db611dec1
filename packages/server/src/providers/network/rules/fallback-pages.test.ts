import { describe, expect, it } from 'vitest'
import type { Page } from '../../ports.ts'
import { capPages, pagesRead } from './fallback-pages.ts'

const page = (next: Page<number>['next']): Page<number> => ({
  items: [1],
  next,
  total: null,
  cutShort: false,
  source: 'fallback',
})

/** Pages that a read of `pages` pages serves under a cap, and whether it was left off for its price. */
function read(pages: number, most: number | null): { served: number; left: boolean } {
  let at: Parameters<typeof pagesRead>[0] = null
  for (let served = 1; ; served += 1) {
    const asked = page(served < pages ? { start: served * 10 } : null)
    const shown: Page<number> = capPages(asked, { pagesBefore: pagesRead(at), most })
    if (shown.next === null) return { served, left: shown.leftForPrice === true }
    at = { from: 'fallback', cursor: shown.next }
  }
}

describe('the pages of the fallback', () => {
  it('are read up to the cap, and what is left is said; a read that ends there by itself leaves nothing', () => {
    expect(read(9, 3)).toEqual({ served: 3, left: true })
    expect(read(4, 3)).toEqual({ served: 3, left: true })
    expect(read(3, 3)).toEqual({ served: 3, left: false })
    expect(read(2, 3)).toEqual({ served: 2, left: false })
    expect(read(2, 1)).toEqual({ served: 1, left: true })
  })
  it('are all read where nobody asks for a cap', () => {
    expect(read(9, null)).toEqual({ served: 9, left: false })
    expect(capPages(page({ start: 10 }), { pagesBefore: 4, most: null }).next).toEqual({ start: 10 })
  })
  it('are counted anew from a place that says nothing, or nonsense', () => {
    const cursors = [{ start: 10 }, { fallbackPages: 'many' }, { fallbackPages: -3 }, { fallbackPages: 1.5 }]
    expect(cursors.map((cursor) => pagesRead({ from: 'fallback', cursor }))).toEqual([0, 0, 0, 0])
    expect(pagesRead({ from: 'fallback', cursor: { start: 10, fallbackPages: 7 } })).toBe(7)
  })
})
