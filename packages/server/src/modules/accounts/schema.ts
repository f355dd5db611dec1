/** The tables that the module `accounts` writes, as types. */
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
  /** Lead rows the team may hold; null for no limit. */
  lead_cap: number | null
  capture_allowed: boolean
  /** Sources that may be tracked at once. */
  source_cap: Generated<number>
  /** Calls of the data vendors a day of UTC; null for what the status allows. */
  vendor_calls_per_day: number | null
  /** Since when it is closed, and when its rows go; null while it is open. */
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

/** Row of `idempotency_answer`; `sealed` is null once an erasure has taken the answer out. */
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
