/** How many pages of one read the fallback serves: it costs many times what the primary does (docs/decisions/0012). */
import type { Page, PageAt } from '../../ports.ts'

/** Beside the adapter's own keys of a cursor. */
const countKey = 'fallbackPages'

/** Pages of a read before the one that is asked for now. */
export function pagesRead(at: PageAt | null): number {
  const count = at?.cursor[countKey]
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0
}

/**
 * A page with its place counted, so that the read is left off once `most` pages have been served; null counts nothing. The last page
 * that is served says `leftForPrice` when the vendor had more.
 */
export function capPages<P extends Page<unknown>>(
  page: P,
  { pagesBefore, most }: { readonly pagesBefore: number; readonly most: number | null },
): P {
  if (most === null || page.next === null) return page
  const pages = pagesBefore + 1
  return pages >= most
    ? { ...page, next: null, leftForPrice: true }
    : { ...page, next: { ...page.next, [countKey]: pages } }
}
