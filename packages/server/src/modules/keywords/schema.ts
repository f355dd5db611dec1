/** The tables that the module `keywords` writes, as types. */
import type { Fixed, Json } from '../../platform/db/columns.ts'

/** Row of `keyword_search`: what a keyword source looks for. */
export type KeywordSearchTable = {
  team_id: Fixed<string>
  source_id: Fixed<string>
  name: string | null
  terms: Json<readonly string[]>
  expression: Fixed<string | null>
  sort: 'RELEVANCE' | 'DATE_POSTED'
  date_posted: 'PAST_24_HOURS' | 'PAST_WEEK' | 'PAST_MONTH'
  content_type: string | null
  filters: Json<Readonly<Record<string, readonly string[]>>>
  ai_provider: 'openai' | 'anthropic' | 'google' | 'mistral' | null
  ai_model: string | null
  ai_prompt: string | null
  credit_cap: number
  capture_engagers: boolean
  capture_post_authors: boolean
  capture_mode: 'depth' | 'breadth'
  max_engagements_per_post: number | null
  saved_at: Date
}

/** Row of `keyword_post`: a post that a keyword search has seen. */
export type KeywordPostTable = {
  team_id: string
  source_id: string
  post_urn: string
  sync_id: string
  position: number
  awaits_ai: boolean
  outcome: 'kept' | 'discarded' | null
  reason: string | null
  filter: Buffer | null
  decided_at: Date | null
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    keyword_search: KeywordSearchTable
    keyword_post: KeywordPostTable
  }
}
