/** How much of the network a run reads for each keyword, and which page is next (specification «Discover» 1). */
import type { PageAt, PageCursor, VendorId } from '../../../providers/ports.ts'

/** Where the search of one keyword stands. */
export type Place = {
  readonly at: PageAt | null
  readonly pages: number
  readonly posts: number
  readonly done: boolean
}

/** Where every search begins. */
export const beginning: Place = { at: null, pages: 0, posts: 0, done: false }

/**
 * A search is over when it has read 500 posts, or 40 pages: with fifty posts a page that is 10 pages, with ten a page 400 posts, both
 * within the 250 to 700 posts that the specification speaks of. It is over sooner when the network has no more.
 */
export const readBounds = { posts: 500, pages: 40 } as const

/** Where a search stands after a page that showed `shown` posts. */
export function afterPage(
  place: Place,
  page: { readonly shown: number; readonly next: PageCursor | null; readonly source: VendorId },
): Place {
  const [pages, posts] = [place.pages + 1, place.posts + page.shown]
  const done = page.next === null || posts >= readBounds.posts || pages >= readBounds.pages
  return { at: page.next === null ? null : { from: page.source, cursor: page.next }, pages, posts, done }
}

/** The keyword whose page is next: the one of which least was read, so that a run stopped early has read of all; null when all are over. */
export function nextPlace(places: readonly Place[]): number | null {
  let next: number | null = null
  places.forEach((place, index) => {
    if (!place.done && (next === null || place.pages < places[next]!.pages)) next = index
  })
  return next
}
