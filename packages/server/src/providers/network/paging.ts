import { firstVendor, type Page, type PageCursor } from '../ports.ts'

/** A numbered list's page: `page` counts from 1, `served` is the number of rows before any are dropped. */
export type NumberedPage = {
  page: number
  served: number
  total: number | null
  totalPages: number | null
  pageSize: number | null
}

/** Whether a numbered read ends here, and whether it stops short of the declared total. */
export function decideEnd(at: NumberedPage): { last: boolean; cutShort: boolean } {
  const { page, served, total, totalPages, pageSize } = at
  if (served === 0) {
    const claimsMore =
      totalPages !== null && totalPages > 0
        ? page <= totalPages
        : total !== null && pageSize !== null && (page - 1) * pageSize < total
    return { last: true, cutShort: claimsMore && total !== 0 }
  }
  if (totalPages === null || totalPages === 0 || page < totalPages) return { last: false, cutShort: false }
  // The last page by number, although so many pages cannot hold the declared total.
  return { last: true, cutShort: total !== null && pageSize !== null && totalPages * pageSize < total }
}

/** Where a read continues after a page, its total, and whether it broke off. */
export interface PageEnd {
  readonly next: PageCursor | null
  readonly total: number | null
  readonly cutShort?: boolean
}

/** An adapter's page; the failover overwrites `source`. */
export function pageOf<T>(items: readonly T[], { next, total, cutShort = false }: PageEnd): Page<T> {
  return { items, next, total, cutShort, source: firstVendor }
}

/** A whole number from a cursor; null when absent or of another type. */
export const cursorNumber = (cursor: PageCursor | null, key: string): number | null => {
  const value = cursor?.[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** A non-empty text from a cursor; null when absent or of another type. */
export const cursorText = (cursor: PageCursor | null, key: string): string | null => {
  const value = cursor?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
