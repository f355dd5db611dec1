/**
 * What a run does, as one value: its settings are fixed when it starts, and they come to this policy. Capture asks the policy and
 * never whether the run is of a keyword search (KRN-04..KRN-08, KRN-15; CRD-19, CRD-20; SYN-05).
 */
import type { SettingOfRun, SourceSettings } from '@les/contract'

/** Who works on a run: the search of keyword runs, or capture. */
export type RunLane = 'keyword' | 'capture'

/** What a run is bound by; taken when it starts, so that later edits bind from the next one (TRK-12). */
export type RunSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly maxPosts: number
  /** Only posts of that many days; undated posts are then left out. */
  readonly sinceDays: number | null
  /** Lead rows stored at most; null = no limit. */
  readonly rowCap: number | null
  /** Runs of keyword searches only. */
  readonly keyword?: KeywordBounds
} & Pick<SourceSettings, SettingOfRun>

/** What a run of a keyword search is bound by in addition. */
type KeywordBounds = {
  /** Credits the run may spend (CRD-20). */
  readonly creditCap: number
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  /** Post after post to its end, or one page of each post in turn (KRN-07). */
  readonly captureMode: 'depth' | 'breadth'
  /** Lead rows a run stores of one post at most, its author apart; null = no limit. */
  readonly maxEngagementsPerPost: number | null
}

/** What binds a run, and what it says when that stopped it. */
export type RunBound =
  /** Lead rows that the run stores at most. */
  | { readonly of: 'rows'; readonly most: number; readonly stop: 'credits' }
  /** Credits that the run spends at most. */
  | { readonly of: 'credits'; readonly most: number; readonly stop: 'credits' }
  /** Posts that the run stores at most. */
  | { readonly of: 'posts'; readonly most: number; readonly stop: 'post_limit' | 'credits' }
  /** Lead rows that the team may store at all. */
  | { readonly of: 'team_rows'; readonly stop: 'lead_cap' }
  /** Credits that the team's searches may spend on a day; what the run spends counts towards them. */
  | { readonly of: 'team_day'; readonly stop: 'team_cap' }
  /** The account that pays. */
  | { readonly of: 'balance' }

/** What the engine does in a run. */
export type RunPolicy = Pick<RunSettings, 'maxPosts' | 'sinceDays'> & {
  /** Who engages with posts, or the posts themselves. */
  readonly stores: 'leads' | 'posts'
  /** Post after post to its end, or a share of each post in turn (KRN-07). */
  readonly order: 'one_by_one' | 'in_turn'
  /** Whether the authors of posts are captured, those who engage, and their replies. */
  readonly authors: boolean
  readonly engagers: boolean
  readonly replies: boolean
  readonly enriches: boolean
  /** What binds it, the foremost first: of two that a row would pass, the first stopped it (G115). */
  readonly bounds: readonly RunBound[]
  /** Of one post at most: lead rows stored, its author apart, and entries of one kind of engagement read. */
  readonly perPost: { readonly rows: number | null; readonly entries: number | null }
  /** Whom the run has seen: each person of a page once, or every entry of it. */
  readonly seen: 'people' | 'entries'
  /** An ending names its cause, or every cause is shown as a cap, an empty balance by its code (G17, G75). */
  readonly endings: 'cause' | 'cap'
}

/**
 * Entries of one kind of engagement of one post that a run with a cap on credits reads: the people it may charge and one large page
 * more, however small the vendor's pages are (KRN-08). People beyond are not reached by this run.
 */
export const maxEntriesSeen = (creditCap: number): number => creditCap + 100

/** What differs between runs of a source and of a keyword search. */
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

/** The policy that settings come to. A run that waits has none yet: only how it ends is known of it. */
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
