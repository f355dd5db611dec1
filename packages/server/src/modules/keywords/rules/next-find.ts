/** What the search of a run does next: its terms take turns, one vendor page each (KRN-02, KRN-03). */
import type { PageAt } from '../../../providers/ports.ts'
import { postsPerCall } from '../../../providers/ai/port.ts'
import type { SearchCursor, TermCursor } from '../../sources/index.ts'
import { scanLimit } from './run-settings.ts'

/** One vendor page of a term, one question to the AI, or the end; `stop` when posts were left to be found. */
export type FindStep =
  | { readonly kind: 'page'; readonly term: number; readonly at: PageAt | null }
  | { readonly kind: 'judge' }
  | { readonly kind: 'over'; readonly stop: 'post_limit' | 'credits' | null }

/** Where a run stands: `waiting` posts for the AI; for a posts-only run, how many more it may store. */
export type Finding = {
  readonly cursor: SearchCursor
  readonly postsScanned: number
  readonly waiting: number
  readonly wanted: { readonly posts: number; readonly credits: number } | null
}

/** A search about to begin. */
export const firstCursor = (terms: number): SearchCursor => ({
  phase: 'search',
  terms: Array.from({ length: terms }, () => ({ at: null, done: false, pages: 0, barren: 0 })),
  turn: 0,
})

/** True before the first page was read. */
export const isUnread = (cursor: SearchCursor): boolean => cursor.terms.every((term) => term.pages === 0)

/** Decides the next step. A full question goes to the AI at once, a small one when nothing is left to be found. */
export function nextFind({ cursor, postsScanned, waiting, wanted }: Finding): FindStep {
  const unread = cursor.terms.some((term) => !term.done)
  const sated = wanted !== null && (wanted.posts <= 0 || wanted.credits <= 0)
  if (sated)
    return { kind: 'over', stop: !unread && waiting === 0 ? null : wanted.credits <= 0 ? 'credits' : 'post_limit' }
  if (waiting >= postsPerCall) return { kind: 'judge' }
  if (unread && postsScanned < scanLimit) {
    const count = cursor.terms.length
    const term = Array.from({ length: count }, (_, step) => (cursor.turn + step) % count).find(
      (each) => !cursor.terms[each]!.done,
    )!
    return { kind: 'page', term, at: cursor.terms[term]!.at }
  }
  return waiting > 0 ? { kind: 'judge' } : { kind: 'over', stop: unread ? 'post_limit' : null }
}

/**
 * Pages in a row without a post that is new to the run, after which a term is given up: its vendor repeats itself, or
 * other terms have found the same.
 */
const mostBarren = 10
/** Pages of one term at most; ten posts a page is the smallest page a vendor has. */
const mostPages = scanLimit / 10

/** What a page was: `cut` when posts on it were left for want of room. */
export type ReadPage = {
  readonly next: PageAt | null
  readonly fresh: number
  readonly cut: boolean
  /** More is there, and left at the fallback because of its price. */
  readonly leftForPrice?: boolean
}

/** The cursor after a page of a term; the next term has its turn. A vendor that sends back to the same place has nothing more. */
export function afterPage(cursor: SearchCursor, index: number, page: ReadPage): SearchCursor {
  const before = cursor.terms[index]!
  const pages = before.pages + 1
  const barren = page.fresh === 0 ? before.barren + 1 : 0
  const circles = JSON.stringify(page.next) === JSON.stringify(before.at)
  const done = !page.cut && (page.next === null || circles || barren >= mostBarren || pages >= mostPages)
  const after: TermCursor = {
    at: page.cut || done ? before.at : page.next,
    done,
    pages,
    barren,
    ...(page.leftForPrice ? { leftForPrice: true } : {}),
  }
  return {
    ...cursor,
    terms: cursor.terms.map((term, each) => (each === index ? after : term)),
    turn: (index + 1) % cursor.terms.length,
  }
}
