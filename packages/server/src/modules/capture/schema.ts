/** The tables that the module `capture` writes, as types. */

/** Row of `source_post`: a post a posts-only watch has found. */
export type SourcePostTable = {
  team_id: string
  source_id: string
  post_urn: string
  sync_id: string
  created_at: Date
}

/** Row of `keyword_spend`: what a team's keyword searches have spent on a day. */
export type KeywordSpendTable = { team_id: string; day: string; credits: number }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    source_post: SourcePostTable
    keyword_spend: KeywordSpendTable
  }
}
