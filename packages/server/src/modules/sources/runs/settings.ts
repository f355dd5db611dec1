/** What a run is set to when it starts, and the states it goes through. */
import type { SettingOfRun, SourceSettings } from '@les/contract'
import type { AccountTrouble } from '../../../providers/ports.ts'

/** Where a run stands, as stored. */
export type RunState = 'queued' | 'capturing' | 'captured' | 'failed' | 'untracked'

/** Why what an open run needs is held: the network, or the AI vendor of the team. */
export type WaitsFor = AccountTrouble | 'ai_away' | 'ai_rate' | 'ai_cap'

/** What a run is bound by; taken when it starts, so that later edits bind from the next one (TRK-12). */
export type RunSettings = {
  readonly mode: 'engagers' | 'posts_only'
  /** Posts looked at. */
  readonly maxPosts: number
  /** Only posts of that many days; undated posts are then left out. */
  readonly sinceDays: number | null
  /** Lead rows stored at most; null = no limit. */
  readonly rowCap: number | null
  /** Runs of keyword searches only. */
  readonly keyword?: KeywordBounds
} & Pick<SourceSettings, SettingOfRun>

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
