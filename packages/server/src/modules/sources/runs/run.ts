import type { ColumnType, Generated, Selectable } from 'kysely'
import { camelKeys, type CamelKeys, type Fixed, type Json, type Lease } from '../../../platform/db/columns.ts'
import type { AccountTrouble, PageAt, PageCursor, RepliesRef, VendorId } from '../../../providers/ports.ts'
import type { ShownEngagement } from '../../leads/index.ts'
import { policyOf, type RunLane, type RunPolicy, type RunSettings } from './rules/policy.ts'

export type RunState = 'queued' | 'capturing' | 'captured' | 'failed' | 'untracked'

/** Why an open run is held: by the network, or by the team's AI vendor. */
export type WaitsFor = AccountTrouble | 'ai_away' | 'ai_rate'

/** `listed`: posts chosen, so that a shifting listing counts none twice; `pages`: read; `left`: by an unfinished first sync. */
type ListingCursor = {
  readonly phase: 'posts'
  readonly at: PageAt | null
  readonly listed: readonly string[]
  readonly pages: number
  readonly left?: readonly LeftPost[]
}

/** Progress of a keyword run's search: its terms, and which is asked next. */
export type SearchCursor = {
  readonly phase: 'search'
  readonly terms: readonly TermCursor[]
  readonly turn: number
  readonly unreadable?: number
}

/** Progress of one term; `emptyPages`: pages in a row without a post that was new to the run. */
export type TermCursor = {
  readonly at: PageAt | null
  readonly done: boolean
  readonly pages: number
  readonly emptyPages: number
  /** The fallback vendor has more, but it costs too much. */
  readonly leftForPrice?: boolean
}

/** `limited`: posts were left to find. `shown`: pages have shown somebody, counted or not. `left`: for the next run. */
type EngagementCursor = {
  readonly phase: 'engagement'
  readonly limited?: boolean
  readonly shown?: boolean
  readonly left?: readonly LeftPost[]
}

export type RunCursor = ListingCursor | SearchCursor | EngagementCursor

export const firstCursor: Readonly<Record<RunLane, RunCursor>> = {
  capture: { phase: 'posts', at: null, listed: [], pages: 0 },
  keyword: { phase: 'search', terms: [], turn: 0 },
}

type SyncTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  source_id: Fixed<string>
  trigger: Fixed<'track' | 'scheduled' | 'manual'>
  state: RunState
  /** `{}` until the run starts. */
  settings: Json<RunSettings>
  cursor: Json<RunCursor>
  posts_total: Generated<number>
  posts_processed: Generated<number>
  lead_rows: Generated<number>
  credits_spent: Generated<number>
  engagers_seen: Generated<number>
  /** Engagements judged, each once, charged or free; 0 where an agent's trial pays. */
  engagement_judged: Generated<number>
  declared: Generated<number>
  held_rows: Generated<number>
  posts_fetched: Generated<number>
  provider_limited: Generated<boolean>
  stopped_by: Generated<string | null>
  error_code: Generated<string | null>
  error_text: Generated<string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  started_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  lane: Generated<RunLane>
  /** Figures of a keyword run's search; zero on other runs. */
  posts_scanned: Generated<number>
  posts_kept: Generated<number>
  discarded_by_expression: Generated<number>
  authors_captured: Generated<number>
  company_authors: Generated<number>
  /** The credit cap kept pages of a post from being read (KRN-08). */
  page_limited: Generated<boolean>
  /** Posts were read only in part because the fallback's pages cost too much. */
  price_limited: Generated<boolean>
  waits_for: Generated<WaitsFor | null>
  /** Targeting filters that neither the vendor nor we could apply. */
  unapplied: ColumnType<string[], string | undefined, string>
  unexpected_failures: Generated<number>
}

export type RunRow = Selectable<SyncTable>

export type Run = Omit<CamelKeys<RunRow>, 'dueAt' | 'leaseOwner' | 'leaseUntilMs'> & { readonly policy: RunPolicy }

export const toRun = (row: RunRow): Run => ({ ...camelKeys(row), policy: policyOf(row.settings, row.lane) })

type SyncPostTable = {
  team_id: Fixed<string>
  sync_id: Fixed<string>
  position: Fixed<number>
  post_urn: Fixed<string>
  post_url: Fixed<string>
  author_urn: Fixed<string | null>
  posted_at: Fixed<Date | null>
  declared: Fixed<number>
  phase: 'author' | 'reactions' | 'comments' | 'replies' | 'done'
  provider: VendorId | null
  cursor: ColumnType<PageCursor | null, string | null | undefined, string | null>
  replies: ColumnType<RepliesRef[], string | undefined, string>
  reactions_declared: Fixed<number | null>
  comments_declared: Fixed<number | null>
  reactions_seen: Generated<number>
  turns: Generated<number>
  /** Entries seen of the kind of engagement in `phase`. */
  seen: Generated<number>
  /** Lead rows this run has stored of it, without its author. */
  rows_taken: Generated<number>
  /** A vendor has failed a page of it: it is read last, and alone. */
  read_alone: Generated<boolean>
  /** What kept engagement out; null: nothing so far. */
  held_back_by: Generated<'provider_limit' | 'post_limit' | null>
  page_rest: ColumnType<PageRest | null, string | null | undefined, string | null>
}

declare module '../../../platform/db/schema.ts' {
  interface Tables {
    sync: SyncTable
    sync_post: SyncPostTable
  }
}

/** Where a post goes on after a page. */
export type PostPlace = {
  readonly phase: SyncPostTable['phase']
  readonly provider: VendorId | null
  readonly cursor: PageCursor | null
  readonly replies: readonly RepliesRef[]
}

/** A paid page that is not used up: the engagements left, in order, and where the post goes on after them. */
export type PageRest = {
  readonly engagements: readonly ShownEngagement[]
  readonly after: PostPlace
  readonly cutShort: boolean
}

export type RunPost = Omit<
  CamelKeys<Selectable<SyncPostTable>>,
  'teamId' | 'syncId' | 'postUrn' | 'postUrl' | keyof PostPlace
> &
  PostPlace & { readonly urn: string; readonly url: string }

export function toRunPost(row: Selectable<SyncPostTable>): RunPost {
  const { postUrn: urn, postUrl: url, teamId: _team, syncId: _run, ...post } = camelKeys(row)
  return { ...post, urn, url }
}

export type RunPostDraft = Pick<
  RunPost,
  'urn' | 'url' | 'authorUrn' | 'declared' | 'phase' | 'reactionsDeclared' | 'commentsDeclared'
> & { readonly postedAt: string | null }

/** A post that a run did not finish; the next run begins it again. */
export type LeftPost = Omit<RunPostDraft, 'phase'>
