/** The tables that the module `sources` writes, as types. */
import type { Generated } from 'kysely'
import type { Fixed } from '../../platform/db/columns.ts'

/** Row of `source`. */
export type SourceTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<'person' | 'company' | 'post' | 'keyword'>
  username: Fixed<string>
  identity: Fixed<Buffer>
  status: 'active' | 'inactive'
  mode: 'engagers' | 'posts_only'
  posts_per_sync: number | null
  credit_cap_per_sync: number | null
  capture_replies: boolean
  enrich_leads: boolean
  first_sync_posts: number | null
  first_sync_days: number | null
  network_urn: Generated<string | null>
  next_sync_at: Date | null
  last_scheduled_at: Generated<Date | null>
  open_sync_id: Generated<string | null>
  last_sync_id: Generated<string | null>
  ever_completed: Generated<boolean>
  revived: Generated<boolean>
  lead_rows: Generated<number>
  raw_rows: Generated<number>
  leads_pending: Generated<number>
  leads_completed: Generated<number>
  leads_failed: Generated<number>
  leads_skipped: Generated<number>
  created_at: Fixed<Date>
  untracked_at: Generated<Date | null>
  post_url: Generated<string | null>
  runs_completed: Generated<number>
  max_runs: Generated<number | null>
  end_at: Generated<Date | null>
  run_once: Generated<boolean>
  stopped_at: Generated<Date | null>
  stopped_reason: Generated<'max_runs' | 'run_once' | 'end_at' | null>
  pays_from: Generated<'team' | 'agent_trial'>
}

/** Row of `source_alias`: another URN of a tracked post. */
export type SourceAliasTable = { team_id: Fixed<string>; urn: Fixed<string>; source_id: string }

/** Row of `source_report`: a source whose stored name no request can name (G146). */
export type SourceReportTable = {
  team_id: Fixed<string>
  source_id: Fixed<string>
  reason: Fixed<'double' | 'no_handle' | 'lower_case_id'>
  plain_name: Fixed<string>
  other_id: Fixed<string | null>
}

/** Row of `write_off`: an untracked source whose waiting leads are still being written off. */
export type WriteOffTable = { team_id: Fixed<string>; source_id: Fixed<string> }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    source: SourceTable
    source_alias: SourceAliasTable
    source_report: SourceReportTable
    write_off: WriteOffTable
  }
}
