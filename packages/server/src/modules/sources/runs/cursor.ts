/** Where a run stands in its work, as its row keeps it. */
import type { PageAt } from '../../../providers/ports.ts'
import type { LeftPost } from './posts.ts'
import type { RunLane } from './rows.ts'

/**
 * Where the listing of a run's posts stands; `listed` names the posts chosen so far, so that a listing that shifts between pages does
 * not count one twice; `pages` counts those read. `left`: posts an unfinished first sync before it had not come to the end of.
 */
export type RunCursor =
  | {
      readonly phase: 'posts'
      readonly at: PageAt | null
      readonly listed: readonly string[]
      readonly pages: number
      readonly left?: readonly LeftPost[]
    }
  | SearchCursor
  /**
   * `limited`: a search was left off with posts still to be found. `shown`: pages have shown somebody, if only company pages or authors,
   * of whom nobody counts as seen. `left`: of a run that has ended and did not make the first sync, for the next one.
   */
  | {
      readonly phase: 'engagement'
      readonly limited?: boolean
      readonly shown?: boolean
      readonly left?: readonly LeftPost[]
    }

/** Where the search of a keyword run stands: each of its terms, and whose turn it is. */
export type SearchCursor = {
  readonly phase: 'search'
  readonly terms: readonly TermCursor[]
  readonly turn: number
  /** Answers of the AI that could not be read. */
  readonly unreadable?: number
}

/** Where one term stands: `pages` read so far, `barren` of them in a row without a post that was new to the run. */
export type TermCursor = {
  readonly at: PageAt | null
  readonly done: boolean
  readonly pages: number
  readonly barren: number
  /** True when more was to be found at the fallback, for more than it is worth. */
  readonly leftForPrice?: boolean
}

export const firstCursor: Readonly<Record<RunLane, RunCursor>> = {
  capture: { phase: 'posts', at: null, listed: [], pages: 0 },
  keyword: { phase: 'search', terms: [], turn: 0 },
}
