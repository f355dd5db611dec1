/** What a source is set to, and what one run of it is bound by. */
import { bounds } from '@les/contract'

/** The settings of a person, company or post source (specification «Tracked source»). */
export type SourceSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly postsPerSync: number | null
  readonly creditCapPerSync: number | null
  readonly captureReplies: boolean
  readonly enrichLeads: boolean
  readonly firstSyncPosts: number | null
  readonly firstSyncDays: number | null
}

/** Settings of a source nobody has said anything about. */
export const defaultSettings: SourceSettings = {
  mode: 'engagers',
  postsPerSync: null,
  creditCapPerSync: null,
  captureReplies: true,
  enrichLeads: true,
  firstSyncPosts: null,
  firstSyncDays: null,
}

/** Credits a source can cost a day at most: its posts, or the cap on its lead rows; null without a limit. */
export const dailyMax = (settings: SourceSettings): number | null =>
  settings.mode === 'posts_only' ? settings.postsPerSync : settings.creditCapPerSync

/** What a run is bound by; taken when it starts, so that later edits bind from the next one (TRK-12). */
export type RunSettings = {
  readonly mode: 'engagers' | 'posts_only'
  /** Posts looked at. */
  readonly maxPosts: number
  /** Only posts of that many days; undated posts are then left out. */
  readonly sinceDays: number | null
  /** Lead rows stored at most; null = no limit. */
  readonly rowCap: number | null
  readonly captureReplies: boolean
  readonly enrichLeads: boolean
  /** Runs of keyword searches only. */
  readonly keyword?: KeywordBounds
}

/** What a run of a keyword search is bound by, besides. */
export type KeywordBounds = {
  /** Credits the run may spend (CRD-20). */
  readonly creditCap: number
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  /** Post after post to its end, or one page of each post in turn (KRN-07). */
  readonly captureMode: 'depth' | 'breadth'
  /** Lead rows a run stores of one post at most, its author apart; null = no limit. */
  readonly maxEngagementsPerPost: number | null
}

/** The bounds of a run: the first one reads further back (SYN-04, ENR-35, ENR-38). */
export function runSettings(settings: SourceSettings, isFirst: boolean): RunSettings {
  const shared = {
    mode: settings.mode,
    rowCap: settings.creditCapPerSync,
    captureReplies: settings.captureReplies,
    enrichLeads: settings.enrichLeads,
  }
  if (settings.mode === 'posts_only')
    return { ...shared, maxPosts: settings.postsPerSync ?? bounds.postsPerSync.max, sinceDays: null }
  if (!isFirst) return { ...shared, maxPosts: bounds.laterSyncPosts, sinceDays: null }
  const most = settings.firstSyncDays === null ? bounds.firstSyncPosts.default : bounds.firstSyncPosts.max
  return { ...shared, maxPosts: settings.firstSyncPosts ?? most, sinceDays: settings.firstSyncDays }
}
