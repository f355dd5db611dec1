/** The tables that the module `accounts` writes, as types. */
import type { ColumnType, Generated } from 'kysely'
import type { Fixed, Json } from '../../platform/db/columns.ts'

/** Row of `team`. */
export type TeamTable = {
  id: Fixed<string>
  name: string
  plan: string
  status: 'active' | 'trial' | 'expired'
  trial_ends_at: Date | null
  reads_limit: number
  writes_limit: number
  untracked_posts_limit: number
  keyword_daily_ceiling: number
  lead_cap: number | null
  capture_allowed: boolean
  source_cap: Generated<number>
  vendor_calls_per_day: number | null
  closed_at: Generated<Date | null>
  ends_at: Generated<Date | null>
  ending: Generated<boolean>
  data_key: Buffer
  signing_secret: Buffer
  previous_signing_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Fixed<Date>
}

/** Row of `api_key`. */
type ApiKeyTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  name: string
  hash: Fixed<Buffer>
  masked: string
  created_at: Fixed<Date>
  last_used_at: Date | null
  revoked_at: Date | null
}

/** Row of `team_credential`. */
type TeamCredentialTable = { team_id: Fixed<string>; kind: Fixed<string>; sealed: Buffer; stored_at: Date }

/** Row of `rate_window`. */
type RateWindowTable = { team_id: string; bucket: string; opened_at: Date; used: number; refused: boolean }

/** Row of `idempotency_answer`. */
type IdempotencyAnswerTable = {
  team_id: string
  scope: Buffer
  body_hash: Buffer
  status: number
  sealed: Buffer
  expires_at: Date
}

/** Row of `idempotency_flight`. */
type IdempotencyFlightTable = { team_id: string; scope: Buffer; owner: string; until_ms: number }

/** Row of `audit_entry`; append-only. */
type AuditEntryTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  at: Fixed<Date>
  actor_kind: Fixed<'user' | 'key' | 'operator'>
  actor_id: Fixed<string>
  actor_name: Fixed<string>
  operation: Fixed<string>
  target: Fixed<string | null>
  details: ColumnType<Record<string, unknown>, string, never>
}

/** Row of `saved_view`: a list as somebody keeps it, for the whole team. */
type SavedViewTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  page: Fixed<string>
  name: string
  query: Json<Record<string, unknown>>
  created_by: Fixed<string>
  created_at: Fixed<Date>
  updated_at: Date
}

/** Row of `agent_source`: a source that an agent has made, or taken as it was. */
type AgentSourceTable = {
  team_id: Fixed<string>
  agent_id: Fixed<string>
  source_id: Fixed<string>
  made: boolean
  topic: string | null
  launch: number
  stopped_at: Date | null
  added_at: Fixed<Date>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    team: TeamTable
    api_key: ApiKeyTable
    team_credential: TeamCredentialTable
    rate_window: RateWindowTable
    idempotency_answer: IdempotencyAnswerTable
    idempotency_flight: IdempotencyFlightTable
    audit_entry: AuditEntryTable
    saved_view: SavedViewTable
    agent_source: AgentSourceTable
  }
}
