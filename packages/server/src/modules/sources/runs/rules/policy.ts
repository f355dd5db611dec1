/**
 * What a run does, derived from the settings that are fixed when it starts. Capture reads the policy and never asks whether the
 * run is of a keyword search (KRN-04..KRN-08, KRN-15; CRD-19, CRD-20; SYN-05).
 */
import type { SettingCopiedToRun, SourceSettings } from '@les/contract'

/** Which worker takes a run: the search of keyword runs, or capture. */
export type RunLane = 'keyword' | 'capture'

/** The bounds of a run, fixed when it starts; later edits apply from the next run (TRK-12). */
export type RunSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly maxPosts: number
  /** Only posts of that many days; undated posts are left out. */
  readonly sinceDays: number | null
  /** Most lead rows stored; null: no limit. */
  readonly rowCap: number | null
  readonly keyword?: KeywordBounds
} & Pick<SourceSettings, SettingCopiedToRun>

type KeywordBounds = {
  /** Credits the run may spend (CRD-20). */
  readonly creditCap: number
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  /** Each post to its end, or one page of each in turn (KRN-07). */
  readonly captureMode: 'depth' | 'breadth'
  /** Most lead rows stored of one post, without its author; null: no limit. */
  readonly maxEngagementsPerPost: number | null
}

/** A bound of a run, and what the run reports when the bound stops it. */
export type RunBound =
  | { readonly of: 'rows'; readonly most: number; readonly stop: 'credits' }
  | { readonly of: 'credits'; readonly most: number; readonly stop: 'credits' }
  | { readonly of: 'posts'; readonly most: number; readonly stop: 'post_limit' | 'credits' }
  /** Lead rows that the team may store in all. */
  | { readonly of: 'team_rows'; readonly stop: 'lead_cap' }
  /** Credits that the team's searches may spend a day, including this run. */
  | { readonly of: 'team_day'; readonly stop: 'team_cap' }
  | { readonly of: 'balance' }

export type RunPolicy = Pick<RunSettings, 'maxPosts' | 'sinceDays'> & {
  /** People who engage with posts, or the posts themselves. */
  readonly stores: 'leads' | 'posts'
  /** Each post to its end, or a share of each in turn (KRN-07). */
  readonly order: 'one_by_one' | 'in_turn'
  readonly authors: boolean
  readonly engagers: boolean
  readonly replies: boolean
  readonly enriches: boolean
  /** The most important first: when one row would pass two, the first one stopped the run (G115). */
  readonly bounds: readonly RunBound[]
  /** Of one post at most: lead rows stored, without its author, and entries read of one kind of engagement. */
  readonly perPost: { readonly rows: number | null; readonly entries: number | null }
  /** What counts as seen: each person of a page once, or every entry. */
  readonly seen: 'people' | 'entries'
  /** `cause`: an ending names its cause; `cap`: every cause is shown as a cap, an empty balance by its code (G17, G75). */
  readonly endings: 'cause' | 'cap'
}

/** Entries of one kind read of a post: the people the credit cap may charge and a large page more, for any page size (KRN-08). */
export const maxEntriesSeen = (creditCap: number): number => creditCap + 100

type Owned = Pick<RunPolicy, 'order' | 'authors' | 'engagers' | 'bounds' | 'perPost' | 'seen' | 'endings'>

const ofSource = ({ mode, rowCap }: Partial<RunSettings>): Owned => ({
  order: 'one_by_one',
  authors: false,
  engagers: true,
  bounds: [
    ...(rowCap == null
      ? []
      : [{ of: mode === 'posts_only' ? 'posts' : 'rows', most: rowCap, stop: 'credits' } as const]),
    { of: 'balance' },
  ],
  perPost: { rows: null, entries: null },
  seen: 'entries',
  endings: 'cap',
})

const ofSearch = ({ mode, maxPosts = 0, keyword }: Partial<RunSettings>): Owned => ({
  order: keyword?.captureMode === 'breadth' ? 'in_turn' : 'one_by_one',
  authors: keyword?.capturePostAuthors ?? false,
  engagers: keyword?.captureEngagers ?? true,
  bounds: [
    { of: 'credits', most: keyword?.creditCap ?? 0, stop: 'credits' },
    mode === 'posts_only' ? { of: 'posts', most: maxPosts, stop: 'post_limit' } : { of: 'team_rows', stop: 'lead_cap' },
    { of: 'team_day', stop: 'team_cap' },
    { of: 'balance' },
  ],
  perPost: {
    rows: keyword?.captureMode === 'breadth' ? keyword.maxEngagementsPerPost : null,
    entries: maxEntriesSeen(keyword?.creditCap ?? 0),
  },
  seen: 'people',
  endings: 'cause',
})

/** The policy of some settings. A queued run has no settings yet; only how it ends is known. */
export function policyOf(settings: Partial<RunSettings>, lane: RunLane): RunPolicy {
  return {
    stores: settings.mode === 'posts_only' ? 'posts' : 'leads',
    maxPosts: settings.maxPosts ?? 0,
    sinceDays: settings.sinceDays ?? null,
    replies: settings.captureReplies ?? true,
    enriches: settings.enrichLeads ?? true,
    ...(settings.keyword !== undefined || lane === 'keyword' ? ofSearch(settings) : ofSource(settings)),
  }
}
