/** Types of the tables that `accounts` writes. */
import type { Generated } from 'kysely'
import type { Fixed } from '../../platform/db/columns.ts'

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
  /** Most lead rows; null: no limit. */
  lead_cap: number | null
  capture_allowed: boolean
  source_cap: Generated<number>
  /** Most data vendor calls per UTC day; null: by status. */
  vendor_calls_per_day: number | null
  /** `closed_at` and `ends_at` (when its rows are deleted) are null while the team is open. */
  closed_at: Generated<Date | null>
  ends_at: Generated<Date | null>
  ending: Generated<boolean>
  data_key: Buffer
  signing_secret: Buffer
  previous_signing_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Fixed<Date>
  shard: Generated<string>
}

/** `sealed` is null once an erasure has removed the answer. */
type IdempotencyAnswerTable = {
  team_id: string
  scope: Buffer
  body_hash: Buffer
  status: number
  sealed: Buffer | null
  expires_at: Date
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    team: TeamTable
    idempotency_answer: IdempotencyAnswerTable
  }
}
