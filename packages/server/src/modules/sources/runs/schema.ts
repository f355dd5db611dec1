/** The tables that the module `runs` writes, as types. */
import type { ColumnType, Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../../platform/db/columns.ts'
import type { WaitsFor } from './settings.ts'

/** Row of `sync`: one run of a source. */
export type SyncTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  source_id: Fixed<string>
  trigger: Fixed<'track' | 'scheduled' | 'manual'>
  state: 'queued' | 'capturing' | 'captured' | 'failed' | 'untracked'
  settings: Json<Record<string, unknown>>
  cursor: Json<Record<string, unknown>>
  posts_total: Generated<number>
  posts_processed: Generated<number>
  lead_rows: Generated<number>
  credits_spent: Generated<number>
  engagers_seen: Generated<number>
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
  lane: Generated<'keyword' | 'capture'>
  posts_scanned: Generated<number>
  posts_kept: Generated<number>
  discarded_by_expression: Generated<number>
  authors_captured: Generated<number>
  company_authors: Generated<number>
  page_limited: Generated<boolean>
  price_limited: Generated<boolean>
  waits_for: Generated<WaitsFor | null>
  unapplied: ColumnType<string[], string | undefined, string>
  unexpected_failures: Generated<number>
}

/** Row of `sync_post`: how far a run has come with one post. */
export type SyncPostTable = {
  team_id: Fixed<string>
  sync_id: Fixed<string>
  position: Fixed<number>
  post_urn: Fixed<string>
  post_url: Fixed<string>
  author_urn: Fixed<string | null>
  posted_at: Fixed<Date | null>
  declared: Fixed<number>
  phase: 'author' | 'reactions' | 'comments' | 'replies' | 'done'
  provider: string | null
  cursor: ColumnType<Record<string, string | number | boolean | null> | null, string | null, string | null>
  replies: ColumnType<
    { commentId: string; cursor: Record<string, string | number | boolean | null> }[],
    string | undefined,
    string
  >
  reactions_declared: Fixed<number | null>
  comments_declared: Fixed<number | null>
  reactions_seen: Generated<number>
  turns: Generated<number>
  seen: Generated<number>
  rows_taken: Generated<number>
  read_alone: Generated<boolean>
  page_rest: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
}

declare module '../../../platform/db/schema.ts' {
  interface Tables {
    sync: SyncTable
    sync_post: SyncPostTable
  }
}
