import { firstVendor, type Page, type PageCursor } from '../ports.ts'

/** What a numbered list says about itself. */
export type NumberedPage = {
  /** The page asked for, from 1. */
  page: number
  /** Rows served, before any were dropped. */
  served: number
  total: number | null
  totalPages: number | null
  pageSize: number | null
}

/** Whether a numbered read ends here, and whether it ends short of what was declared (a wall, not the end). */
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
  // The last page by number, though that many pages cannot hold what is declared.
  return { last: true, cutShort: total !== null && pageSize !== null && totalPages * pageSize < total }
}

/** How a page ends: where its list goes on, what it says of its length, and whether it broke off. */
export interface PageEnd {
  readonly next: PageCursor | null
  readonly total: number | null
  readonly cutShort?: boolean
}

/** A page as an adapter answers it; who served it is written over by the failover. */
export function pageOf<T>(items: readonly T[], { next, total, cutShort = false }: PageEnd): Page<T> {
  return { items, next, total, cutShort, source: firstVendor }
}

/** A whole number out of a cursor; null when absent or of another type. */
export const cursorNumber = (cursor: PageCursor | null, key: string): number | null => {
  const value = cursor?.[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** The same for a text that is not empty. */
export const cursorText = (cursor: PageCursor | null, key: string): string | null => {
  const value = cursor?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
